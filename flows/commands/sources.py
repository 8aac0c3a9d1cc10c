"""`dream source`: where an entry of a memory comes from, down to the lines that were said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from config.production import CodeProbe, HttpProbe, McpProbe, Production, PrometheusProbe, RecordedProbe, SqlProbe
from config.pull_requests import GitHubPullRequests, PullRequests, RecordedPullRequests
from config.settings import Settings
from dream.guards.masking import mask_secrets
from dream.history.citing import entries_citing
from dream.history.values import Found, HistoryLine, Mark, parse_mark, without_person
from dream.memory.notes import NoteCache
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import Tree
from dream.memory.windows import current_night
from dream.report.escaping import WIDTH, one_line, visible
from dream.sources.sessions.values import Message
from flows.clock import Clock, system_clock
from flows.commands.answers import Answer
from flows.commands.looking import Look, look
from flows.commands.past import Past
from flows.commands.recorded_answers import parse_recorded, tell_recorded
from flows.installation import open_installation, open_workplace
from flows.workplace import Workplace

_LONGEST_CHECK = 1_000
_PULL_REQUEST = re.compile(r"[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){0,4}[#!][0-9]{1,9}")


def tell_source(settings: Settings, name: str, wanted: str, *, clock: Clock) -> Answer:
    """Return what `wanted` is: the lines of a message or a quote, or for a whole source which entries rest on it.

    Of `o3@2026-10-22` it is what a system answered.

    Exit 1 where neither a line nor an entry is found, or the words of a quote are not those that its digest is of.
    """
    workplace = open_workplace(settings, name)
    recorded = parse_recorded(wanted.strip())
    if recorded is not None:
        return tell_recorded(workplace, *recorded)
    source = without_person(wanted.strip())
    mark = parse_mark(source)
    past = Past(workplace)
    if mark is not None and mark.message:
        return _tell_words(past, mark)
    return _tell_whole(workplace, past, wanted.strip(), source, clock)


def source_command(name: str, wanted: str) -> Answer:
    """Return the answer of `dream source`."""
    return tell_source(open_installation(), name, wanted, clock=system_clock())


def _tell_words(past: Past, mark: Mark) -> Answer:
    """Return the lines that a mark points at: of a quote those that it touches, else all of the message."""
    found = past.history.locate(mark)
    if found is None:
        kept = past.history.find(mark.source)
        why = "these words are not in it" if kept else "no such session is kept"
        return past.answer([], {"quote": None}, nothing=f"{mark.source}/{mark.message}: {why}")
    message = (past.history.full(found.line) or ())[int(found.message[1:]) - 1]
    checked = "its digest holds" if mark.digest else "without a digest nothing tells whether these are the words"
    lines = list(_lines_around(past, found, message))
    text = [past.text(found.line), _head(past, found.message, message), *lines]
    if mark.end is not None:
        text.append(f"# characters {found.start} to {found.end}: {one_line(found.text, most=past.limits.line)}")
        text.append(f"# {checked}")
    document = {
        "session": past.payload(found.line),
        "message": _message_payload(found.message, message),
        "quote": {"start": found.start, "end": found.end, "text": found.text, "checked": bool(mark.digest)},
    }
    return past.answer(text, document)


def _lines_around(past: Past, found: Found, message: Message) -> Iterator[str]:
    first = message.text.rfind("\n", 0, found.start) + 1
    last = message.text.find("\n", max(found.start, found.end - 1))
    for line in message.text[first : last if last >= 0 else None].split("\n"):
        yield f"{past.name(found.line)}:{found.message}: {visible(line)}"


def _tell_whole(workplace: Workplace, past: Past, wanted: str, source: str, clock: Clock) -> Answer:
    seen = look(workplace, today=current_night(clock.now()))
    sessions = past.history.find(source)
    names = {name for line in sessions for name in line.sources} | {source}
    entries = list(_entries(seen, names, wanted if wanted != source else ""))
    effects = [(record, effect) for record in seen.records for effect in record.effects if _rests_on(effect, names)]
    told = [*_about(workplace, past, source, sessions)]
    told += [line for path, number, text in entries for line in _entry_lines(path, number, text)]
    quotes = [(record, effect, _quotes(past, effect, names)) for record, effect in effects]
    for record, effect, held in quotes:
        told += _effect_lines(past, record, effect, held)
    told += [f"# {visible(remark)}" for remark in (*seen.remarks, *(need.why for need in seen.troubles))]
    document = {
        "source": source,
        "sessions": [past.payload(line) for line in sessions],
        "entries": [{"path": path, "line": number, "text": text} for path, number, text in entries],
        "nights": [_effect_payload(record, effect, held) for record, effect, held in quotes],
        "remarks": [*seen.remarks, *(need.why for need in seen.troubles)],
    }
    nothing = "" if sessions or entries or effects else f"nothing of {workplace.name} is called {one_line(wanted)}"
    return past.answer(told, document, nothing=nothing)


def _about(workplace: Workplace, past: Past, source: str, sessions: Sequence[HistoryLine]) -> Iterator[str]:
    """Yield what the source is, and where the rest of it is found."""
    organisation = workplace.organisation
    yield from map(past.text, sessions)
    if source.startswith("probe:"):
        places = [_place(system) for system in organisation.production if f"probe:{system.name}" == source]
        where = places[0] if places else "a system that is not configured any more"
        yield f"# {one_line(source)} is {where}; what it answered is in the commit messages of the nights below"
        place = workplace.store if "://" not in workplace.store else f"{workplace.name} in DREAM_STORE"
        shows = f"dream source {workplace.name} o3@2026-10-22 shows o3 of that night"
        yield f"# all that it answered in a night is kept in production/ of {visible(place)}; {shows}"
    elif source.startswith("web:"):
        yield f"# {one_line(source)} is a page that somebody quoted; nothing of it is kept but these entries"
    elif _PULL_REQUEST.fullmatch(source):
        state = past.history.pull_request_state(source)
        read = (_read_from(one) for one in organisation.pull_requests)
        paths = ", ".join(read) or "nowhere, as none are configured"
        yield f"# {source} is a pull request{f', {state}' if state else ''}; its record is read from {visible(paths)}"
    elif not sessions:
        yield f"# no session called {one_line(source, most=80)} is kept"


def _place(system: Production) -> str:
    match system:
        case CodeProbe(url=url):
            return f"the repository at {url}"
        case RecordedProbe(path=path):
            return f"what was recorded in {path}"
        case McpProbe(url="", command=command):
            return f"the MCP server {command[0]}"
        case HttpProbe(url=url) | PrometheusProbe(url=url) | SqlProbe(url=url) | McpProbe(url=url):
            return f"the {system.kind} system at {url}"


def _read_from(source: PullRequests) -> str:
    match source:
        case RecordedPullRequests(path=path):
            return str(path)
        case GitHubPullRequests(url=url):
            return url


def _entries(seen: Look, names: set[str], exactly: str) -> Iterator[tuple[str, int, str]]:
    """Yield path, line and text of each entry that cites one of `names`, or for a person's words `exactly` that."""
    if seen.mirror is None or not seen.head:
        return
    tree: Tree = seen.mirror.tree(seen.head)
    for path, number, text in entries_citing(tree, NoteCache(), {exactly} if exactly else names):
        yield path, number, mask_secrets(text)


def _entry_lines(path: str, number: int, text: str) -> Iterator[str]:
    """Yield an entry on a line, and each of its checks on one of its own."""
    for part in re.split(r"\n(?=[ \t]+check:)", text):
        yield f"{path}:{number}: {one_line(part, most=_LONGEST_CHECK if part.lstrip().startswith('check:') else WIDTH)}"
        number += part.count("\n") + 1


def _rests_on(effect: Effect, names: set[str]) -> bool:
    cited = {without_person(source) for source in effect.sources}
    return not names.isdisjoint(cited) or any(quote.partition("/")[0] in names for quote in effect.quotes)


def _quotes(past: Past, effect: Effect, names: set[str]) -> list[tuple[str, Found | None]]:
    """Return each mark that a night keeps of what an effect rests on, with where its words are."""
    marks = [quote for quote in effect.quotes if quote.partition("/")[0] in names]
    found = ((quote, parse_mark(quote)) for quote in marks)
    return [(quote, past.history.locate(mark) if mark is not None and mark.digest else None) for quote, mark in found]


def _effect_lines(
    past: Past, record: NightRecord, effect: Effect, held: Sequence[tuple[str, Found | None]]
) -> Iterator[str]:
    paths = ", ".join(dict.fromkeys([*(change.path for change in effect.changes), *effect.created, *effect.deleted]))
    yield f"# the night of {record.night.isoformat()}, {effect.task}, {effect.kind}: {one_line(paths)}"
    for quote, found in held:
        place = quote.partition(" ")[0]
        words = one_line(found.text, most=past.limits.line) if found else "(these words are not kept)"
        yield f"{visible(place)}: {words}"


def _effect_payload(record: NightRecord, effect: Effect, held: Sequence[tuple[str, Found | None]]) -> dict[str, Any]:
    return {
        "night": record.night.isoformat(),
        "task": effect.task,
        "kind": effect.kind,
        "paths": sorted({*(change.path for change in effect.changes), *effect.created, *effect.deleted}),
        "quotes": [{"mark": quote, "text": found.text if found else None} for quote, found in held],
    }


def _head(past: Past, number: str, message: Message) -> str:
    at = message.at.astimezone(past.zone).strftime("%Y-%m-%d %H:%M:%S")
    call = message.command or message.tool
    words = [f"# {number}", at, message.role.value, message.author, one_line(call, most=past.limits.hit)]
    return "  ".join(visible(word) for word in words if word)


def _message_payload(number: str, message: Message) -> dict[str, Any]:
    return {
        "message": number,
        "at": message.at.isoformat(),
        "role": message.role.value,
        "author": message.author,
        "tool": message.tool,
        "command": message.command,
        "text": message.text,
    }
