"""Whether an edit only pointed links elsewhere, so that the note says what it said before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dream.memory.lines import DEFINITION
from dream.memory.links.inline import find_links

if TYPE_CHECKING:
    from collections.abc import Iterator


def is_relinked(before: bytes, after: bytes) -> bool:
    """Return whether nothing but the targets of links differs between two versions of a note, and something does.

    Line by line, so that a line that comes, goes or moves is a change. A target that holds `]` or a line's end may be
    taken for a change, never the other way round.
    """
    old, new = before.split(b"\n"), after.split(b"\n")
    differing = [(left, right) for left, right in zip(old, new, strict=False) if left != right]
    return len(old) == len(new) and bool(differing) and all(map(_says_the_same, differing))


def _says_the_same(pair: tuple[bytes, bytes]) -> bool:
    left, right = (line.decode(errors="surrogateescape") for line in pair)
    targets = _targets(left)
    return bool(targets) and len(targets) == len(_targets(right)) and _without(left) == _without(right)


def _targets(line: str) -> list[tuple[int, int]]:
    return sorted(_spans(line))


def _spans(line: str) -> Iterator[tuple[int, int]]:
    definition = DEFINITION.match(line.rstrip(" \r"))
    if definition:
        yield definition.span("target")
    else:
        yield from ((link.target_start, link.target_end) for link in find_links(line))


def _without(line: str) -> str:
    """Return a line with the targets of its links left out, each marked by a character that no line holds."""
    kept, at = [], 0
    for start, end in _targets(line):
        kept.append(line[at:start])
        at = end
    return "\n".join([*kept, line[at:]])
