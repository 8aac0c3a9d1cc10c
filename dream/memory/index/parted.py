"""Links to places on the page that they stand on, followed where a part of that page becomes a note of its own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from dream.memory.links.anchors import find_anchors
from dream.memory.links.notation import retarget, scan_links, target_to

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def follow_parts(page: str, lines: Sequence[str], parts: Mapping[str, range]) -> list[str]:
    """Return the `lines` of `page` with every link to a place on it leading there when each of `parts` is a note.

    `parts` are the notes that lines become, by path; their folder is that of the page. Where the place is not to be
    named there, the link leads to the note that it is in.
    """
    owner = {number: path for path, part in parts.items() for number in part}
    left = "\n".join(line for number, line in enumerate(lines) if number not in owner)
    texts = {path: "\n".join(lines[part.start : part.stop]) for path, part in parts.items()} | {page: left}
    before, after = find_anchors("\n".join(lines)), cache(lambda path: find_anchors(texts[path]))
    followed = list(lines)
    for link in sorted(scan_links("\n".join(lines)), key=lambda one: -one.target_start):
        at = before.find(link.anchor, is_wiki=link.kind == "wiki") if link.anchor and not link.target else None
        here, there = owner.get(link.line, page), page if at is None else owner.get(at, page)
        if at is None or here == there or link.anchor.lower() == "top":
            continue
        anchor = None if after(there).find(link.anchor, is_wiki=link.kind == "wiki") is not None else ""
        target = target_to(here, link, there)
        followed[link.line] = retarget(followed[link.line], link, target, anchor=anchor)
    return followed
