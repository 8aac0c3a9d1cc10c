"""Links of a page that people keep, led to where their notes have moved."""

from __future__ import annotations

from collections.abc import Mapping

from dream.memory.links.notation import PathLookup, candidates, resolve, retarget, scan_links, target_to
from dream.memory.tree import Tree


def follow_moves(path: str, text: str, paths: PathLookup, moves: Mapping[str, str]) -> str:
    """Return the page `text` at `path` whose links to what is gone lead to where `moves` says that it is."""
    lines, before = text.split("\n"), PathLookup(moves.keys())
    for link in reversed(scan_links(text)):
        old = "" if candidates(path, link, paths) else resolve(path, link, before)
        new = moves.get(old or "", "")
        if new in paths:
            lines[link.line] = retarget(lines[link.line], link, target_to(path, link, new))
    return "\n".join(lines)


def moves_between(earlier: Tree, now: Tree) -> dict[str, str]:
    """Return where notes went whose bytes are the same: gone from one place, and since then in one other."""
    old, new = set(earlier.paths()), set(now.paths())
    came: dict[str | None, list[str]] = {}
    for path in new - old:
        came.setdefault(now.blob(path), []).append(path)
    gone = {path: came.get(earlier.blob(path), []) for path in old - new}
    return {path: places[0] for path, places in sorted(gone.items()) if len(places) == 1}
