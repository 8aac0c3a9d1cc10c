"""The entries of a note: the units that are checked, revised, merged and removed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING

from dream.memory.pinned import without_checks
from dream.memory.sources import Citation, parse_date, render_citation, split_citation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date


class EntryStyle(StrEnum):
    """How an entry is written; PARAGRAPH also stands for a table, a quotation or a block of code, each one unit."""

    DATED = auto()
    BODY = auto()
    SECTION = auto()
    ITEM = auto()
    PARAGRAPH = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Lines `start` up to but not `end` of a note, as they stand in `raw` (no final newline), and what they say.

    `key` is the text that entries are compared by: without marker, date, sources, `(tentative)` and the checks that
    people pinned to it, blanks collapsed, NFC. `date` and `sources` are what the entry itself states; most real
    entries state neither.
    """

    start: int
    end: int
    style: EntryStyle
    raw: str
    key: str
    date: date | None = None
    sources: tuple[str, ...] = ()
    tentative: bool = False


TENTATIVE = "(tentative)"
UPDATED = re.compile(r"\*\*Updated(?::\*\*|\*\*:)[ \t]*([0-9]{4}-[0-9]{2}-[0-9]{2})(?![0-9])", re.IGNORECASE)
_LEAD = re.compile(r"\ufeff?[ \t]{0,3}(?:[-+*]|[0-9]{1,9}[.)])(?:[ \t]+|\r?\Z)")
_DATED = re.compile(
    r"\ufeff?[ \t]{0,3}[-+*][ \t]+(?:(?P<plain>[0-9]{4}-[0-9]{2}-[0-9]{2}):"
    r"|\*\*(?P<bold>[0-9]{4}-[0-9]{2}-[0-9]{2})(?::\*\*|\*\*:))(?=\s|\Z)"
)
_MAY_END = ("]", TENTATIVE)
_LINE_ENDS = re.compile(r"\][ \t\r]*(?:\n|\Z)")
_BLOCK_ENDS = ("```", "~~~", "|", ">")


def leading_date(line: str) -> date | None:
    """Return the day that a dated bullet begins with (`- 2026-10-14: …`), or None where the line is none."""
    match = _DATED.match(line)
    return parse_date(match["plain"] or match["bold"]) if match else None


def collapse(text: str) -> str:
    """Return `text` in the form that statements are compared in: blanks collapsed, NFC."""
    if text.isascii():
        return text.strip() if text.isprintable() and "  " not in text else " ".join(text.split())
    return unicodedata.normalize("NFC", " ".join(text.split()))


def read_entry(lines: Sequence[str], start: int, end: int, style: EntryStyle, *, cites: bool = True) -> Entry:
    """Return the entry on lines `start` up to `end`; code does not cite, so its brackets are its text."""
    raw = "\n".join(lines[start:end]) if end > start + 1 else lines[start]
    text = raw
    day = None
    if style is EntryStyle.DATED or style is EntryStyle.ITEM:
        match = (_DATED if style is EntryStyle.DATED else _LEAD).match(raw)
        if match:
            text = raw[match.end() :]
            day = leading_date(lines[start]) if style is EntryStyle.DATED else None
    elif style is EntryStyle.SECTION:
        text, day = _without_updated(lines, start, end)
    if start == 0:
        text = text.removeprefix("\ufeff")
    if cites:
        text = without_checks(text)
    if not (cites and (("]" in text and _LINE_ENDS.search(text)) or TENTATIVE in text)):
        return Entry(start=start, end=end, style=style, raw=raw, key=collapse(text), date=day)
    text, citation, tentative = _without_citations(text)
    return Entry(
        start=start,
        end=end,
        style=style,
        raw=raw,
        key=collapse(text),
        date=day or (min(citation.dates) if citation.dates else None),
        sources=citation.sources,
        tentative=tentative,
    )


def _without_updated(lines: Sequence[str], start: int, end: int) -> tuple[str, date | None]:
    kept: list[str] = []
    day = None
    for line in lines[start:end]:
        match = UPDATED.match(line) if day is None else None
        if match and parse_date(match[1]):
            day = parse_date(match[1])
        else:
            kept.append(line.lstrip("# ") if line.startswith("#") else line)
    return "\n".join(kept), day


def _without_citations(text: str) -> tuple[str, Citation, bool]:
    """Return `text` without the brackets and marks at the ends of its lines (and a mark at its start)."""
    sources: dict[str, None] = {}
    dates: list[date] = []
    tentative = text.lstrip().startswith(TENTATIVE)
    kept: list[str] = []
    for line in (text.lstrip().removeprefix(TENTATIVE) if tentative else text).split("\n"):
        rest = line.rstrip()
        while rest.endswith(_MAY_END):
            if rest.endswith(TENTATIVE):
                tentative = True
                rest = rest.removesuffix(TENTATIVE).rstrip()
                continue
            rest, citation = split_citation(rest)
            if citation is None:
                break
            sources |= dict.fromkeys(citation.sources)
            dates += citation.dates
        kept.append(rest)
    return "\n".join(kept), Citation(tuple(sources), tuple(dates)), tentative


def write_entry(
    statement: str, *, style: EntryStyle, dated: date, sources: Sequence[str], tentative: bool, marker: str
) -> str:
    """Return the lines of a new entry with line feeds between them and none at the end.

    `statement` may have several lines; those of a bullet are indented under it, and the heading of a section is first.
    """
    marks = [TENTATIVE] if tentative else []
    if sources:
        marks.append(render_citation(sources, dated))
    lines = [line.rstrip() for line in statement.strip().split("\n")]
    if lines[-1].lstrip().startswith(_BLOCK_ENDS):
        lines.append("")
    lines[-1] = " ".join(filter(None, [lines[-1], *marks]))
    match style:
        case EntryStyle.BODY | EntryStyle.PARAGRAPH:
            return "\n".join(lines)
        case EntryStyle.SECTION:
            heading = lines[:1] if lines[0].startswith("#") else []
            return "\n".join([*heading, f"**Updated:** {dated.isoformat()}", "", *lines[len(heading) :]])
        case EntryStyle.DATED:
            lines[0] = f"{dated.isoformat()}: {lines[0]}"
        case EntryStyle.ITEM:
            pass
    return "\n".join([f"{marker} {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])])
