"""What a note is about, in one line of plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dream.memory.scan import Block, Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LONGEST = 500

_LEADING = re.compile(r"(?:#{1,6}|>|[-+*]|[0-9]{1,9}[.)])(?:\s+|\Z)")
_TRAILING = re.compile(r"\s#+\Z")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\[\]]*\])")
_WIKI = re.compile(r"!?\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--[^<>]*-->")
_PAIRED = tuple(re.compile(rf"{mark}(?=\S)([^*_]+)(?<=\S){mark}") for mark in (r"\*\*", "__", r"\*"))
_UNDERSCORES = re.compile(r"(?<!\w)_(?=\S)([^_]+)(?<=\S)_(?!\w)")
_MARKED = re.compile(r"[\[<*_`\\#]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNTITLED = frozenset({Shape.RULE, Shape.COMMENT, Shape.DEFINITION, Shape.FENCE, Shape.CODE, Shape.TABLE})


def title_of(lines: Sequence[str], blocks: Sequence[Block]) -> str:
    """Return the first heading or line that says something, as plain text; empty where none does."""
    for line in _candidates(lines, blocks):
        text = plain_text(line)
        if any(map(str.isalnum, text)):
            return text
    return ""


def _candidates(lines: Sequence[str], blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        if block.shape not in _UNTITLED:
            yield from lines[block.start : block.end]
    for block in blocks:
        yield from lines[block.start : block.end]


def plain_text(line: str) -> str:
    """Return a line of Markdown without its marks: links and code as their text, blanks collapsed, at most 500 long."""
    text = line.strip("\ufeff \t\r\n")[:_LONGEST]
    while match := _LEADING.match(text):
        text = text[match.end() :]
    if not _MARKED.search(text):
        return " ".join(text.split())
    text = _TRAILING.sub("", text)
    text = _TAG.sub("", _WIKI.sub(r"\1", _LINK.sub(r"\1", text)))
    for pattern in _PAIRED:
        text = pattern.sub(r"\1", text)
    text = _UNDERSCORES.sub(r"\1", text).replace("`", "")
    return " ".join(_ESCAPE.sub(r"\1", text).split())
