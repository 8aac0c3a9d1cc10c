"""Where on a page the night's lines stand: people's lines stay, the night's are sorted among them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from dream.memory.listing.page import Page, PageLine, Surroundings, places_for_a_list, read_page

_DEFAULT_PREFIX = "- "
_ONLY_A_LINK = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]\([^()\s]*\)")

Key = tuple[str, int, str]
Order = Callable[[str], Key]

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Wording:
    """What the night writes about a note, and what it wrote before where that differs; other wording is a person's.

    With `is_any_link` every item that is a link and nothing else is the night's.
    """

    now: str
    before: tuple[str, ...] = ()
    is_any_link: bool = False

    def is_nights(self, content: str) -> bool:
        """Whether an item reads as the night has written it."""
        if content in (self.now, *self.before):
            return True
        return self.is_any_link and _ONLY_A_LINK.fullmatch(content) is not None


def arrange(page: Page, wanted: Mapping[str, Wording], *, order: Order, around: Surroundings) -> Page:
    """Return `page` with an item for each of the `wanted` notes and no loose item for any other.

    Nobody's wording changes but the night's. What stands outside the first run of items stays where it stands; in the
    first run the night's items are sorted by `order` around the others. Where there is no run, one is begun under the
    first heading, else at the end, else at the top; in a page where nothing can stand, none is.
    """
    run = page.run
    before, within, after = _split(page.lines, run)
    prefix = prefix_of(page)
    indent = PageLine(text="", prefix=prefix).indent
    kept = [
        [settled for line in lines if (settled := _settled(page, line, wanted, floats=floats, indent=indent))]
        for lines, floats in ((before, False), (within, True), (after, False))
    ]
    listed = {link for lines in kept for line in lines for link in line.links}
    new = sorted((path for path in wanted if path not in listed), key=order)
    floating = [page.line(prefix, wanted[path].now) for path in new]
    if run is None:
        return _begin_run(page.with_lines(kept[0]), floating, around)
    merged = _merge(kept[1], list(zip(new, floating, strict=True)), order, indent)
    arranged = page.with_lines([*kept[0], *merged, *kept[2]])
    return page if arranged.data == page.data else read_page(page.path, arranged.data.decode(), around)


def _split(lines: Sequence[Item], run: tuple[int, int] | None) -> tuple[Sequence[Item], Sequence[Item], Sequence[Item]]:
    start, end = run or (len(lines), len(lines))
    return lines[:start], lines[start:end], lines[end:]


def prefix_of(page: Page) -> str:
    """Return what the night's items on a page begin with: indent and marker of its first run, or `- `."""
    _, run, _ = _split(page.lines, page.run)
    return next((line.prefix for line in run if not line.is_numbered), _DEFAULT_PREFIX)


def _settled(
    page: Page, line: PageLine, wanted: Mapping[str, Wording], *, floats: bool, indent: int
) -> PageLine | None:
    """Return a line as it stays, or None where it goes: it is not wanted, or it is put back in its order."""
    if not line.is_loose:
        return line
    wording = wanted.get(line.links[0]) if line.links else None
    if wording is None:
        return None
    if not wording.is_nights(line.content):
        return line
    if floats and line.indent == indent:
        return None
    return line if line.content == wording.now else replace(page.line(line.prefix, wording.now), links=line.links)


def _merge(
    anchors: Sequence[PageLine], floating: Sequence[tuple[str, PageLine]], order: Order, indent: int
) -> list[PageLine]:
    """Return `anchors` as they stand, each floating line (in order) before the first anchor that sorts behind it."""
    free = [slot for slot in range(len(anchors) + 1) if _is_free(anchors, slot, indent)] or [0]
    keys = [min((order(link) for link in anchor.links), default=None) for anchor in anchors]
    slots: dict[int, list[PageLine]] = {}
    aimed = 0
    for path, line in floating:
        key = order(path)
        while aimed < len(anchors) and not ((other := keys[aimed]) is not None and other > key):
            aimed += 1
        slot = free[min(bisect_left(free, aimed), len(free) - 1)]
        slots.setdefault(slot, []).append(line)
    merged = []
    for number in range(len(anchors) + 1):
        merged += slots.get(number, [])
        merged += anchors[number : number + 1]
    return merged


def _is_free(anchors: Sequence[PageLine], slot: int, indent: int) -> bool:
    """Whether a line may be put before anchor number `slot` without taking what belongs to another item."""
    if slot < len(anchors) and anchors[slot].indent > indent:
        return False
    if slot == 0:
        return True
    if anchors[slot - 1].indent < indent:
        return False
    if slot == len(anchors):
        return not anchors[-1].is_continued
    return not (anchors[slot - 1].is_numbered and anchors[slot].is_numbered)


def _begin_run(page: Page, floating: Sequence[PageLine], around: Surroundings) -> Page:
    begun = (begin_list(page, place, floating, around) for place in places_for_a_list(page)) if floating else ()
    return next((found for found in begun if found is not None), page)


def begin_list(page: Page, place: int, items: Sequence[PageLine], around: Surroundings) -> Page | None:
    """Return `page` with a list of `items` before line `place`, set off by blank lines.

    None where it would be no list there (in a fence that nobody closed), or where what follows would become part of it.
    """
    before, after = page.lines[:place], page.lines[place:]
    above = [page.blank()] if before and before[-1].text.strip() else []
    below = [page.blank()] if after and after[0].text.strip() else []
    begun = page.with_lines([*before, *above, *items, *below, *after])
    found = read_page(page.path, begun.data.decode(), around)
    expected = [(line.text, line.is_item) for line in begun.lines]
    return found if [(line.text, line.is_item) for line in found.lines] == expected else None
