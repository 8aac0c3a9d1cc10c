"""Where an entry says that it comes from, and what class of origin that is."""

from __future__ import annotations

import re
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Origin(StrEnum):
    """The class of a source, strongest first."""

    PERSON = "person"
    PRODUCTION = "production"
    AGENT = "agent"
    EXTERNAL = "external"


class Citation(NamedTuple):
    """What the brackets at the ends of an entry's lines say: sources in order, each once, and the dates beside them."""

    sources: tuple[str, ...]
    dates: tuple[date, ...]


_ORDER = tuple(Origin)
_PULL_REQUEST = r"[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){1,4}[#!][0-9]{1,9}"
_SOURCE = re.compile(
    rf"thread_[A-Za-z0-9][A-Za-z0-9_.-]{{0,199}}|person:[^\s\[\],;][^\[\],;\n]{{0,199}}|{_PULL_REQUEST}"
    r"|(?:probe|web):[^\s\[\],;]{1,300}"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LONGEST_BRACKET = 2_000


def origin(source: str) -> Origin:
    """Return the class of one source, as it is written in a note.

    A `person:` is that person's own words, a `probe:` a real system's answer. A bare thread is what its agent said. A
    bare pull request (`acme/web#41`) holds an agent's work and people's, nobody can tell which is cited, and the weaker
    wins: AGENT; a person's part of it is cited as `person:<name>@acme/web#41`. The web and the unknown are EXTERNAL.
    """
    if source.startswith("person:"):
        return Origin.PERSON
    if source.startswith("probe:"):
        return Origin.PRODUCTION
    if source.startswith("thread_") or re.fullmatch(_PULL_REQUEST, source):
        return Origin.AGENT
    return Origin.EXTERNAL


def weakest(sources: Iterable[str]) -> Origin | None:
    """Return the weakest origin among `sources`, or None where there are none and so nothing is known."""
    ranks = [_ORDER.index(origin(source)) for source in sources]
    return _ORDER[max(ranks)] if ranks else None


def parse_date(text: str) -> date | None:
    """Return the day that exactly `text` names as `YYYY-MM-DD`, or None."""
    if not _DATE.fullmatch(text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def split_citation(line: str) -> tuple[str, Citation | None]:
    """Return `line` (no blanks at its end) without the bracket of sources that ends it, and that bracket.

    A bracket counts only if it holds at least one source and nothing but sources and dates, between `,` or `;`.
    """
    opening = line.rfind("[") if line.endswith("]") else -1
    if opening < 0 or len(line) - opening > _LONGEST_BRACKET:
        return line, None
    parts = [part.strip() for part in line[opening + 1 : -1].replace(";", ",").split(",")]
    sources: list[str] = []
    dates: list[date] = []
    for part in parts:
        day = parse_date(part)
        if day is not None:
            dates.append(day)
        elif _SOURCE.fullmatch(part):
            sources.append(part)
        else:
            return line, None
    if not sources:
        return line, None
    return line[:opening].rstrip(), Citation(tuple(sources), tuple(dates))


def render_citation(sources: Sequence[str], dated: date) -> str:
    """Return the bracket that ends an entry: `[thread_7c2e, 2026-10-14]`."""
    return f"[{', '.join([*dict.fromkeys(sources), dated.isoformat()])}]"
