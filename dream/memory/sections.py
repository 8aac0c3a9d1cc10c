"""Sections of a note that carry the day of their last update: `**Updated:** 2026-10-14` under a heading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dream.memory.entries import UPDATED
from dream.memory.scan import Block, Shape
from dream.memory.sources import parse_date

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

_NO_HEADING = -1


def updated_on(lines: Sequence[str], block: Block) -> date | None:
    """Return the day that a paragraph says something was updated, or None."""
    if block.shape is not Shape.PARAGRAPH:
        return None
    matches = (UPDATED.match(line.lstrip("\ufeff ")) for line in lines[block.start : block.end])
    return next((day for match in matches if match and (day := parse_date(match[1]))), None)


def find_sections(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield the lines of each section that says when it was updated: from its heading to the next of its level.

    A section in a section ends the outer one. Under the title of a note (the first heading, where all others are
    deeper) the day is that of the whole note, and what stands below are its items and paragraphs; only where all of
    that is prose, it is one section, and the title no part of it.
    """
    dated = {_heading_above(blocks, n) for n, block in enumerate(blocks) if updated_on(lines, block)}
    title = _title(blocks)
    if dated and dated <= {title, _NO_HEADING}:
        below = blocks[title + 1 :]
        if len(below) > 1 and not any(block.shape in {Shape.HEADING, Shape.ITEM} for block in below):
            yield below[0].start, below[-1].end
        return
    for heading in sorted(dated - {title, _NO_HEADING}):
        end = heading + 1
        while end < len(blocks) and end not in dated and not _ends(blocks[end], blocks[heading].level):
            end += 1
        yield blocks[heading].start, blocks[end - 1].end


def _ends(block: Block, level: int) -> bool:
    return block.shape is Shape.HEADING and block.level <= level


def _heading_above(blocks: Sequence[Block], at: int) -> int:
    return next((n for n in range(at, -1, -1) if blocks[n].shape is Shape.HEADING), _NO_HEADING)


def _title(blocks: Sequence[Block]) -> int:
    headings = [n for n, block in enumerate(blocks) if block.shape is Shape.HEADING]
    if not headings:
        return _NO_HEADING
    first, *others = headings
    return first if all(blocks[n].level > blocks[first].level for n in others) else _NO_HEADING
