"""Where the blocks of a Markdown text begin and end, found line by line.

Exact for what stands at the top level; what is nested in a list item or a quotation is followed only as far as it
decides where that one ends, and which of its lines are code or HTML. It is an order of magnitude faster than
markdown-it-py, which is its oracle in the tests: a night reads every note of a memory, and opens 25.
"""

from __future__ import annotations

from enum import StrEnum, auto
from typing import TYPE_CHECKING, NamedTuple

from dream.memory import lines as rules
from dream.memory.containers import Inside
from dream.memory.lines import CODE_INDENT, indent_of, interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


_NEEDS_A_LOOK = frozenset(" =#`~>-+*_<0123456789")


class Shape(StrEnum):
    """What a block is; DEFINITION is a run of link reference definitions, RULE a thematic break."""

    HEADING = auto()
    PARAGRAPH = auto()
    ITEM = auto()
    FENCE = auto()
    CODE = auto()
    TABLE = auto()
    QUOTE = auto()
    HTML = auto()
    COMMENT = auto()
    RULE = auto()
    DEFINITION = auto()


class Block(NamedTuple):
    """Lines `start` up to but not `end`, neither the first nor the last blank; `level` of a heading, else 0."""

    shape: Shape
    start: int
    end: int
    level: int = 0


class Scan(NamedTuple):
    """The top-level blocks in order, and the numbers of the lines inside items and quotations that are code or HTML."""

    blocks: tuple[Block, ...]
    verbatim: frozenset[int]


def scan(lines: Sequence[str], start: int = 0) -> Scan:
    """Return the blocks of `lines` from line `start` on; the carriage return at the end of a line is no part of it."""
    scanner = _Scanner(rules.flat(lines))
    scanner.run(start)
    return Scan(tuple(scanner.blocks), frozenset(scanner.verbatim))


class _Scanner:
    """One pass over lines that `flat` prepared."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.blocks: list[Block] = []
        self.verbatim: set[int] = set()

    def run(self, at: int) -> None:
        lines, blocks = self.lines, self.blocks
        while at < len(lines):
            line = lines[at]
            if not line:
                at += 1
                continue
            block = self.table(at) if "|" in line else None
            if block is None:
                opener = _OPENERS.get(_first(line) if line[0] == " " else line[0])
                block = (opener(self, at) if opener else None) or self.paragraph(at)
            blocks.append(block)
            at = block.end

    def heading(self, at: int) -> Block | None:
        level = rules.heading_level(self.lines[at])
        return Block(Shape.HEADING, at, at + 1, level) if level else None

    def rule(self, at: int) -> Block | None:
        return Block(Shape.RULE, at, at + 1) if rules.is_rule(self.lines[at]) else None

    def rule_or_item(self, at: int) -> Block | None:
        if self.lines[at][1:3] in {" *", " -"} or self.lines[at][1:2] != " ":
            return self.rule(at) or self.item(at)
        return self.item(at)

    def code(self, at: int) -> Block:
        end = at + 1
        for n in range(end, len(self.lines)):
            if not self.lines[n]:
                continue
            if indent_of(self.lines[n]) < CODE_INDENT:
                break
            end = n + 1
        return Block(Shape.CODE, at, end)

    def fence(self, at: int) -> Block | None:
        marks = rules.opening_fence(self.lines[at])
        if not marks:
            return None
        last = at
        for n in range(at + 1, len(self.lines)):
            if self.lines[n]:
                last = n
                if rules.closes_fence(self.lines[n], marks):
                    break
        return Block(Shape.FENCE, at, last + 1)

    def html(self, at: int) -> Block | None:
        closing = rules.html_closing(self.lines[at])
        if closing is not None:
            last, rest = at, ""
            for n in range(at, len(self.lines)):
                if self.lines[n]:
                    last = n
                    found = closing.search(self.lines[n])
                    if found:
                        rest = self.lines[n][found.end() :].strip()
                        break
            is_comment = closing.pattern == "-->" and not rest
            return Block(Shape.COMMENT if is_comment else Shape.HTML, at, last + 1)
        return Block(Shape.HTML, at, self._next_blank(at)) if rules.begins_html(self.lines[at]) else None

    def _next_blank(self, at: int) -> int:
        while at < len(self.lines) and self.lines[at]:
            at += 1
        return at

    def definitions(self, at: int) -> Block | None:
        end = at
        while end < len(self.lines) and rules.DEFINITION.match(self.lines[end]):
            end += 1
        return Block(Shape.DEFINITION, at, end) if end > at else None

    def _heads_table(self, at: int) -> bool:
        return at + 1 < len(self.lines) and rules.begins_table(self.lines[at], self.lines[at + 1])

    def table(self, at: int) -> Block | None:
        if not self._heads_table(at):
            return None
        end = at + 2
        while end < len(self.lines) and self.lines[end]:
            line = self.lines[end]
            if indent_of(line) >= CODE_INDENT or interrupts(line, any_item=True):
                break
            end += 1
        return Block(Shape.TABLE, at, end)

    def paragraph(self, at: int) -> Block:
        lines = self.lines
        end = at + 1
        while end < len(lines) and lines[end]:
            line = lines[end]
            if line[0] in _NEEDS_A_LOOK:
                level = rules.underlined_level(line) if _first(line) in {"=", "-"} else 0
                if level:
                    return Block(Shape.HEADING, at, end + 1, level)
                if interrupts(line, any_item=False):
                    break
            if "|" in line and self._heads_table(end):
                break
            end += 1
        return Block(Shape.PARAGRAPH, at, end)

    def item(self, at: int) -> Block | None:
        line = self.lines[at]
        width = rules.item_width(line)
        if not width:
            return None
        if self._ends_at_once(at, width):
            return Block(Shape.ITEM, at, at + 1)
        inside = Inside()
        inside.feed(line[width:])
        if inside.is_verbatim:
            self.verbatim.add(at)
        return Block(Shape.ITEM, at, self._item_end(at, width, inside))

    def _ends_at_once(self, at: int, width: int) -> bool:
        """Whether the item is one line of text, seen without following what is open in it."""
        line = self.lines[at]
        if "```" in line or "~~~" in line or line[width : width + 1] in {" ", "<"}:
            return False
        below = self.lines[at + 1 : at + 3]
        if below and not below[0]:
            return below[-1][:1] not in {"", " "}
        return bool(below) and below[0][:2] in {"- ", "* ", "# "}

    def _item_end(self, at: int, width: int, inside: Inside) -> int:
        lines = self.lines
        last = at
        for n in range(at + 1, len(lines)):
            line = lines[n]
            if not line:
                if n == at + 1 and len(lines[at]) < width:
                    break
                inside.blank()
                continue
            if indent_of(line) >= width:
                inside.feed(line[width:])
                if inside.is_verbatim:
                    self.verbatim.add(n)
            elif not inside.may_go_on or interrupts(line, any_item=True):
                break
            last = n
        return last + 1

    def quote(self, at: int) -> Block:
        inside = Inside()
        end = at
        while end < len(self.lines):
            line = self.lines[end]
            if _first(line) == ">":
                content = line.lstrip(" ")[1:]
                inside.feed(content.removeprefix(" "))
                if inside.is_verbatim:
                    self.verbatim.add(end)
            elif not line or not inside.may_go_on or interrupts(line, any_item=True):
                break
            end += 1
        return Block(Shape.QUOTE, at, end)


_OPENERS: Mapping[str, Callable[[_Scanner, int], Block | None]] = {
    "#": _Scanner.heading,
    "`": _Scanner.fence,
    "~": _Scanner.fence,
    ">": _Scanner.quote,
    "<": _Scanner.html,
    "[": _Scanner.definitions,
    "_": _Scanner.rule,
    "": _Scanner.code,
    **dict.fromkeys("-*", _Scanner.rule_or_item),
    **dict.fromkeys("+0123456789", _Scanner.item),
}


def _first(line: str) -> str:
    """Return the first character that is no space, or nothing where the line is indented as code."""
    if line[:1] != " ":
        return line[:1]
    rest = line.lstrip(" ")
    return "" if len(line) - len(rest) >= CODE_INDENT else rest[0]
