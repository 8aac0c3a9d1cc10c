"""The turns of SpecStory's Markdown, and which of a user's turns can be believed. Pure.

SpecStory does not escape what tools print, so a line that reads like a turn's header may have been printed by a tool.
Three things must agree before a header opens a person's turn: it stands outside tool blocks and fences, its instant
fits between those of its neighbours, and no block is closed after it that was never opened. Where a block is not
closed before another one opens, the next header in the order of time ends it, and no user's turn of that document is
believed any more.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from dream.sources.sessions.formats.specstory_headers import Header, in_order, turn_headers

_TOOL_OPEN = re.compile(r'<tool-use data-tool-type="([^"]{0,100})" data-tool-name="([^"]{0,200})">.*')
_TOOL_CLOSE = frozenset({"</details></tool-use>", "</tool-use>"})
_THINK_OPEN = "<think><details>"
_FENCE = re.compile(r"`{3,100}+(?=[^`]*+\Z)|~{3,100}+")
_OLD_TOOL = re.compile(r"Tool use: \*\*([^*\n]{1,100})\*\*.*")
_MARKS = "<`~T"


class Kind(StrEnum):
    """What a block of a turn is."""

    TEXT = "text"
    TOOL = "tool"
    THINK = "think"


@dataclass(slots=True, kw_only=True)
class Block:
    """Some lines of a turn; for a block of a tool, `tool` is its name and `family` what kind of tool SpecStory says."""

    kind: Kind
    lines: list[str] = field(default_factory=list)
    tool: str = ""
    family: str = ""


@dataclass(slots=True, kw_only=True)
class Turn:
    """One header and what follows it; a user's turn that may be printed text is not `sure`."""

    user: bool
    sidechain: bool
    at: datetime | None
    sure: bool = True
    blocks: list[Block] = field(default_factory=list)


def turns_of(lines: Sequence[str]) -> list[Turn]:
    """Return the turns of a document's lines; a header that is quoted stays in the text that quotes it."""
    return _Lexer(turn_headers(lines)).read(lines)


class _Lexer:
    """Walks the lines once, knowing which block is open and which fence hides what follows."""

    def __init__(self, headers: Mapping[int, Header]) -> None:
        self._headers = headers
        self._ordered = in_order(headers)
        self._timed = next((header.at is not None for header in headers.values()), False)
        self._turns: list[Turn] = []
        self._block: Block | None = None
        self._open = False
        self._fence = ""
        self._quoted = 0
        self._opens: list[int] = []
        self._closes: list[int] = []
        self._unsure = False
        self._believed_to = 0

    def read(self, lines: Sequence[str]) -> list[Turn]:
        """Return the turns of the lines."""
        marked = [number for number, line in enumerate(lines) if line[:1] == "<"]
        self._opens = [number for number in marked if _TOOL_OPEN.fullmatch(lines[number].rstrip("\r"))]
        self._closes = [number for number in marked if lines[number].strip() in _TOOL_CLOSE]
        for number, line in enumerate(lines):
            header = self._headers.get(number)
            if header is not None and self._opens_turn(number, header):
                self._open_turn(number, header)
            elif self._block is not None and (not line or line[0] not in _MARKS):
                self._block.lines.append(line)
            elif self._turns:
                self._take(line, line.rstrip("\r"))
        return self._turns

    def _opens_turn(self, number: int, header: Header) -> bool:
        if self._open or self._fence:
            return number in self._ordered and not (self._open and self._closes_first(number))
        return header.at is not None or not header.user or not self._timed

    def _closes_first(self, number: int) -> bool:
        """Whether the open block is closed further down before another one opens, so that this line stands in it."""
        opens, closes = bisect_left(self._opens, number), bisect_left(self._closes, number)
        return closes < len(self._closes) and (opens == len(self._opens) or self._closes[closes] < self._opens[opens])

    def _open_turn(self, number: int, header: Header) -> None:
        if self._open or (self._fence and not self._turns[-1].user):
            self._unsure = True
        self._block, self._open, self._fence, self._quoted = None, False, "", 0
        sure = not header.user or (not self._unsure and (header.at is None or number in self._ordered))
        self._turns.append(Turn(user=header.user, sidechain=header.sidechain, at=header.at, sure=sure))

    def _take(self, line: str, bare: str) -> None:
        if self._open and self._block is not None:
            self._block.lines.append(line)
            if bare.strip() in _TOOL_CLOSE or (self._block.kind is Kind.THINK and bare.endswith("</think>")):
                self._believed_to = len(self._turns)
                self._block, self._open = None, False
        elif self._fence or self._turns[-1].user:
            self._take_text(line, bare)
        elif found := _TOOL_OPEN.fullmatch(bare):
            self._begin(
                Block(kind=Kind.TOOL, tool=found[2], family=found[1]), line, closed=bare.endswith("</tool-use>")
            )
        elif bare.startswith(_THINK_OPEN):
            self._begin(Block(kind=Kind.THINK), line, closed=bare.endswith("</think>"))
        elif found := _OLD_TOOL.fullmatch(bare):
            self._begin(Block(kind=Kind.TOOL, tool=found[1]), line, closed=False)
            self._open = False
        else:
            self._take_text(line, bare)

    def _begin(self, block: Block, line: str, *, closed: bool) -> None:
        block.lines.append(line)
        self._turns[-1].blocks.append(block)
        self._block, self._open = (None, False) if closed else (block, True)

    def _take_text(self, line: str, bare: str) -> None:
        if self._block is None:
            self._block = Block(kind=Kind.TEXT)
            self._turns[-1].blocks.append(self._block)
        self._block.lines.append(line)
        if bare[:1] == "<":
            self._count_quoted(bare)
        fence = _FENCE.match(bare)
        if fence is None:
            return
        if not self._fence:
            self._fence = fence[0]
        elif fence[0].startswith(self._fence) and not bare[fence.end() :].strip():
            self._fence = ""

    def _count_quoted(self, bare: str) -> None:
        """A block that closes without having been opened was cut short by what it printed: distrust what came of it."""
        if _TOOL_OPEN.fullmatch(bare):
            self._quoted += 1
        elif bare.strip() in _TOOL_CLOSE:
            self._quoted -= 1
            if self._quoted < 0:
                for turn in self._turns[self._believed_to :]:
                    turn.sure = turn.sure and not turn.user
