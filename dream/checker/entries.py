"""Entries without a date or a source where a note keeps them, and days that cannot be or are long past."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta

from dream.checker.finding import Finding, at_most, find, shown
from dream.checker.subject import Subject
from dream.memory.entries import UPDATED
from dream.memory.logbooks import is_logbook
from dream.memory.notes import EntryStyle, Note, NoteStyle
from dream.memory.scan import Block, Shape, scan
from dream.memory.sources import parse_date

_BULLET = re.compile(r"\ufeff?[ \t]{0,3}[-+*][ \t]+(?!\[[ xX]\][ \t])(?P<text>.*)", re.DOTALL)
_ONLY_A_LINK = re.compile(r"[^\[\w]{0,4}(?:\w+:\s*)?!?\[[^\n]*\](?:\([^()\n]*\))?[.\s]*")
_LIKE_A_DATE = re.compile(r"\**(?P<date>[0-9]{1,4}[-./][0-9]{1,2}[-./][0-9]{1,4})\b")
_LIKE_UPDATED = re.compile(
    r"[ \t]*(?:[-+*][ \t]+)?\*\*Updated(?::\*\*|\*\*:)[ \t]*(?P<rest>.*)", re.IGNORECASE | re.DOTALL
)
_ZONES = timedelta(days=1)


def check_entries(path: str, note: Note, subject: Subject, *, cites: bool) -> Iterator[Finding]:
    """Yield what the dates and sources of the topic note at `path` lack; `cites` whether its memory has sources."""
    most = subject.limits.per_note
    dated = "**updated" in note.text.lower()
    if note.style in {NoteStyle.DATED, NoteStyle.SECTIONS} or dated:
        blocks = scan([note.lines[0].removeprefix("\ufeff"), *note.lines[1:]], _body(note)).blocks
        if note.style is NoteStyle.DATED:
            yield from _undated(path, note, blocks, most)
            yield from at_most(_ahead(path, note, subject), most)
        if note.style is NoteStyle.SECTIONS:
            yield from at_most(_undated_sections(path, note, blocks), most)
        if dated:
            yield from at_most(_updated(path, note, blocks, subject), most)
    if cites and note.style is NoteStyle.DATED:
        yield from at_most(_unsourced(path, note), most)


def _body(note: Note) -> int:
    return note.frontmatter.end if note.frontmatter else 0


def _undated(path: str, note: Note, blocks: Sequence[Block], most: int) -> Iterator[Finding]:
    """Yield the items without a date that stand among dated ones, below the same heading.

    Where most have none, the note is no list of dated entries, and one finding says it.
    """
    starts = {entry.start for entry in note.entries}
    found: list[Finding] = []
    below: list[Finding] = []
    keeps_dates = False
    for block in (*blocks, Block(Shape.HEADING, len(note.lines), len(note.lines))):
        if block.shape is Shape.HEADING:
            found += below if keeps_dates else []
            below, keeps_dates = [], False
        elif block.start in starts:
            keeps_dates = True
        elif block.shape is Shape.ITEM and (text := _statement(note.lines[block.start : block.end])):
            below.append(find("entry-undated", path, _why_undated(text), line=block.start + 1))
    if len(found) > len(note.entries):
        message = f"{len(found)} items have no date, {len(note.entries)} have one, and only these are verified"
        yield find("entry-undated", path, message, line=found[0].line)
    else:
        yield from at_most(found, most)


def _statement(lines: Sequence[str]) -> str:
    """Return what a bullet says; nothing where it is a task, only a link, or no bullet."""
    match = _BULLET.match(lines[0])
    text = match["text"].rstrip() if match else ""
    return "" if len(lines) == 1 and _ONLY_A_LINK.fullmatch(text) else text


def _why_undated(text: str) -> str:
    like = _LIKE_A_DATE.match(text)
    if like is None:
        return "no date"
    day = shown(like["date"])
    return f"no colon after {day}" if parse_date(like["date"]) else f"{day} is no day written as YYYY-MM-DD"


def _undated_sections(path: str, note: Note, blocks: Sequence[Block]) -> Iterator[Finding]:
    starts = {entry.start for entry in note.entries if entry.style is EntryStyle.SECTION}
    levels = {block.level for block in blocks if block.shape is Shape.HEADING and block.start in starts}
    for number, block in enumerate(blocks):
        if block.shape is not Shape.HEADING or block.level not in levels or block.start in starts:
            continue
        says_more = number + 1 < len(blocks) and blocks[number + 1].shape is not Shape.HEADING
        is_inside = any(entry.start < block.start < entry.end for entry in note.entries)
        if says_more and not is_inside:
            way_out = "write `**Updated:** YYYY-MM-DD` below its heading: as it stands no night verifies it"
            yield find("entry-undated", path, "no `**Updated:**`", line=block.start + 1, way_out=way_out)


def _ahead(path: str, note: Note, subject: Subject) -> Iterator[Finding]:
    for entry in note.entries:
        if subject.today and entry.date and entry.date > subject.today + _ZONES:
            yield find("date-ahead", path, entry.date.isoformat(), line=entry.start + 1)


def _updated(path: str, note: Note, blocks: Sequence[Block], subject: Subject) -> Iterator[Finding]:
    for block in blocks:
        if block.shape not in {Shape.PARAGRAPH, Shape.ITEM}:
            continue
        for number in range(block.start, block.end):
            like = _LIKE_UPDATED.match(note.lines[number])
            if like:
                match = UPDATED.search(like[0])
                yield from _of_day(path, number + 1, match[1] if match else like["rest"], subject)


def _of_day(path: str, line: int, written: str, subject: Subject) -> Iterator[Finding]:
    day = parse_date(written)
    if day is None:
        yield find("updated-malformed", path, f"`{shown(written.strip())[:40]}` is no day", line=line)
    elif subject.today and day > subject.today + _ZONES:
        yield find("date-ahead", path, day.isoformat(), line=line)
    elif subject.today and not is_logbook(path) and (subject.today - day).days > subject.limits.stale_days:
        yield find("updated-stale", path, f"{(subject.today - day).days} days ago", line=line)


def _unsourced(path: str, note: Note) -> Iterator[Finding]:
    for entry in note.entries:
        if not entry.sources:
            yield find("entry-unsourced", path, "no source", line=entry.start + 1)
