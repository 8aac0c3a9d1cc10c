"""markdown-it-py as the independent parser that the scanners of blocks and links are held against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.token import Token

_SHAPES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "fence",
    "code_block": "code",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
}


class Seen(NamedTuple):
    """A top-level block as the oracle sees it, with all that is written in it."""

    shape: str
    start: int
    end: int
    content: str


class SeenLinks(NamedTuple):
    """Targets of inline links and images, and those that definitions give, both as the oracle normalises them."""

    inline: Counter[str]
    defined: frozenset[str]


class _Parser(MarkdownIt):
    """CommonMark and tables, with no target refused for its scheme."""

    def validateLink(self, url: str) -> bool:  # noqa: N802, ARG002
        return True


ORACLE = _Parser("commonmark").enable("table")


def see_blocks(lines: Sequence[str]) -> list[Seen]:
    """Return the blocks of `lines`, the numbers of lines trimmed to those that are not blank."""
    # A lone carriage return is a character to us, and the end of a line to the oracle.
    tokens = ORACLE.parse("\n".join(line.replace("\r", "") for line in lines))
    seen: list[Seen] = []
    for at, token in enumerate(tokens):
        is_item = token.level == 1 and token.type == "list_item_open"
        shape = "item" if is_item else _SHAPES.get(token.type, "") if token.level == 0 else ""
        if shape and token.map:
            start, end = token.map
            while end > start + 1 and not lines[end - 1].strip(" \t\r"):
                end -= 1
            while start < end - 1 and not lines[start].strip(" \t\r"):
                start += 1
            seen.append(Seen(shape, start, end, _content(tokens, at)))
    return seen


def _content(tokens: Sequence[Token], at: int) -> str:
    """Return all that is written in the block that begins with token `at`."""
    end = at + 1
    while tokens[at].nesting > 0 and tokens[end].level > tokens[at].level:
        end += 1
    return "".join(token.content for token in tokens[at:end]).strip()


def see_links(text: str) -> SeenLinks:
    """Return the targets of the links in `text`, autolinks apart."""
    env: dict[str, dict[str, dict[str, str]]] = {}
    inline: Counter[str] = Counter()
    _collect(ORACLE.parse(text, env), inline)
    return SeenLinks(inline, frozenset(reference["href"] for reference in env.get("references", {}).values()))


def _collect(tokens: Sequence[Token], found: Counter[str]) -> None:
    for token in tokens:
        if token.type == "link_open" and token.markup != "autolink":
            found[str(token.attrs["href"])] += 1
        elif token.type == "image":
            found[str(token.attrs["src"])] += 1
        _collect(token.children or (), found)


def normalised(target: str) -> str:
    """Return a target as written in the form that the oracle reports."""
    return ORACLE.normalizeLink(unescapeAll(target))
