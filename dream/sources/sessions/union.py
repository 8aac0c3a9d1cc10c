"""One session out of everything that was found of it, whatever its files are called and however often they came."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from dream.sources.sessions.formats.registry import OWN, formats
from dream.sources.sessions.identity import short_ids
from dream.sources.sessions.parts import Part
from dream.sources.sessions.references import folder_name, qualified, repository_of
from dream.sources.sessions.values import Message, Role, Session, SessionSource, Summary

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:/[0-9]{1,6})?")


def union_of(parts: Sequence[tuple[SessionSource, Part]]) -> tuple[Session, ...]:
    """Return one session per id, sorted by start: its messages united by their ids, in the order of time.

    A message that a fork of a session carries along belongs to the session that ended first, though both digests know
    it. Where a session was found in two formats, the tool's own counts. The order of `parts` makes no difference.
    """
    by_id: dict[str, list[tuple[SessionSource, Part]]] = {}
    for source, part in parts:
        by_id.setdefault(part.id, []).append((source, part))
    whole = [_united(name, held) for found in by_id.items() for name, held in _apart(*found).items()]
    whole = [session for session in _without_copies(whole) if session.messages]
    short = short_ids(session.id for session in whole)
    named = (replace(session, short=short[session.id]) for session in whole)
    return tuple(sorted(named, key=lambda session: (session.started, session.id)))


def latest_summaries(summaries: Iterable[Summary]) -> tuple[Summary, ...]:
    """Return one summary per id, the one that ends last, sorted by start."""
    latest: dict[str, Summary] = {}
    for summary in summaries:
        held = latest.get(summary.id)
        if held is None or (held.ended, held.digest) < (summary.ended, summary.digest):
            latest[summary.id] = summary
    short = short_ids(latest)
    named = (replace(summary, short=short[summary.id]) for summary in latest.values())
    return tuple(sorted(named, key=lambda summary: (summary.started, summary.id)))


def digest_of(messages: Iterable[Message]) -> str:
    """Return the hash of what was said: ids, instants, roles and texts, each with its length.

    What is only told of a call that printed nothing is not said, so that it makes no session a new one.
    """
    told = hashlib.sha256()
    for message in messages:
        if not message.text:
            continue
        name, at, role = message.id, message.at.isoformat(), message.role
        size = len(name) if name.isascii() else len(_bytes(name))
        text = _bytes(message.text)
        told.update(_bytes(f"{size}:{name}{len(at)}:{at}{len(role)}:{role}{len(text)}:"))
        told.update(text)
    return told.hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _apart(name: str, held: Sequence[tuple[SessionSource, Part]]) -> Mapping[str, Sequence[tuple[SessionSource, Part]]]:
    """Return what was found under one id as sessions by their ids, of each first what counts.

    Two tools that used one id wrote two sessions: the second is called by its kind too. Of a tool's formats that of the
    highest rank counts. What somebody made of a session belongs to the one of its tool, else to the first.
    """
    highest = max(formats()[source.kind].rank for source, _ in held)
    own: dict[str, list[tuple[SessionSource, Part]]] = {}
    for source, part in sorted(held, key=lambda pair: _rank(pair[0]), reverse=True):
        if formats()[source.kind].rank >= min(highest, OWN):
            own.setdefault(part.tool, []).append((source, part))
    tools = sorted(own, key=lambda tool: own[tool][0][0].kind)
    for source, part in held:
        if formats()[source.kind].rank < min(highest, OWN):
            own[part.tool if part.tool in own else tools[0]].append((source, part))
    return {f"{name}:{own[tool][0][0].kind}" if tool != tools[0] else name: own[tool] for tool in tools}


def _rank(source: SessionSource) -> tuple[int, str]:
    return formats()[source.kind].rank, source.kind


def _united(name: str, held: Sequence[tuple[SessionSource, Part]]) -> Session:
    richest = held[0][0].kind
    parts = sorted(
        (part for source, part in held if source.kind == richest),
        key=lambda part: (part.messages[-1].at, len(part.messages), part.path),
        reverse=True,
    )
    sources = [source for source, _ in sorted(held, key=lambda pair: (pair[0].path, pair[1].path))]
    longest = parts[0]
    pull_requests = {reference for part in parts for reference in part.pull_requests}
    repository = repository_of(
        stated=sorted({name for part in parts for name in part.repositories}),
        folder=_first(folder_name(part.cwd) or part.folder for part in parts),
        pull_requests=pull_requests,
        default=_first(source.repository for source in sources),
    )
    messages = _messages(parts, _first(source.person for source in sources))
    return Session(
        id=name,
        tool=longest.tool,
        title=_first(part.title for part in parts),
        repository=repository,
        branch=_first(part.branch for part in parts),
        messages=messages,
        pull_requests=qualified(pull_requests, repository),
        files=tuple(sorted({path for part in parts for path in part.files})),
        origin_files=tuple(sorted({part.path for _, part in held if part.path})),
        digest=digest_of(messages),
    )


def _messages(parts: Sequence[Part], person: str) -> tuple[Message, ...]:
    best: dict[str, Message] = {}
    place: dict[str, int] = {}
    for part in parts:
        for position, message in enumerate(part.messages):
            held = best.get(message.id)
            if held is None or _weight(held) < _weight(message):
                best[message.id] = message
            place[message.id] = min(position, place.get(message.id, position))
    ordered = sorted(best.values(), key=lambda message: (message.at, place[message.id], message.id))
    return tuple(
        replace(message, author=person) if person and message.role is Role.PERSON and not message.author else message
        for message in ordered
    )


def _weight(message: Message) -> tuple[int, str, datetime, str]:
    """Which of two versions of a message counts: the one that tells more, and then any, but always the same."""
    return len(message.text), message.text, message.at, message.role.value


def _without_copies(sessions: Iterable[Session]) -> Iterable[Session]:
    seen: set[str] = set()
    for session in sorted(sessions, key=lambda session: (session.ended, session.id)):
        own = tuple(message for message in session.messages if message.id not in seen)
        seen |= {message.id for message in session.messages if _UUID.fullmatch(message.id)}
        yield session if len(own) == len(session.messages) else replace(session, messages=own)


def _first(values: Iterable[str]) -> str:
    return next((value for value in values if value), "")
