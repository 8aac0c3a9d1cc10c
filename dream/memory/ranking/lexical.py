"""How well notes answer a question, by the words they have in common with it (Okapi BM25)."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from dream.memory.notes import Note
from dream.memory.similarity import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dream.memory.notes import NoteCache
    from dream.memory.tree import Tree

_SATURATION = 1.2
_LENGTH = 0.75
_HEAD = 3
"""A word in a note's path, title, name or description counts as much as one in so many of its entries."""

_MANY = 20
_LONGEST = 2_000


def match_notes(tree: Tree, notes: NoteCache, paths: Sequence[str], question: str) -> dict[str, float]:
    """Return path → score (above 0) of those of `paths` with a word of `question`, whose first 2,000 characters count.

    How often a word stands in a note is in how many of its entries, and of its lines outside entries: an entry that
    repeats a word says no more than one that uses it once. The length of a note is that of its bytes. Among more than
    20 notes, words in more than half of them are left out, unless there are no others: they say nothing, and only notes
    that may have a word are read as notes.
    """
    asked = word_set(question[:_LONGEST])
    maybe = {word: set[str]() for word in sorted(asked)}
    for path in paths:
        text = f"{path}\n{(tree.read(path) or b'').decode(errors='replace')}".casefold()
        for word, holding in maybe.items():
            if word in text:
                holding.add(path)
    telling = {
        word: holding for word, holding in maybe.items() if len(paths) <= _MANY or 2 * len(holding) <= len(paths)
    }
    looked_for = telling or maybe
    counted = {path: _count(path, notes.note(tree, path)) for path in sorted(set().union(*looked_for.values()))}
    mean = sum(map(tree.size, paths)) / len(paths) if paths else 0
    scores: dict[str, float] = {}
    for word in looked_for:
        holding = {path for path, counts in counted.items() if word in counts}
        rarity = log(1 + (len(paths) - len(holding) + 0.5) / (len(holding) + 0.5))
        for path in holding:
            times = counted[path][word]
            damped = times + _SATURATION * (1 - _LENGTH + _LENGTH * tree.size(path) / (mean or 1))
            scores[path] = scores.get(path, 0.0) + rarity * times * (_SATURATION + 1) / damped
    return dict(sorted(scores.items()))


def _count(path: str, note: object) -> Counter[str]:
    head = [path.removesuffix(".md")]
    texts: list[str] = []
    if isinstance(note, Note):
        front = note.frontmatter
        head += [note.title, *([front.name, front.description] if front else [])]
        texts = [*(entry.key for entry in note.entries), *note.other]
    counts = Counter(dict.fromkeys(word_set(" ".join(head)), _HEAD))
    for text in texts:
        counts.update(word_set(text))
    return counts
