"""Which words of a line were changed, where two lines stand for one another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_WORDS = 160
"""Of a line whose words are compared; a longer one is shown as a whole."""

MOST_SEGMENTS = 24
_ALIKE = 0.4
"""Below this share of common words two lines are not versions of one another."""

_WORD = re.compile(r"\s+|[\w.-]+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a line: `is_changed` if the other line does not have it there."""

    text: str
    is_changed: bool = False


Line = tuple[Segment, ...]


def whole(text: str) -> Line:
    """Return a line of which nothing is marked."""
    return (Segment(text),)


def compared(old: str, new: str) -> tuple[Line, Line]:
    """Return both lines with the words marked that the other one does not have; unmarked where little is common."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    if max(len(before), len(after)) > MOST_WORDS:
        return whole(old), whole(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    steps = matcher.get_opcodes()
    same = sum(not word.isspace() for step, a, b, _, _ in steps if step == "equal" for word in before[a:b])
    if same < _ALIKE * sum(not word.isspace() for word in max(before, after, key=len)):
        return whole(old), whole(new)
    marked = (
        _joined([("".join(before[a:b]), step != "equal") for step, a, b, _, _ in steps]),
        _joined([("".join(after[c:d]), step != "equal") for step, _, _, c, d in steps]),
    )
    return (whole(old), whole(new)) if max(map(len, marked)) > MOST_SEGMENTS else marked


def _joined(parts: Sequence[tuple[str, bool]]) -> Line:
    return tuple(Segment(text, is_changed) for text, is_changed in parts if text)
