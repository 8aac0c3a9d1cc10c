"""The headers of SpecStory's Markdown: who speaks from here on, since when, and which keep the order of time."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dream.sources.instants import instant

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_STAMP = rf"{_DAY}[T _][0-9]{{2}}[:-][0-9]{{2}}[:-][0-9]{{2}}(?:\.[0-9]{{1,9}})?(?: ?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}}))?"
_STAMPED = re.compile(
    rf"({_DAY})[T _]([0-9]{{2}})[:-]([0-9]{{2}})[:-]([0-9]{{2}})(\.[0-9]{{1,9}})? ?(Z|[+-][0-9]{{2}}:?[0-9]{{2}})?"
)
_HEADER = re.compile(rf"_\*\*(User|Agent)( - sidechain)?(?: \(([^()\n]{{0,200}}?) ?({_STAMP})?\))?\*\*_\r?")
_SESSION = re.compile(rf"<!-- ([A-Za-z][^<>\n]{{0,60}}?) Session ([A-Za-z0-9_.:-]{{1,128}}) \(({_STAMP})\) -->\r?")
HEAD_LINES = 40
"""Of how many lines at the beginning of a document one names its session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHeader:
    """What a document says of its session: the agent's tool, the tool's own id, and when it began."""

    tool: str
    id: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A line that reads like the beginning of a turn; `at` is None where it names no instant."""

    user: bool
    sidechain: bool
    at: datetime | None


def stamp(text: str) -> datetime | None:
    """Return the instant of a stamp in any of SpecStory's forms; one without a zone is taken as UTC."""
    found = _STAMPED.fullmatch(text.strip())
    if found is None:
        return None
    day, hour, minute, second, fraction, zone = found.groups()
    return instant(f"{day}T{hour}:{minute}:{second}{(fraction or '')[:7]}{zone or 'Z'}")


def session_header(lines: Sequence[str]) -> SessionHeader | None:
    """Return the session that a document's first lines name, None if they name none."""
    for line in lines[:HEAD_LINES]:
        found = _SESSION.fullmatch(line)
        if found is not None:
            return SessionHeader(tool=found[1], id=found[2], at=stamp(found[3]))
    return None


def turn_headers(lines: Sequence[str]) -> dict[int, Header]:
    """Return every line that reads like a turn's header, whoever wrote it, by its number."""
    headers: dict[int, Header] = {}
    marked = [number for number, line in enumerate(lines) if line[:3] == "_**"]
    for number in marked:
        found = _HEADER.fullmatch(lines[number])
        if found is not None:
            at = stamp(found[4]) if found[4] else None
            headers[number] = Header(user=found[1] == "User", sidechain=bool(found[2]), at=at)
    return headers


def in_order(headers: Mapping[int, Header]) -> set[int]:
    """Return the numbers of a longest sequence of headers whose instants never go back."""
    latest: list[datetime] = []
    ends: list[int] = []
    before: dict[int, int | None] = {}
    for number, header in headers.items():
        if header.at is None:
            continue
        place = bisect_right(latest, header.at)
        before[number] = ends[place - 1] if place else None
        latest[place : place + 1] = [header.at]
        ends[place : place + 1] = [number]
    kept: set[int] = set()
    last = ends[-1] if ends else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return kept
