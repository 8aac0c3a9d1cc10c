"""A past session found by words that were said in it, and the lines that hold them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from dream.history.values import HistoryLine
from dream.report.escaping import visible
from dream.sources.sessions.values import Message

_HEAD = re.compile(r"\[(m[0-9]{1,9})(?::([0-9]{1,12})-([0-9]{1,12}))?(?: of [0-9]{1,12})?\](?: ?)")
_BEFORE = 60

Told = tuple[str, str]
"""A message (empty: none in particular) and some text of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A line that was found; `message` is empty where the session's own line or its head was."""

    line: HistoryLine
    message: str
    text: str


class Query:
    """What is looked for: words, or a pattern.

    Words are found in whatever case, all of them in one message; of it the lines that hold all are given, or else those
    that hold any.
    """

    def __init__(self, words: Sequence[str], *, pattern: re.Pattern[str] | None = None) -> None:
        """Look for `words`, and for lines that `pattern` is found in if there is one."""
        self._words = tuple(word.lower() for word in words if word)
        self._pattern = pattern

    def may_be_in(self, text: str) -> bool:
        """Whether anything can be found in a text, by a look that costs little."""
        lowered = text.lower()
        return all(word in lowered for word in self._words)

    def lines_in(self, text: str) -> Iterator[str]:
        """Yield the lines of one message that are found."""
        if not self.may_be_in(text):
            return
        lines = [line for line in text.split("\n") if line.strip()]
        if self._pattern is not None:
            search = self._pattern.search
            yield from (line for line in lines if search(line) and self.may_be_in(line))
            return
        whole = [line for line in lines if self.may_be_in(line)]
        yield from whole or (line for line in lines if any(word in line.lower() for word in self._words))

    def place_in(self, line: str) -> int:
        """Return where in a line that was found the first thing is that was looked for."""
        if self._pattern is not None:
            found = self._pattern.search(line)
            return found.start() if found else 0
        lowered = line.lower()
        return min((at for word in self._words if (at := lowered.find(word)) >= 0), default=0)


def hits_in(line: HistoryLine, told: Iterable[Told], query: Query, *, most: int) -> Iterator[Hit]:
    """Yield what of `told` is found, each line visible and in at most `most` characters around what was looked for."""
    for message, text in told:
        for found in query.lines_in(text):
            yield Hit(line=line, message=message, text=_around(found, query.place_in(found), most))


def told_by(messages: Sequence[Message]) -> Iterator[Told]:
    """Yield what each message holds: its text, the call that it answers, and what an edit changed."""
    for number, one in enumerate(messages, 1):
        call = one.command or one.tool
        yield f"m{number}", "\n".join(part for part in (call, one.edits, one.diff, one.text) if part)


def told_in(condensed: str) -> Iterator[Told]:
    """Yield what the text of a condensed session holds of each message, and its head for none.

    Where a head tells how many characters follow, these are taken as they are, so that no text is taken for a head.
    """
    message, position = "", 0
    parts: list[str] = []
    while position < len(condensed):
        head = _HEAD.match(condensed, position)
        end = condensed.find("\n", position)
        end = len(condensed) if end < 0 else end
        if head is not None and head[1] != message:
            yield message, "\n".join(parts)
            message, parts = head[1], []
        parts.append(condensed[head.end() if head else position : end])
        position = end + 1
        if head is not None and head[2] is not None:
            length = int(head[3]) - int(head[2])
            parts.append(condensed[position : position + length])
            position += length + 1
    yield message, "\n".join(parts)


def _around(line: str, place: int, most: int) -> str:
    shown = line.strip()
    place -= len(line) - len(line.lstrip())
    if len(shown) > most:
        start = min(max(0, place - _BEFORE), len(shown) - most)
        shown = f"{'…' if start else ''}{shown[start : start + most]}{'…' if start + most < len(shown) else ''}"
    return visible(shown).replace("\t", " ")
