"""What a single line of Markdown begins or ends; the rules that the scanner of blocks is made of.

Lines come as `flat` makes them: no blanks at the end, tabs as columns. The rules are those of CommonMark 0.31 and of
GitHub's tables.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CODE_INDENT = 4

_MARKER = re.compile(r" {0,3}(?:[-+*]|([0-9]{1,9})[.)])(?: {1,4}(?! )| |\Z)")
_ATX = re.compile(r" {0,3}(#{1,6})(?: |\Z)")
_SETEXT = re.compile(r" {0,3}(?:(=+)|-+)\Z")
_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)\Z")
_DELIMITERS = re.compile(r" {0,3}(?=[-:|])[-:| ]+\Z")
_COLUMN = re.compile(r":?-+:?")
_PIPE = re.compile(r"(?<!\\)\|")
DEFINITION = re.compile(
    r" {0,3}\[(?P<label>(?!\s*\])(?:[^\[\]\\]|\\.){1,999})\]: *(?P<target><[^<>]*>|[^\s<]\S*)"
    r"(?: +(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\Z"
)
_BLOCK_TAG = re.compile(
    r"</?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl"
    r"|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main"
    r"|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title"
    r"|tr|track|ul)(?:\s|/?>|\Z)",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(r"(?:<[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\Z")
_VERBATIM_TAG = r"(?:script|pre|style|textarea)"
_HTML_SPANS = (
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(rf"<{_VERBATIM_TAG}(?:\s|>|\Z)", re.IGNORECASE), re.compile(rf"</{_VERBATIM_TAG}>", re.IGNORECASE)),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
)
_MAY_INTERRUPT = frozenset("#`~>-+*_<0123456789")


def flat(lines: Sequence[str]) -> list[str]:
    """Return `lines` without blanks at their end and with tabs as columns, which is all that structure depends on."""
    return [(line.expandtabs(4) if "\t" in line else line).rstrip(" \r") for line in lines]


def indent_of(line: str) -> int:
    """Return the number of spaces that a line begins with."""
    return len(line) - len(line.lstrip(" "))


def heading_level(line: str) -> int:
    """Return the level, 1 to 6, of a heading that begins with `#`; 0 if the line is none."""
    match = _ATX.match(line)
    return len(match[1]) if match else 0


def underlined_level(line: str) -> int:
    """Return 1 or 2 if the line turns the paragraph above it into a heading, else 0."""
    match = _SETEXT.match(line)
    return 0 if match is None else 1 if match[1] else 2


def is_rule(line: str) -> bool:
    """Whether the line is a thematic break."""
    if line.strip("-*_ "):
        return False
    marks = line.replace(" ", "")
    return len(marks) > 2 and marks == marks[0] * len(marks) and indent_of(line) < CODE_INDENT  # noqa: PLR2004


def opening_fence(line: str) -> str:
    """Return the marks that open a code fence on this line, or nothing."""
    match = _FENCE.match(line) if "```" in line or "~~~" in line else None
    return (match[1] or match[2]) if match else ""


def closes_fence(line: str, marks: str) -> bool:
    """Whether the line closes the fence that `marks` opened."""
    rest = line.lstrip(" ")
    return len(rest) >= len(marks) and rest == marks[0] * len(rest) and len(line) - len(rest) < CODE_INDENT


def item_width(line: str) -> int:
    """Return the column from which on lines belong to the item that begins on this one; 0 if none does."""
    marker = _MARKER.match(line)
    if marker is None:
        return 0
    end = marker.end()
    return end if line[end - 1] == " " else end + 1


def html_closing(line: str) -> re.Pattern[str] | None:
    """Return what ends the HTML that begins on this line, where that is not the next blank line."""
    rest = line.lstrip(" ")
    return next((closing for opening, closing in _HTML_SPANS if opening.match(rest)), None)


def begins_html(line: str) -> bool:
    """Whether a line that is no part of a paragraph begins HTML that the next blank line ends."""
    rest = line.lstrip(" ")
    return _BLOCK_TAG.match(rest) is not None or _ANY_TAG.match(rest) is not None


def begins_table(line: str, below: str) -> bool:
    """Whether `line` heads a table: it has as many cells as the row of dashes `below` it."""
    columns = _columns(below)
    return columns > 0 and columns == len(cells(line)) and indent_of(line) < CODE_INDENT


def _columns(line: str) -> int:
    if not _DELIMITERS.match(line) or line.lstrip(" ")[:2] == "- ":
        return 0
    parts = [part.strip(" ") for part in line.strip(" ").removeprefix("|").removesuffix("|").split("|")]
    return len(parts) if all(map(_COLUMN.fullmatch, parts)) else 0


def cells(line: str) -> list[str]:
    """Return the cells of a table's row, as written."""
    parts = _PIPE.split(line.strip(" ").removeprefix("|"))
    return parts[:-1] if len(parts) > 1 and not parts[-1].strip() else parts


def interrupts(line: str, *, any_item: bool) -> bool:
    """Whether the line ends a paragraph above it.

    With `any_item` also an empty item does, and one that does not count from 1.
    """
    rest = line.lstrip(" ")
    if not rest or rest[0] not in _MAY_INTERRUPT or len(line) - len(rest) >= CODE_INDENT:
        return False
    match rest[0]:
        case "#":
            return heading_level(rest) > 0
        case ">":
            return True
        case "`" | "~":
            return bool(opening_fence(rest))
        case "<":
            return _BLOCK_TAG.match(rest) is not None or html_closing(rest) is not None
        case _:
            return _begins_item(rest, any_item=any_item) or is_rule(rest)


def _begins_item(rest: str, *, any_item: bool) -> bool:
    marker = _MARKER.match(rest)
    if marker is None:
        return False
    return any_item or (marker.end() < len(rest) and marker[1] in {None, "1"})
