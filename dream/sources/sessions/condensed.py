"""A condensed session as values and as text: what was kept of each message, and where in the message it stands.

Each message has a head. `[m7:120-180 of 3650]` says that characters 120 to 180 of the 3650 of message `m7` follow on
the next lines, as they are; `[m7 of 3650]` that none do. Where what follows is told in characters, no text that a
message holds can be taken for a head.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dream.errors import FatalError

_NO_HEAD = "it has no head"
_CUT = "its last line is cut"
_OTHER_LENGTH = "a passage is not as long as its head says"
_MARK = re.compile(r"\[(m[0-9]{1,9})(?::([0-9]{1,12})-([0-9]{1,12}))?(?: of [0-9]{1,12})?\](?: |\n|\Z)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A stretch of one message: characters `start` to `end` of its text."""

    message: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A stretch of one message that was kept; `text` is the message's own characters from `start` to `end`."""

    message: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message: `size` is the length of its text; `label` (one line) and `notes` (lines) tell of it.

    Notes begin with a blank, `>`, `@`, `+` or `-`: the rest of a command, and what an edit changed.
    """

    message: str
    size: int
    label: str
    notes: tuple[str, ...] = ()
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Condensed:
    """One session: `about` are lines of `name: value` on the whole of it, `turns` its messages in their order."""

    source: str
    id: str
    about: tuple[str, ...]
    turns: tuple[Turn, ...]

    @property
    def passages(self) -> tuple[Passage, ...]:
        """Every stretch that was kept, in order."""
        return tuple(passage for turn in self.turns for passage in turn.passages)

    @property
    def text(self) -> str:
        """The session as it is shown and kept: see the head of this module."""
        return "\n".join(_lines(self)) + "\n"


def passages_in(text: str) -> tuple[Passage, ...]:
    """Return the passages of the text of a condensed session.

    Raises:
        FatalError: the text is none, or was cut or changed.
    """
    position = text.find("\n\n") + 2
    if position < 2:  # noqa: PLR2004  # not found
        raise _broken(_NO_HEAD, 0)
    passages = []
    while position < len(text):
        mark = _MARK.match(text, position)
        line_end = text.find("\n", position)
        if line_end < 0:
            raise _broken(_CUT, position)
        position = line_end + 1
        if mark is None or mark[2] is None:
            continue
        start, end = int(mark[2]), int(mark[3])
        kept = text[position : position + end - start]
        position += len(kept) + 1
        if len(kept) != end - start or text[position - 1 : position] != "\n":
            raise _broken(_OTHER_LENGTH, position)
        passages.append(Passage(message=mark[1], start=start, end=end, text=kept))
    return tuple(passages)


def places_of(passages: Iterable[Passage], quote: str) -> Iterator[Place]:
    """Yield where `quote` stands in the original messages, for each time that it stands in one of `passages`."""
    for passage in passages:
        found = passage.text.find(quote) if quote else -1
        while found >= 0:
            start = passage.start + found
            yield Place(message=passage.message, start=start, end=start + len(quote))
            found = passage.text.find(quote, found + 1)


def _broken(why: str, position: int) -> FatalError:
    return FatalError(
        f"this is no condensed session: {why}", way_out="condense the transcript again", position=position
    )


def _lines(condensed: Condensed) -> Iterator[str]:
    yield from condensed.about
    yield ""
    was_short = False
    for number, turn in enumerate(condensed.turns):
        is_short = not (turn.notes or turn.passages)
        if number and not (is_short and was_short):
            yield ""
        yield from _turn_lines(turn)
        was_short = is_short


def _turn_lines(turn: Turn) -> Iterator[str]:
    size = f" of {turn.size}" if turn.size else ""
    if not turn.passages:
        yield f"[{turn.message}{size}] {turn.label}"
        yield from turn.notes
        return
    label = f" {turn.label}"
    if turn.notes:
        yield f"[{turn.message}]{label}"
        yield from turn.notes
        label = ""
    if len(turn.passages) == 1 and turn.passages[0].end - turn.passages[0].start == turn.size:
        size = ""
    for passage in turn.passages:
        yield f"[{turn.message}:{passage.start}-{passage.end}{size}]{label}"
        yield passage.text
        label = size = ""
