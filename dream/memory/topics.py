"""Whether two notes are about one thing, and parts of a note about several, told by the words they are made of. Pure.

No model is asked, so what is said here is meant to be true and not to be complete.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from dream.memory.notes import Note
from dream.memory.similarity import word_set

_SHORTEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLimits:
    """What is alike, as the share of all words of both that they have in common; configured in `config/order.py`.

    Two notes are about one thing where their texts are alike from `same_text` on, or from `titled_text` on and their
    titles from `same_title` on. Parts of a note are about several where no two are alike from `apart` on. A text of
    fewer than `telling` words tells nothing.
    """

    telling: int = 25
    same_text: float = 0.6
    titled_text: float = 0.3
    same_title: float = 0.75
    apart: float = 0.08


@dataclass(frozen=True, slots=True)
class Told:
    """The words that tell a note from another: of its title, and of its text without the frontmatter."""

    title: frozenset[str]
    text: frozenset[str]


def told_by(note: Note) -> Told:
    """Return the words that tell `note` from another."""
    body = "\n".join(note.lines[note.frontmatter.end :]) if note.frontmatter else note.text
    return Told(telling_words(note.title), telling_words(body))


def telling_words(text: str) -> frozenset[str]:
    """Return the words of a text that can tell it from another: three letters and more, case folded.

    Of scripts without blanks between words it is each pair of characters.
    """
    return frozenset(word for word in word_set(text) if len(word) >= _SHORTEST or not word.isascii())


def likeness(one: Told, other: Told, limits: TopicLimits) -> float:
    """Return how alike the texts of two notes are that are about one thing; 0 where they are not."""
    if min(len(one.text), len(other.text)) < limits.telling:
        return 0.0
    alike = _alike(one.text, other.text)
    is_titled = len(one.title) > 1 and _alike(one.title, other.title) >= limits.same_title
    return alike if alike >= (limits.titled_text if is_titled else limits.same_text) else 0.0


def are_apart(parts: Sequence[frozenset[str]], limits: TopicLimits) -> bool:
    """Whether parts of a note, each by its words, have next to none in common."""
    return len(parts) > 1 and all(_alike(one, other) < limits.apart for one, other in combinations(parts, 2))


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0
