"""How much of what others wrote goes into one page, whatever there is of it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from dream.report.escaping import visible

MARKUP = 24
"""Bytes of markup around a line."""


class Room:
    """So many bytes of a page, escapes and markup counted; what does not fit is left out and said."""

    def __init__(self, most: int) -> None:
        """Have room for `most` bytes."""
        self.left = most

    def takes(self, *texts: str) -> bool:
        """Whether there was still room for one line of `texts`, which is then gone."""
        cost = sum(map(shown_bytes, texts)) + MARKUP
        if cost > self.left:
            self.left = 0
            return False
        self.left -= cost
        return True

    def part(self, shares: int) -> Room:
        """Return room of its own for one of `shares` that are still to come; what it leaves `give` brings back."""
        part = Room(self.left // max(shares, 1))
        self.left -= part.left
        return part

    def give(self, part: Room, most: int | None = None) -> None:
        """Take back what `part` has left."""
        self.left += part.left if most is None else min(part.left, most)
        part.left = 0


def shown_bytes(text: str) -> int:
    """Return the bytes that `text` takes in a page."""
    return len(escape(visible(text)).encode("utf-8", "replace"))


def fitting(lines: Iterable[str], room: Room) -> tuple[list[str], int]:
    """Return those of `lines`, from the first, that there is room for, and how many are left out."""
    listed = list(lines)
    kept = []
    for line in listed:
        if not room.takes(line):
            break
        kept.append(line)
    return kept, len(listed) - len(kept)
