"""Tasks that are done, in a list of tasks: `- [x]` with all that stands under them, and what is listed as done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from dream.memory.frontmatter import frontmatter_end
from dream.memory.links.slugs import heading_text
from dream.memory.scan import Shape, scan

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dream.memory.scan import Block, Scan

_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-+*]|[0-9]{1,9}[.)])[ \t]+(?:\[(?P<box>.)\](?=\s|\Z))?")
_WORD = re.compile(r"[^\W\d_]+")
_DONE = frozenset({("done",), ("completed",), ("done", "tasks"), ("completed", "tasks"), ("recently", "completed")})
_TICKED = frozenset("xX")


class _Listed(NamedTuple):
    """An item of a list: its lines, those of what is nested in it included, and what is in its box, if it has one."""

    start: int
    end: int
    box: str | None


def completed_tasks(text: str) -> tuple[tuple[int, int], ...]:
    """Return the lines (from, up to) of each task of `text` that is done, in order.

    A task is an item with a box, at any depth; it is done where its box is ticked and no box under it is open, and goes
    with everything that stands under it. Under a heading that says `Done` or `Completed` an item without a box is done,
    too, unless something in that section is open. A box with anything but `x` in it is open.
    """
    if "[" not in text and "one" not in text and "ompleted" not in text.lower():
        return ()
    lines = text.removeprefix("\ufeff").split("\n")
    found = scan(lines, frontmatter_end(lines))
    spans: list[tuple[int, int]] = []
    for section in _sections(found.blocks):
        items = [one for block in section for one in _items(lines, block, found)]
        is_done = _is_done_section(lines, section) and not any(_is_open(one) for one in items)
        at = -1
        for item in items:
            if item.start < at:
                continue
            is_named_done = is_done and item.box is None
            if is_named_done or (item.box in _TICKED and not any(map(_is_open, _under(item, items)))):
                spans.append((item.start, item.end))
                at = item.end
    return tuple(spans)


def without_completed(text: str) -> str:
    """Return `text` without the lines of the tasks in it that are done."""
    spans = completed_tasks(text)
    gone = {line for start, end in spans for line in range(start, end)}
    return "\n".join(line for number, line in enumerate(text.split("\n")) if number not in gone) if spans else text


def _sections(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """Yield the blocks from one heading up to the next; its heading, if any, is the first of them."""
    section: list[Block] = []
    for block in blocks:
        if block.shape is Shape.HEADING and section:
            yield section
            section = []
        section.append(block)
    yield section


def _is_done_section(lines: Sequence[str], section: Sequence[Block]) -> bool:
    if not section or section[0].shape is not Shape.HEADING:
        return False
    shown = heading_text(lines[section[0].start].strip().strip("#"))
    return tuple(_WORD.findall(shown.casefold())) in _DONE


def _items(lines: Sequence[str], block: Block, found: Scan) -> Iterator[_Listed]:
    if block.shape is not Shape.ITEM:
        return
    begun: list[tuple[int, int, str | None]] = []
    for number in range(block.start, block.end):
        match = _ITEM.match(lines[number]) if number == block.start or number not in found.verbatim else None
        if match:
            begun.append((number, len(match["indent"].expandtabs(4)), match["box"]))
    for place, (start, indent, box) in enumerate(begun):
        after = (line for line, depth, _ in begun[place + 1 :] if depth <= indent)
        yield _Listed(start, _trimmed(lines, start, next(after, block.end)), box)


def _trimmed(lines: Sequence[str], start: int, end: int) -> int:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def _under(item: _Listed, items: Sequence[_Listed]) -> Iterator[_Listed]:
    return (one for one in items if item.start < one.start < item.end)


def _is_open(item: _Listed) -> bool:
    return item.box is not None and item.box not in _TICKED
