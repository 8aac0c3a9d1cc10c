"""Where on `index.md` the night's lines come: under what is loaded when it is relevant, and among the topics."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dream.memory.five_files.page import FiveLine, FivePage
from dream.memory.five_files.wording import DEFAULT, Place, Style, style_of
from dream.memory.frontmatter import frontmatter_end
from dream.memory.scan import Shape

_ALWAYS = re.compile(r"\balways\b|\bevery (?:session|time)\b", re.IGNORECASE)
_RELEVANT = re.compile(r"\brelevant\b|\bon demand\b|\b(?:as|when|if) needed\b", re.IGNORECASE)
_TOPICS = re.compile(r"\btopics?\b|\bwhere\b|\blook\W?up\b", re.IGNORECASE)
_HEADING = {False: "Load when relevant", True: "Topics"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Where lines are put: before line `at`, in a style, under a new `heading` if there is one, or `is_apart`."""

    at: int
    style: Style = DEFAULT
    heading: str = ""
    is_apart: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int
    title: str
    lines: Sequence[FiveLine]

    def points(self, *, anchored: bool) -> int:
        """How many lines point at notes, or at places in notes."""
        return sum(any(bool(one.anchor) >= anchored and one.path for one in line.pointers) for line in self.lines)


def place_for(page: FivePage, *, topics: bool) -> Section:
    """Return where on `page` a new line comes, about a topic or about a note.

    A note under what is to be loaded when it is relevant, else under the first list of notes that is neither always
    loaded nor of topics; a topic where topics are, else where most places in notes are. Where there is no such
    section, one is begun: of notes before the topics, of topics at the end.
    """
    parts = _parts(page)
    chosen = _topics(parts) if topics else _relevant(parts)
    if chosen is not None:
        return _end_of(page, chosen)
    following = None if topics else _topics(parts)
    at = following.start if following else len(page.lines)
    return Section(at=at, heading=_HEADING[topics], is_apart=True)


def other_places(page: FivePage, *, topics: bool) -> Iterator[Section]:
    """Yield where else a section may begin, should what comes at the end of the page be in a fence, say: at its top."""
    body = frontmatter_end([line.text for line in page.lines])
    heading = next((number + 1 for number, line in enumerate(page.lines) if line.heading), body)
    for at in dict.fromkeys((heading, body)):
        yield Section(at=at, heading=_HEADING[topics], is_apart=True)


def _parts(page: FivePage) -> list[_Part]:
    starts = [-1, *(number for number, line in enumerate(page.lines) if line.heading)]
    ends = [*starts[1:], len(page.lines)]
    return [
        _Part(start, end, page.lines[start].heading if start >= 0 else "", page.lines[start + 1 : end])
        for start, end in zip(starts, ends, strict=True)
    ]


def _relevant(parts: Sequence[_Part]) -> _Part | None:
    named = (part for part in parts if _RELEVANT.search(part.title) and not _ALWAYS.search(part.title))
    taken = _topics(parts)
    listing = (
        part for part in parts if part is not taken and not _ALWAYS.search(part.title) and part.points(anchored=False)
    )
    return next(named, None) or next(listing, None)


def _topics(parts: Sequence[_Part]) -> _Part | None:
    named = next((part for part in parts if _TOPICS.search(part.title) and not _RELEVANT.search(part.title)), None)
    pointing = [part for part in parts if not _ALWAYS.search(part.title) and part.points(anchored=True) > 1]
    return named or max(pointing, key=lambda part: part.points(anchored=True), default=None)


def _end_of(page: FivePage, part: _Part) -> Section:
    """Return the place after the last list or table of a section that points at something."""
    inside = [block for block in page.blocks if part.start < block.start < part.end]
    lists = [block for block in inside if block.shape in {Shape.ITEM, Shape.TABLE}]
    pointing = [block for block in lists if any(line.pointers for line in page.lines[block.start : block.end])]
    last = next(reversed(pointing or lists), None)
    if last is None:
        end = max((block.end for block in inside), default=part.start + 1)
        return Section(at=end, is_apart=True)
    styles = (style_of(line) for line in reversed(page.lines[last.start : last.end]) if line.is_loose)
    style = next(filter(None, styles), None)
    if last.shape is Shape.TABLE:
        return Section(at=last.end, style=style or _row_of(page.lines[last.start].text))
    before = (page.lines[n] for block in reversed(lists) for n in reversed(range(block.start, block.end)))
    others = (style_of(line) for line in before if line.is_loose and line.marker)
    found = style or next(filter(None, others), None)
    marker = next((line.marker for line in page.lines[last.start : last.end] if line.marker), DEFAULT.parts[0])
    return Section(at=last.end, style=found.after() if found else Style(parts=(marker, *DEFAULT.parts[1:])).after())


def _row_of(header: str) -> Style:
    """Return the style of a row in a table that has none that shows it: the label, and a link in the second column."""
    columns = max(header.strip().strip("|").count("|") + 1, 1)
    if columns == 1:
        return Style(parts=("| ", *DEFAULT.parts[1:], " |"), is_row=True)
    return Style(
        parts=("| ", None, " | ", *DEFAULT.parts[1:], " |" + "  |" * (columns - 2)), shown="place", is_row=True
    )


def insert(page: FivePage, section: Section, items: Sequence[tuple[Place, str]]) -> FivePage:
    """Return `page` with a line in `section` for each place, by its label; nothing else on it changes."""
    style, new = section.style, []
    for place, label in items:
        new.append(FiveLine(text=style.text(place, label) + page.end))
        style = style.after()
    blank = FiveLine(text=page.end)
    before, after = page.lines[: section.at], page.lines[section.at :]
    if section.heading:
        new = [FiveLine(text=f"## {section.heading}{page.end}"), blank, *new]
    above = [blank] if section.is_apart and before and before[-1].text.strip() else []
    below = [blank] if section.is_apart and after and after[0].text.strip() else []
    return page.with_lines([*before, *above, *new, *below, *after])
