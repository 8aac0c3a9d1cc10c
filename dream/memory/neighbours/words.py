"""The words of entries as numbers, kept by the blob ids of their notes."""

from __future__ import annotations

import re
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise

from dream.memory.neighbours.joining import FEWEST_WORDS
from dream.memory.neighbours.packing import pack, unpack
from dream.memory.notes import Entry, Note
from dream.memory.similarity import word_set

MOST_WORDS = 1_000
"""An entry of more distinct words is a document, and compared with none."""

_KEPT = "neighbours 2"
_PLAIN = re.compile(r"[a-z0-9]+")


class Words:
    """The distinct words of each entry, entries and blobs in the order in which they were added.

    `blobs` are the ids of the notes; `blob_of` and `entry_of` say of which note an entry is, and which of it; `counts`
    say in how many entries a word is. `left_out` counts the entries that were too long to be compared.
    """

    def __init__(self) -> None:
        """Know nothing yet."""
        self.left_out = 0
        self.blobs: list[str] = []
        self.blob_of = array("I")
        self.entry_of = array("I")
        self.counts = array("I")
        self._numbers: dict[str, int] = {}
        self._words = array("I")
        self._starts = array("I", [0])
        self._spans: list[tuple[int, int]] = []
        self._kept_entries = 0
        self._holding = array("I")
        self._ends = array("I")

    @classmethod
    def load(cls, data: bytes) -> Words:
        """Return what `dump` kept; nothing where `data` is damaged, of another version or of something else."""
        known = cls()
        found = unpack(_KEPT, data)
        if found is None:
            return known
        (words, known.blobs), numbers = found
        known.counts, known._words, known._starts, known.blob_of, known.entry_of, ends, known._holding = numbers
        known._ends = array("I", accumulate(known.counts))
        known._numbers = {word: number for number, word in enumerate(words)}
        known._spans = list(pairwise((0, *ends)))
        known._kept_entries = len(known.blob_of)
        return known

    def dump(self, blobs: Iterable[int]) -> bytes:
        """Return what is known of some of the notes, for `load`."""
        kept = Words()
        names = list(self._numbers)
        for blob in blobs:
            kept.blobs.append(self.blobs[blob])
            first = len(kept.blob_of)
            for entry in range(*self._spans[blob]):
                kept._hold([names[word] for word in self._numbers_in(entry)], self.entry_of[entry])
            kept._spans.append((first, len(kept.blob_of)))
        ends = array("I", (last for _, last in kept._spans))
        numbers = [kept.counts, kept._words, kept._starts, kept.blob_of, kept.entry_of, ends, kept._by_word()]
        return pack(_KEPT, [list(kept._numbers), kept.blobs], numbers)

    def add(self, blob: str, note: object) -> int:
        """Add the entries of a note, none where it is none; return the number of its blob."""
        first = len(self.blob_of)
        self.blobs.append(blob)
        for place, entry in enumerate(note.entries if isinstance(note, Note) else ()):
            words = _words_of(entry)
            if len(words) > MOST_WORDS:
                self.left_out += 1
            elif len(words) >= FEWEST_WORDS:
                self._hold(words, place)
        self._spans.append((first, len(self.blob_of)))
        return len(self.blobs) - 1

    def known(self, words: Iterable[str]) -> frozenset[int]:
        """Return the numbers of those of `words` that any entry has."""
        return frozenset(self._numbers[word] for word in words if word in self._numbers)

    def all_known(self, words: Iterable[str]) -> frozenset[int]:
        """Return the numbers of `words`; none where no entry has one of them."""
        numbers = [self._numbers.get(word) for word in words]
        return frozenset() if None in numbers else frozenset(number for number in numbers if number is not None)

    def of(self, entry: int) -> frozenset[int]:
        """Return the words of an entry."""
        return frozenset(self._numbers_in(entry))

    def size(self, entry: int) -> int:
        """Return how many words an entry has."""
        return self._starts[entry + 1] - self._starts[entry]

    def entries(self, blobs: Iterable[int]) -> list[int]:
        """Return the entries of notes, in the order of these."""
        return [entry for blob in sorted(blobs) for entry in range(*self._spans[blob])]

    def of_note(self, blob: int) -> frozenset[int]:
        """Return the words of all entries of a note."""
        first, last = self._spans[blob]
        return frozenset(self._words[self._starts[first] : self._starts[last]])

    def ranks(self) -> Sequence[int]:
        """Return for each word how many are rarer."""
        ranks = array("I", bytes(self.counts.itemsize * len(self.counts)))
        for place, word in enumerate(sorted(range(len(self.counts)), key=self.counts.__getitem__)):
            ranks[word] = place
        return ranks

    def holders(self, wanted: Collection[int]) -> Iterator[tuple[int, Sequence[int]]]:
        """Yield each of the `wanted` words with the entries that hold it, in their order.

        Those that were kept are looked up; only entries that were added since are gone through.
        """
        since: dict[int, list[int]] = {}
        for entry in range(self._kept_entries, len(self.blob_of)):
            for word in self._numbers_in(entry):
                if word in wanted:
                    since.setdefault(word, []).append(entry)
        for word in wanted:
            yield word, [*self._kept_holders(word), *since.get(word, ())]

    def _kept_holders(self, word: int) -> Sequence[int]:
        if word >= len(self._ends):
            return ()
        return self._holding[self._ends[word - 1] if word else 0 : self._ends[word]]

    def _by_word(self) -> array[int]:
        """Return the entries that hold the first word, then those that hold the second, and so on."""
        places = array("I", chain((0,), accumulate(self.counts)))
        holding = array("I", bytes(self._words.itemsize * len(self._words)))
        for entry in range(len(self.blob_of)):
            for word in self._numbers_in(entry):
                holding[places[word]] = entry
                places[word] += 1
        return holding

    def _numbers_in(self, entry: int) -> Sequence[int]:
        return self._words[self._starts[entry] : self._starts[entry + 1]]

    def _hold(self, words: Collection[str], place: int) -> None:
        """Add the entry at `place` of the last blob."""
        self._words.extend(map(self._number, words))
        self._starts.append(len(self._words))
        self.blob_of.append(len(self.blobs) - 1)
        self.entry_of.append(place)

    def _number(self, word: str) -> int:
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self.counts)
            self.counts.append(0)
        self.counts[number] += 1
        return number


def _words_of(entry: Entry) -> Collection[str]:
    """Return the words of an entry in an order that is the same every time; plain text costs a third."""
    key = entry.key
    return dict.fromkeys(_PLAIN.findall(key.lower())) if key.isascii() else sorted(word_set(key))
