"""Which entry of a result stands for each entry that goes, found without comparing each with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from dream.guards.vocabulary import content_words
from dream.memory.notes import Entry

MOST_COMPARED = 20
"""With how many entries of a result, those with most words in common, one that goes is compared word by word."""


class Heirs:
    """The entries of a result, by their words."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Read the words of `entries` once."""
        self.entries = tuple(entries)
        self._holders: dict[str, list[int]] = {}
        for number, entry in enumerate(self.entries):
            for word in content_words(entry.key):
                self._holders.setdefault(word, []).append(number)

    def of(self, entry: Entry) -> Entry | None:
        """Return the entry that has most of an entry's words, the first of several; None where there is none at all."""
        return next(iter(self.nearest(entry, most=1)), None)

    def nearest(self, entry: Entry, *, most: int = MOST_COMPARED) -> Iterable[Entry]:
        """Return the `most` entries that have most of an entry's words, those that stand first before the others."""
        shared: Counter[int] = Counter()
        for word in content_words(entry.key):
            shared.update(self._holders.get(word, ()))
        if len(shared) < most:
            shared.update(dict.fromkeys(range(min(most, len(self.entries))), 0))
        ordered = sorted(shared, key=lambda number: (-shared[number], self.entries[number].start))
        return [self.entries[number] for number in ordered[:most]]
