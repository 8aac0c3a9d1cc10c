"""What code concludes from a verdict: that an entry was confirmed, may be corrected, or is about what has ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from dream.guards.verdicts.outputs import CitedLine
from dream.memory.notes import Entry, Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The entry that a verdict is about, in the note at `path`.

    `others` are the stems and titles of the memory's other notes: to name one is to speak of another thing.
    """

    path: str
    note: Note
    entry: Entry
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Every value that the entry states stands in the cited lines; `dated` is the day of the newest answer."""

    cited: tuple[CitedLine, ...]
    dated: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What stands in an entry, and what the cited line says instead for the same attribute (`key`)."""

    old: str
    new: str
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """What the entry may say instead.

    `new_statement` is the entry's `key` and `new_raw` its lines, both with nothing but the changed values replaced, by
    code; the citation at the end of the lines is still the old one.
    """

    new_statement: str
    new_raw: str
    changed: tuple[Change, ...]
    cited: tuple[CitedLine, ...]
    dated: date
    by_person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Falsehood:
    """The entry states how something is that has ended; `ended` is the field that says so."""

    ended: tuple[str, str]
    cited: tuple[CitedLine, ...]
    dated: date
    by_person: bool = False
