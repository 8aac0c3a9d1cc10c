"""What the history tells of a session, and where one is cited."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Kept(StrEnum):
    """What became of a session that was given to the history."""

    NEW = "new"
    GROWN = "grown"
    DESCRIBED = "described"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPullRequest:
    """A pull request of a session, `acme/web#41`, and its state where that is known: open, merged or closed."""

    name: str
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One past session; every text in it is one line, bounded, without credentials.

    `name` is its own alone; `source` is how entries cite it, of which `sources` are all that it ever had. `path` leads
    to it within the store, without the suffixes of its three objects; `condensed` is the digest of the second one.
    """

    name: str
    source: str
    id: str
    tool: str
    started: datetime
    ended: datetime
    path: str
    condensed: str = ""
    messages: int = 0
    sources: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    repository: str = ""
    branch: str = ""
    description: str = ""
    pull_requests: tuple[NamedPullRequest, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where a quote stands: the thread, the message (empty: no one of them), characters, and the digest of its words.

    `end` is None where the whole message is meant, `digest` is empty where nobody has said what the words are.
    """

    source: str
    message: str = ""
    start: int = 0
    end: int | None = None
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A quote that was found again: its words, and the message of which session they are in."""

    line: HistoryLine
    message: str
    start: int
    end: int
    text: str


_BY_PERSON = re.compile(r"person:[^\n]{1,200}@(?=[A-Za-z0-9])")
_MARK = re.compile(
    rf"(?:{_BY_PERSON.pattern})?"
    r"(?P<source>[A-Za-z0-9][A-Za-z0-9_.-]{0,299})"
    r"(?:/(?P<message>m[0-9]{1,9})(?::(?P<start>[0-9]{1,12})-(?P<end>[0-9]{1,12}))?)?(?:\s{1,4}(?P<digest>[0-9a-f]{64}))?"
)


def parse_mark(text: str) -> Mark | None:
    """Return what `text` points at, None if it is no mark.

    It is a mark as night records hold it (`thread_x/m12:140-203 <digest>`), or its beginning: a thread, a message, or
    characters of one. `person:ana@thread_x` is the thread.
    """
    found = _MARK.fullmatch(text.strip())
    if found is None:
        return None
    return Mark(
        source=found["source"],
        message=found["message"] or "",
        start=int(found["start"] or 0),
        end=int(found["end"]) if found["end"] else None,
        digest=found["digest"] or "",
    )


def without_person(source: str) -> str:
    """Return where `person:ana@thread_x` was said, `thread_x`; any other source as it is."""
    return _BY_PERSON.sub("", source, count=1)
