"""`dream history`: past sessions listed, shown and searched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any

from config.settings import Settings
from dream.errors import UsageError
from dream.history.lines import line_payload, names_of, render_line
from dream.history.searching import Hit, Query, hits_in, told_by, told_in
from dream.history.store import HistoryStore
from dream.history.values import HistoryLine
from dream.report.escaping import one_line, visible
from dream.sources.sessions.condensing import whole
from flows.commands.alarms import OutOfTimeError, within
from flows.commands.answers import Answer
from flows.installation import open_installation, open_workplace
from flows.opening import parse_night
from flows.remembering import open_history
from flows.workplace import Workplace


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which sessions are meant, as somebody typed it; what is empty leaves none out."""

    since: str = ""
    until: str = ""
    person: str = ""
    repository: str = ""

    def apply(self, lines: Iterable[HistoryLine], *, zone: tzinfo) -> list[HistoryLine]:
        """Return the sessions that are meant, the latest first; raises UsageError for what is no date."""
        since, until = _midnight(self.since, zone), _midnight(self.until, zone, days=1)
        chosen = [
            line
            for line in lines
            if (since is None or line.ended >= since)
            and (until is None or line.started < until)
            and (not self.person or self.person.casefold() in map(str.casefold, line.people))
            and (not self.repository or _is_in(line.repository.casefold(), self.repository.casefold()))
        ]
        return sorted(chosen, key=lambda line: (line.started, line.name), reverse=True)


class Past:
    """One organisation's history as a command shows it."""

    def __init__(self, workplace: Workplace) -> None:
        """Read every line; raises StoreDownError or UsageError where that cannot be done."""
        self.organisation = workplace.name
        self.zone = workplace.organisation.zone
        self.limits = workplace.organisation.limits.history
        self.history: HistoryStore = open_history(workplace)
        self.history.connect()
        self.all = self.history.lines()
        self._names = names_of(self.all)

    def name(self, line: HistoryLine) -> str:
        """Return by which name a session is found."""
        return self._names[line.name]

    def text(self, line: HistoryLine) -> str:
        """Return a session's line."""
        return render_line(line, name=self.name(line), zone=self.zone, most=self.limits.line)

    def payload(self, line: HistoryLine) -> dict[str, Any]:
        """Return a session's line as a document."""
        return line_payload(line, name=self.name(line))

    def one(self, wanted: str) -> HistoryLine | None:
        """Return the session that `wanted` names, None where there is none; raises UsageError where there are more."""
        found = self.history.find(wanted)
        if len(found) > 1:
            message = f"{one_line(wanted, most=80)} names {len(found)} sessions of {self.organisation}"
            some = ", ".join(line.name for line in found[:5])
            raise UsageError(message, way_out=f"name one of them: {some}{', …' if found[5:] else ''}")
        return found[0] if found else None

    def answer(self, text: Sequence[str], document: dict[str, Any], *, nothing: str = "") -> Answer:
        """Return what was found, or in `nothing` that nothing was, with what is damaged; both are exit 1."""
        told = [*(text or [f"# {nothing}"]), *(f"# passed over: {visible(damage)}" for damage in self.history.damages)]
        return Answer(
            text="\n".join(told),
            document={"organisation": self.organisation, **document, "damaged": list(self.history.damages)},
            exit_code=1 if nothing or self.history.damages else 0,
        )


def list_past(settings: Settings, name: str, filters: Filters, *, limit: int = 0) -> Answer:
    """Return a line for each session that is meant, the latest first, and how many more there are."""
    past = Past(open_workplace(settings, name))
    lines = filters.apply(past.all, zone=past.zone)
    shown = lines[: limit or None]
    more = [f"# {len(lines) - len(shown)} more: raise --limit"] if len(shown) < len(lines) else []
    document = {"sessions": [past.payload(line) for line in shown], "more": len(lines) - len(shown)}
    nothing = "" if lines else f"no session of {name} is kept that is meant, of {len(past.all)}"
    return past.answer([*map(past.text, shown), *more], document, nothing=nothing)


def show_past(settings: Settings, name: str, wanted: str, *, full: bool = False) -> Answer:
    """Return a session's line and what is worth reading of it, or for `full` all of it."""
    past = Past(open_workplace(settings, name))
    line = past.one(wanted)
    if line is None:
        return past.answer([], {"session": None, "text": ""}, nothing=_unknown(name, wanted))
    text = _whole(past.history, line) if full else past.history.condensed(line)
    nothing = "" if text is not None else f"of {past.name(line)} this cannot be had"
    shown = [] if text is None else [past.text(line), "", visible(text.rstrip("\n"))]
    return past.answer(shown, {"session": past.payload(line), "text": text or ""}, nothing=nothing)


def search_past(
    settings: Settings,
    name: str,
    words: Sequence[str],
    filters: Filters,
    *,
    regex: str = "",
    full: bool = False,
    limit: int = 0,
) -> Answer:
    """Return the lines that hold what is looked for, `limit` of them, or as many as the configuration says.

    Raises:
        UsageError: nothing is looked for, or by what is no pattern or by one that takes for ever.
    """
    query = _query(words, regex)
    past = Past(open_workplace(settings, name))
    lines = filters.apply(past.all, zone=past.zone)
    most = limit or past.limits.hits
    try:
        with within(past.limits.seconds):
            hits = list(islice(_hits(past, lines, query, full=full), most + 1))
    except OutOfTimeError:
        message = f"the search did not end within {past.limits.seconds} s"
        way_out = "a pattern in which a repeated part repeats itself may never end: write another, or name a --since"
        raise UsageError(message, way_out=way_out) from None
    shown, is_cut = hits[:most], len(hits) > most
    told = [f"{past.name(hit.line)}{f':{hit.message}' if hit.message else ''}: {hit.text}" for hit in shown]
    told += [f"# these are the first {most}: raise --limit for more"] if is_cut else []
    document = {
        "hits": [{"session": past.name(hit.line), "message": hit.message, "text": hit.text} for hit in shown],
        "searched": len(lines),
        "more": is_cut,
    }
    nothing = "" if hits else f"nothing in {len(lines)} sessions of {name}"
    return past.answer(told, document, nothing=nothing)


def list_command(name: str, filters: Filters, *, limit: int) -> Answer:
    """Return the answer of `dream history list`."""
    return list_past(open_installation(), name, filters, limit=limit)


def show_command(name: str, wanted: str) -> Answer:
    """Return the answer of `dream history show`."""
    return show_past(open_installation(), name, wanted)


def transcript_command(name: str, wanted: str) -> Answer:
    """Return the answer of `dream history transcript`."""
    return show_past(open_installation(), name, wanted, full=True)


def search_command(name: str, words: Sequence[str], filters: Filters, *, regex: str, full: bool, limit: int) -> Answer:
    """Return the answer of `dream history search`."""
    return search_past(open_installation(), name, words, filters, regex=regex, full=full, limit=limit)


def _hits(past: Past, lines: Sequence[HistoryLine], query: Query, *, full: bool) -> Iterator[Hit]:
    texts = ((line, None) for line in lines) if full else past.history.texts(lines)
    for line, text in texts:
        yield from hits_in(line, [("", past.text(line))], query, most=past.limits.line)
        if full:
            told = told_by(past.history.full(line) or ())
        else:
            told = told_in(text) if text and query.may_be_in(text) else iter(())
        yield from hits_in(line, told, query, most=past.limits.hit)


def _query(words: Sequence[str], regex: str) -> Query:
    if not any(words) and not regex:
        message = "what is to be looked for?"
        raise UsageError(message, way_out="dream history search ORG WORD…, or --regex PATTERN")
    try:
        return Query(words, pattern=re.compile(regex, re.IGNORECASE) if regex else None)
    except (re.error, OverflowError, RecursionError) as error:
        message = f"{one_line(regex, most=80)} is no pattern: {error}"
        raise UsageError(message, way_out="write it as Python's re reads it, in quotes") from error


def _whole(history: HistoryStore, line: HistoryLine) -> str | None:
    session = history.session(line)
    return None if session is None or not session.messages else whole(session).text


def _unknown(name: str, wanted: str) -> str:
    return f"{name} has kept no session called {one_line(wanted, most=80)}"


def _midnight(text: str, zone: tzinfo, *, days: int = 0) -> datetime | None:
    day: date | None = parse_night(text)
    if day is None or date.max - day < timedelta(days=days):
        return None  # the day after the last of the calendar leaves nothing out
    return datetime.combine(day + timedelta(days=days), time(), tzinfo=zone)


def _is_in(repository: str, wanted: str) -> bool:
    return repository == wanted or repository.endswith(f"/{wanted}")
