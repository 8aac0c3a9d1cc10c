"""What `index.md` leads to, as far as it is loaded, and where it leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from dream.memory.five_files.page import FiveAround, FivePage
from dream.memory.limits import IndexLimits
from dream.memory.listing.selection import Size


def dead_places(page: FivePage, around: FiveAround) -> Iterator[tuple[str, str]]:
    """Yield what a page links to that is not there: `dead-link` or `dead-anchor`, and the place as it is written."""
    for line in page.lines:
        for pointer in line.pointers:
            if pointer.path and around.line_of(pointer.path, pointer.anchor) is None:
                yield "dead-anchor", f"{pointer.written}#{pointer.anchor}"
            elif not pointer.path and pointer.link is not None and not pointer.written.startswith(("..", "~")):
                yield "dead-link", pointer.written


def loaded_places(page: FivePage, limits: IndexLimits) -> frozenset[str]:
    """Return the notes and pages that the part of a page that agents load points at."""
    found: set[str] = set()
    size, limit = Size(0, len(page.mark.encode())), Size(limits.lines, limits.bytes)
    for line in page.lines:
        size += Size(1, len(line.text.encode()) + 1)
        if not limit.holds(size):
            break
        found.update(pointer.path for pointer in line.pointers)
    return frozenset(found - {""})
