"""What a memory says already that is like a statement which is about to be written, found without an index.

A note is read as Markdown only where its text holds enough of the statement's words, so that a thousand notes take a
tenth of a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log

from dream.guards.duplicates import STRONG_MATCH, relation, tells_another_value
from dream.memory.notes import Entry, Note, NoteCache
from dream.memory.paths import Kind, kind_of
from dream.memory.similarity import specifics, word_set
from dream.memory.tree import Tree

MOST_NOTES = 48
"""Notes that are read for one statement, those with most of its words first, rare ones counting for more."""

_SEARCHED = frozenset({Kind.TOPIC, Kind.PREFERENCE, Kind.LEARNING})
_SLACK = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """An entry that is like the one asked about: where it stands, how alike it is, 0 to 1, and in what way.

    `reason` is `already-written`, `near-duplicate` (another value of the same thing), or `similar`, which is no strong
    match. `ours` and `theirs` are the specifics that only one of the two has.
    """

    path: str
    entry: Entry
    alike: float
    reason: str
    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()

    @property
    def is_strong(self) -> bool:
        """Whether it should be revised, or left as it is, rather than another one written."""
        return self.reason != "similar"


class Likeness:
    """Finds what is like a statement among the topic notes, preferences and learnings of one tree."""

    def __init__(self, tree: Tree, notes: NoteCache, *, alike: float = 0.5, same: float = STRONG_MATCH) -> None:
        """Read the text of the notes; `alike` is the share of words from which, `same` that of a strong match."""
        self._tree = tree
        self._notes = notes
        self._alike = alike
        self._same = same
        self._texts = [
            (path, data.decode(errors="replace").casefold())
            for path in tree.paths()
            if kind_of(path) in _SEARCHED and (data := tree.read(path)) is not None
        ]

    def find(self, entry: Entry) -> list[Like]:
        """Return what is like `entry`: strong matches first, then the most alike, in the same order every time."""
        found = [
            like
            for path in self._promising(word_set(entry.key))
            if isinstance(note := self._notes.note(self._tree, path), Note)
            for like in self._compared(path, entry, note.entries)
        ]
        order = {"already-written": 0, "near-duplicate": 1, "similar": 2}
        return sorted(found, key=lambda like: (order[like.reason], -like.alike, like.path, like.entry.start))

    def _promising(self, words: frozenset[str]) -> list[str]:
        """Return the notes that hold enough of `words`; a share `alike` of all takes at least that share of ours."""
        least = max(1, ceil(len(words) * self._alike * _SLACK))
        held = [(path, [word for word in words if word in text]) for path, text in self._texts]
        holders = Counter(word for _, found in held for word in found)
        weights = {word: log(1 + len(held) / count) for word, count in holders.items()}
        enough = [(path, found) for path, found in held if len(found) >= least]
        if len(enough) > MOST_NOTES:
            texts = dict(self._texts)
            enough.sort(key=lambda one: (-_best_line(texts[one[0]], one[1], weights), one[0]))
        return [path for path, _ in enough[:MOST_NOTES]]

    def _compared(self, path: str, entry: Entry, others: Sequence[Entry]) -> Iterator[Like]:
        words, said = word_set(entry.key), specifics(entry.key)
        for other in others:
            theirs = word_set(other.key)
            shared = len(words & theirs) / (len(words | theirs) or 1)
            reason, alike = relation(entry, other, same=self._same)
            told = specifics(other.key) if alike < 1 else said
            if not reason and tells_another_value(entry, other):
                reason = "near-duplicate"
            if not reason and shared < self._alike:
                continue
            yield Like(
                path=path,
                entry=other,
                alike=max(alike, shared),
                reason=reason or "similar",
                ours=tuple(sorted(said - told)),
                theirs=tuple(sorted(told - said)),
            )


def _best_line(text: str, words: Sequence[str], weights: Mapping[str, float]) -> float:
    """Return how much of `words` the line with most of them holds: an entry is a line more often than not."""
    return max(sum(weights[word] for word in words if word in line) for line in text.split("\n"))
