"""Which lines of an index can go elsewhere together: sections, paragraphs and lists without a link to a note."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dream.memory.frontmatter import frontmatter_end
from dream.memory.lines import DEFINITION
from dream.memory.scan import Block, Shape, scan
from dream.memory.titles import plain_text

_SHORTEST = 2
_LONG_LINE = 400
_OPENING = re.compile(r"<details\b", re.IGNORECASE)
_CLOSING = re.compile(r"</details\b", re.IGNORECASE)
_FOOTNOTE = re.compile(r" {0,3}\[(?P<label>\^[^\[\]\s]+)\]:")
_TOP = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Lines `start` up to but not `end`, neither the first nor the last blank, and what they are about."""

    start: int
    end: int
    title: str


def movable_stretches(lines: Sequence[str], links: Collection[int]) -> list[Stretch]:
    """Return what can be moved, in the order in which it goes: sections from the bottom up, then what is in none.

    `links` are the numbers of the lines that link to notes. A section with one of them stays, and what is in it is
    looked at in turn. The title of the page stays, and so does what is marked by a pair of tags that is not whole or
    names its links or its footnotes elsewhere.
    """
    outline = _Outline(lines, links)
    found = list(outline.stretches(frontmatter_end(lines), len(lines), above=_TOP))
    return [
        *(one for one in reversed(found) if outline.is_section(one)),
        *(one for one in reversed(found) if not outline.is_section(one)),
    ]


class _Outline:
    def __init__(self, lines: Sequence[str], links: Collection[int]) -> None:
        self.lines = lines
        self.links = sorted(links)
        self.blocks = scan(lines, frontmatter_end(lines)).blocks
        self.headings = [block for block in self.blocks if block.shape is Shape.HEADING]
        self.starts = {block.start for block in self.headings}
        self.labels = {
            match["label"].strip().lower()
            for block in self.blocks
            if block.shape is Shape.DEFINITION
            for line in lines[block.start : block.end]
            if (match := DEFINITION.match(line.rstrip(" \r")))
        } | {match["label"].lower() for line in lines if (match := _FOOTNOTE.match(line))}
        first = next(iter(self.headings), None)
        is_title = first is not None and all(one.level > first.level for one in self.headings[1:])
        self.title = first if is_title else None

    def is_section(self, stretch: Stretch) -> bool:
        """Whether a stretch begins with a heading."""
        return stretch.start in self.starts

    def stretches(self, start: int, end: int, *, above: int) -> Iterator[Stretch]:
        """Yield what can be moved of lines `start` to `end`, in order; `above` is the level of their heading."""
        inside = [block for block in _between(self.headings, start, end) if block is not self.title]
        levels = [block.level for block in inside if block.level > above]
        top = min(levels, default=_TOP)
        sections = [block for block in inside if block.level == top] if levels else []
        first = sections[0].start if sections else end
        yield from self._prose(start, first)
        for number, block in enumerate(sections):
            stop = sections[number + 1].start if number + 1 < len(sections) else end
            yield from self._section(block, stop)

    def _section(self, heading: Block, end: int) -> Iterator[Stretch]:
        last = _between(self.blocks, heading.start, end)[-1].end
        if self._is_movable(heading.start, last):
            yield Stretch(start=heading.start, end=last, title=plain_text(self.lines[heading.start]))
        else:
            yield from self.stretches(heading.end, end, above=heading.level)

    def _prose(self, start: int, end: int) -> Iterator[Stretch]:
        """Yield the runs of blocks that can be moved, from one heading on."""
        run: list[Block] = []
        inside = [block for block in _between(self.blocks, start, end) if block.shape is not Shape.HEADING]
        for block in inside:
            if block.shape is Shape.RULE and not run:
                continue  # at the top of a note it would begin frontmatter
            if self._is_movable(block.start, block.end, least=1):
                run.append(block)
            else:
                yield from self._of(run)
                run = []
        yield from self._of(run)

    def _of(self, run: Sequence[Block]) -> Iterator[Stretch]:
        if run and self._is_movable(run[0].start, run[-1].end):
            above = bisect_left(self.headings, run[0].start, key=_start)
            heading = self.headings[above - 1] if above else None
            title = plain_text(self.lines[heading.start]) if heading and heading is not self.title else ""
            yield Stretch(start=run[0].start, end=run[-1].end, title=title)

    def _is_movable(self, start: int, end: int, *, least: int = _SHORTEST) -> bool:
        lines = self.lines[start:end]
        if bisect_left(self.links, start) < bisect_left(self.links, end):
            return False
        if len(lines) < least and len("".join(lines)) < _LONG_LINE:
            return False
        text = "\n".join(lines)
        if len(_OPENING.findall(text)) != len(_CLOSING.findall(text)):
            return False
        return not any(f"[{label}]" in text.lower() for label in self.labels)


def _between(blocks: Sequence[Block], start: int, end: int) -> Sequence[Block]:
    """Return those of `blocks`, which stand in order, that begin at line `start` or later and before line `end`."""
    return blocks[bisect_left(blocks, start, key=_start) : bisect_left(blocks, end, key=_start)]


def _start(block: Block) -> int:
    return block.start
