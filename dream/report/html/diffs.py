"""The diff of one commit, file by file, as rows that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dream.report.escaping import shortened
from dream.report.html.room import MARKUP, Room
from dream.report.html.words import Line, compared, whole

WIDTH = 2_000
"""Characters of one line that are shown."""

OPEN_ROWS = 40
"""A longer diff of one file is folded."""

Sort = Literal["added", "removed", "same", "place"]

_HUNK = re.compile(r"@@ -([0-9]{1,9})(?:,([0-9]{1,9}))? \+([0-9]{1,9})(?:,([0-9]{1,9}))? @@")
_NOTHING = "/dev/null"
_SORTS: dict[str, Sort] = {"+": "added", "-": "removed"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a diff; `place` says at which line of the file the next ones stand."""

    sort: Sort
    line: Line


@dataclass(slots=True, kw_only=True)
class FileDiff:
    """What changed in one file; `left` counts the rows that there was no room for."""

    path: str
    how: str = "changed"
    rows: list[Row] = field(default_factory=list)
    added: int = 0
    removed: int = 0
    left: int = 0

    @property
    def is_long(self) -> bool:
        """Whether it is folded."""
        return len(self.rows) > OPEN_ROWS or self.left > 0


def read_diff(lines: Sequence[str], room: Room) -> list[FileDiff]:
    """Return the files of a unified diff, with as many of their rows as there is room for."""
    files = list(_files(lines))
    for one in files:
        _fit(one, room)
    return files


def _files(lines: Sequence[str]) -> Iterator[FileDiff]:
    """Yield each file; within a hunk its own counts say what a line is, so no content can pose as a header."""
    current: FileDiff | None = None
    old = ""
    gone = come = 0
    for line in lines:
        if current is not None and (gone > 0 or come > 0) and line[:1] in ("+", "-", " "):
            gone -= line[0] != "+"
            come -= line[0] != "-"
            current.rows.append(Row(_SORTS.get(line[0], "same"), whole(shortened(line[1:], most=WIDTH))))
        elif match := _HUNK.match(line):
            gone, come = int(match[2] or 1), int(match[4] or 1)
            if current is not None and current.how == "changed":
                current.rows.append(Row("place", whole(f"line {match[3]}")))
        elif line.startswith("--- "):
            old = line[4:]
        elif line.startswith("+++ "):
            if current is not None:
                yield current
            current = _opened(old, line[4:])
    if current is not None:
        yield current


def _opened(old: str, new: str) -> FileDiff:
    if old == _NOTHING:
        return FileDiff(path=_path(new), how="new")
    if new == _NOTHING:
        return FileDiff(path=_path(old), how="taken away")
    return FileDiff(path=_path(new))


def _path(shown: str) -> str:
    """Return the path that git shows with a letter before it, and with a tab behind where it has blanks."""
    return shown.removesuffix("\t").removeprefix("a/").removeprefix("b/")


def _fit(one: FileDiff, room: Room) -> None:
    one.added = sum(row.sort == "added" for row in one.rows)
    one.removed = sum(row.sort == "removed" for row in one.rows)
    kept: list[Row] = []
    for row in _with_words(one.rows):
        texts = [segment.text for segment in row.line]
        if not room.takes(*texts, " " * MARKUP * (len(texts) - 1)):
            break
        kept.append(row)
    one.left = len(one.rows) - len(kept)
    one.rows = kept


def _with_words(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the rows, with their words compared where so many lines stand for as many others."""
    at = 0
    while at < len(rows):
        removed = _run(rows, at, "removed")
        added = _run(rows, at + len(removed), "added")
        if removed and len(removed) == len(added):
            pairs = [compared(_text(old), _text(new)) for old, new in zip(removed, added, strict=True)]
            yield from (Row("removed", old) for old, _ in pairs)
            yield from (Row("added", new) for _, new in pairs)
        elif removed or added:
            yield from (*removed, *added)
        else:
            yield rows[at]
            at += 1
        at += len(removed) + len(added)


def _run(rows: Sequence[Row], start: int, sort: Sort) -> list[Row]:
    run = []
    for row in rows[start:]:
        if row.sort != sort:
            break
        run.append(row)
    return run


def _text(row: Row) -> str:
    return "".join(segment.text for segment in row.line)
