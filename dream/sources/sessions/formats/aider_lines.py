"""The stretches of Aider's chat history, and which of them a person typed; pure, in one walk over the lines.

Aider appends what happens: `# aider chat started at …` between blank lines, each line that a person typed behind
`#### ` and each of its own behind `> `, both with two blanks at the end, and the agent's words as they are. Nothing is
escaped, so that an agent or a printed file can write lines that read like these. A line counts as typed only where
aider writes one: with its two blanks, a blank line below a line of aider's own, and in no fence. Behind an agent's
words, which aider nearly always ends with a line of its own, and behind a printed text it is not believed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

STARTED = "# aider chat started at "
_STAMP = re.compile(r"# aider chat started at ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2})")
_FENCE = re.compile(r"(`{3,100}|~{3,100}|</?(?:source|code|pre|codeblock|sourcecode)>)([^`]*)")
_MARKS = "#>`~<"
_ENDS = "  "
_TYPED = "####"
_OWN = "> "
_AFTER_WORDS = ("> Tokens: ", "> ^C")
_ITS_OWN_OF_TWO_LINES = (*_AFTER_WORDS, "> Add the output to the chat?")
_UNANSWERED = ("/", "!", "<blank>")
_NEAR = 6
_BLANKS_BEHIND_WORDS = 2


class Kind(StrEnum):
    """What a stretch of lines is."""

    SESSION = "session"
    TYPED = "typed"
    OWN = "own"
    WORDS = "words"


@dataclass(slots=True, kw_only=True)
class Stretch:
    """Lines of one kind without aider's marks, of a session's line the stamp.

    What reads like a person's and may be printed is not `sure`; aider's own lines that end with a text that it only
    printed are `printed`.
    """

    kind: Kind
    lines: list[str] = field(default_factory=list)
    sure: bool = True
    printed: bool = False

    @property
    def is_followed_by_typing(self) -> bool:
        """Whether the next that aider writes can be what a person types: words of a person are answered first."""
        answered = self.kind is Kind.WORDS or (self.kind is Kind.TYPED and not self.lines[0].startswith(_UNANSWERED))
        return self.sure and not self.printed and not answered

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(self.lines)


def stretches_of(lines: Sequence[str]) -> Iterator[Stretch]:
    """Yield the stretches of a history's lines, which are without their line feeds, in order."""
    return _Walk(lines).stretches()


class _Walk:
    """Walks the lines once, knowing what the last one was and which fence is open."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._stretch: Stretch | None = None
        self._done: Stretch | None = None
        self._blank = 1
        self._printing = False
        self._fence = ""
        self._latest = ""
        self._fences: list[int] = []
        self._heads: list[int] = []
        for number, line in enumerate(lines):
            if line[:1] in {"`", "~", "<"} and _FENCE.fullmatch(line):
                self._fences.append(number)
            elif line.startswith(STARTED):
                self._heads.append(number)

    def stretches(self) -> Iterator[Stretch]:
        for number, line in enumerate(self._lines):
            if not line:
                self._take_blank()
            elif line[0] not in _MARKS and not self._printing and self._stretch and self._stretch.kind is Kind.WORDS:
                self._stretch.lines.append(line)
                self._blank = 0
            elif not self._take_marked(number, line):
                self._take_words(number, line)
            if self._done is not None:
                yield self._done
                self._done = None
        if self._stretch is not None:
            yield self._stretch

    def _take_blank(self) -> None:
        self._blank += 1
        if self._stretch is not None and (self._printing or self._stretch.kind is Kind.WORDS):
            self._stretch.lines.append("")

    def _take_marked(self, number: int, line: str) -> bool:
        if line[0] == ">":
            return self._take_own(number, line)
        if line[0] != "#":
            return False
        return self._take_session(number, line) if line.startswith(STARTED) else self._take_typed(line)

    def _take_typed(self, line: str) -> bool:
        if not _is_typed(line) or self._printing:
            return False
        last = self._stretch
        if not self._blank and last is not None and last.kind is Kind.TYPED:
            last.lines.append(_typed(line))
            return True
        if not self._blank or (self._fence and self._blank < _BLANKS_BEHIND_WORDS):
            return False
        self._begin(Kind.TYPED, _typed(line), sure=last is not None and last.is_followed_by_typing)
        return True

    def _take_session(self, number: int, line: str) -> bool:
        stamp = _STAMP.fullmatch(line)
        if stamp is None or not self._blank or self._printing or not self._opens_session(number):
            return False
        if self._fence and stamp[1] < self._latest and self._closes_below(number):
            return False
        self._latest = stamp[1]
        self._begin(Kind.SESSION, stamp[1])
        return True

    def _opens_session(self, number: int) -> bool:
        """Whether what follows a session's line is what aider writes there."""
        below = next((line for line in self._lines[number + 1 : number + 5] if line), "")
        first = self._lines[number + 1] if number + 1 < len(self._lines) else ""
        if first or below.startswith(_AFTER_WORDS):
            return False
        return not below or below.startswith(STARTED) or _is_own(below) or _is_typed(below)

    def _take_own(self, number: int, line: str) -> bool:
        last = self._stretch
        if self._printing:
            return self._go_on_printing(number, line)
        after_words = last is None or last.kind is Kind.WORDS
        if not line.startswith(_OWN) or (after_words and not self._blank):
            return False
        if not _is_own(line):
            if not line.startswith(_AFTER_WORDS) and (self._blank or after_words):
                return False
            self._printing = True
            self._add_own(line[len(_OWN) :]).printed = not line.startswith(_ITS_OWN_OF_TWO_LINES)
            return True
        if self._fence and not self._tells_how_it_went(number) and self._closes_below(number):
            return False
        self._add_own(line[len(_OWN) : -len(_ENDS)]).printed = False
        return True

    def _tells_how_it_went(self, number: int) -> bool:
        """Whether here or in the next lines of its own aider says how an agent's words ended."""
        for line in self._lines[number : number + _NEAR]:
            if line.startswith(_AFTER_WORDS):
                return True
            if not _is_own(line):
                return False
        return False

    def _take_words(self, number: int, line: str) -> None:
        last = self._stretch
        if self._printing:
            self._go_on_printing(number, line)
        elif last is not None and last.kind is Kind.OWN and not self._blank:
            self._printing, last.printed = True, True
            self._go_on_printing(number, line)
        else:
            self._note_fence(line)
            if last is None or last.kind is not Kind.WORDS:
                self._begin(Kind.WORDS, line)
            else:
                last.lines.append(line)
                self._blank = 0

    def _go_on_printing(self, number: int, line: str) -> bool:
        """Take a line of an output of many lines, which ends with two blanks before a blank line or one of aider's."""
        below = self._lines[number + 1] if number + 1 < len(self._lines) else ""
        ends = line.endswith(_ENDS) and (not below or below.startswith(_OWN))
        stretch = self._add_own(line[: -len(_ENDS)] if ends else line)
        if ends:
            self._printing = False
            stretch.printed = stretch.printed and not below
        return True

    def _add_own(self, line: str) -> Stretch:
        if self._stretch is None or self._stretch.kind is not Kind.OWN:
            return self._begin(Kind.OWN, line)
        self._stretch.lines.append(line)
        self._blank = 0
        return self._stretch

    def _begin(self, kind: Kind, line: str, *, sure: bool = True) -> Stretch:
        self._done = self._stretch
        self._stretch = Stretch(kind=kind, lines=[line], sure=sure)
        self._blank = 0
        if kind is not Kind.WORDS:
            self._fence = ""
        return self._stretch

    def _note_fence(self, line: str) -> None:
        fence = _FENCE.fullmatch(line) if line[0] in "`~<" else None
        if fence is None:
            return
        mark, info = fence[1], fence[2].strip()
        if not self._fence:
            self._fence = "" if mark.startswith("</") else mark
        elif (mark.startswith(self._fence) and not info) or mark == self._fence.replace("<", "</", 1):
            self._fence = ""

    def _closes_below(self, number: int) -> bool:
        """Whether the open fence is closed further down before another one opens, in this session."""
        place = bisect_right(self._fences, number)
        if place == len(self._fences):
            return False
        head = bisect_right(self._heads, number)
        if head < len(self._heads) and self._heads[head] < self._fences[place]:
            return False
        fence = _FENCE.fullmatch(self._lines[self._fences[place]])
        return fence is not None and not fence[2].strip() and not (fence[1][0] == "<" and fence[1][1] != "/")


def _is_typed(line: str) -> bool:
    return line.startswith(_TYPED) and line[len(_TYPED) : len(_TYPED) + 1] == " " and line.endswith(_ENDS)


def _is_own(line: str) -> bool:
    return line.startswith(_OWN) and line.endswith(_ENDS)


def _typed(line: str) -> str:
    return line[len(_TYPED) + 1 : -len(_ENDS)]
