"""How well notes answer a question, by the words they have in common with it (Okapi BM25)."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from dream.memory.similarity import word_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dream.memory.notes import Note

_SATURATION = 1.2
_LENGTH = 0.75
_HEAD = 3
"""A word in a note's path, title, name or description counts as much as one in so many of its entries."""


def match_notes(notes: Mapping[str, Note], question: str) -> dict[str, float]:
    """Return path → score (above 0) of the notes with a word of `question`; a word in most of them counts for little.

    A term's frequency is the number of entries that have it (of lines outside entries each counts as one), because one
    entry that repeats a word says no more than one that uses it once.
    """
    asked = word_set(question)
    counted = {path: _count(path, note) for path, note in notes.items()}
    lengths = {path: counts.total() for path, counts in counted.items()}
    mean = sum(lengths.values()) / len(lengths) if lengths else 1.0
    scores: dict[str, float] = {}
    for word in sorted(asked):
        holding = {path: counts[word] for path, counts in counted.items() if word in counts}
        rarity = log(1 + (len(counted) - len(holding) + 0.5) / (len(holding) + 0.5))
        for path, times in holding.items():
            damped = times + _SATURATION * (1 - _LENGTH + _LENGTH * lengths[path] / mean)
            scores[path] = scores.get(path, 0.0) + rarity * times * (_SATURATION + 1) / damped
    return scores


def _count(path: str, note: Note) -> Counter[str]:
    front = note.frontmatter
    head = [path.removesuffix(".md"), note.title, *([front.name, front.description] if front else [])]
    counts = Counter(dict.fromkeys(word_set(" ".join(head)), _HEAD))
    for text in (*(entry.key for entry in note.entries), *note.other):
        counts.update(word_set(text))
    return counts
