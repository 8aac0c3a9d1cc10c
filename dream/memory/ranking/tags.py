"""What the frontmatter of a note lists under a key: one word, words with commas, a list in brackets, or items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_MOST = 50
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*):\s*(.*)\Z")
_ITEM = re.compile(r"\s*-\s+(.*)\Z")
_TAG = re.compile(r"[^\W_][\w.-]{0,58}")


def tags_in(lines: Sequence[str], end: int, keys: Collection[str]) -> frozenset[str]:
    """Return what `lines` up to `end`, a note's frontmatter, list under any of `keys`, in lower case.

    A tag is one word of letters, digits, `_`, `.` and `-`, a leading `#` apart; up to 50, whatever else stands there is
    none. Lists are what `Frontmatter.values` does not keep.
    """
    found: dict[str, None] = {}
    for value in _values(lines[1 : max(end - 1, 0)], keys):
        for word in value.strip("[]").split(","):
            tag = word.strip(" \t\"'").removeprefix("#").casefold()
            if _TAG.fullmatch(tag) and len(found) < _MOST:
                found[tag] = None
    return frozenset(found)


def _values(block: Sequence[str], keys: Collection[str]) -> Iterator[str]:
    is_listed = False
    for line in block:
        bare = line.rstrip(" \t\r")
        key, item = _KEY.match(bare), _ITEM.match(bare)
        if key:
            is_listed = key[1].casefold() in keys
            if is_listed:
                yield key[2]
        elif item and is_listed:
            yield item[1]
        elif bare.strip():
            is_listed = False
