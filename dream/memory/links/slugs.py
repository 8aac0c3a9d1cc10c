"""Anchors as GitHub makes them from headings: the plain text of one, and what it is called in an address."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable

_PLAIN = re.compile(r"[^A-Za-z0-9 _-]+")
_KEPT_CATEGORIES = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Nl", "Nd", "Mn", "Mc", "Me", "Pc"})
_LETTERS_AMONG_SYMBOLS = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_MARKED = re.compile(r"[\[<*_`\\&~]")
_INLINE = MarkdownIt("commonmark").enable("strikethrough")
_KNOWN = 4_096


@lru_cache(maxsize=_KNOWN)
def heading_text(written: str) -> str:
    """Return the text of a heading as it is shown: markup, tags and pictures dropped, links and code as their text."""
    text = written.strip(" \t\r\n")
    if not _MARKED.search(text):
        return text
    shown: list[str] = []
    for token in _INLINE.parseInline(text):
        for child in token.children or ():
            if child.type in {"softbreak", "hardbreak"}:
                shown.append("\n")
            elif child.type in {"text", "text_special", "code_inline"}:
                shown.append(child.content)
    return "".join(shown)


def slug(text: str) -> str:
    """Return what GitHub calls a heading that shows `text`, where no other of the note is called so.

    Lower case; letters, marks, decimal digits, connecting punctuation and `-` stay, a blank becomes `-`, everything
    else goes: the rules of github-slugger 2, which were compared with GitHub's own answers.
    """
    lowered = text.lower()
    if lowered.isascii():
        return _PLAIN.sub("", lowered).replace(" ", "-")
    return "".join(map(_kept, lowered)).replace(" ", "-")


def slugs(texts: Iterable[str]) -> list[str]:
    """Return what the headings of one note that show `texts`, in order, are called: repeated ones with `-1`, `-2`."""
    times: dict[str, int] = {}
    found: list[str] = []
    for text in texts:
        first = name = slug(text)
        while name in times:
            times[first] += 1
            name = f"{first}-{times[first]}"
        times[name] = 0
        found.append(name)
    return found


def _kept(char: str) -> str:
    if char in " -" or unicodedata.category(char) in _KEPT_CATEGORIES:
        return char
    return char if any(first <= ord(char) <= last for first, last in _LETTERS_AMONG_SYMBOLS) else ""
