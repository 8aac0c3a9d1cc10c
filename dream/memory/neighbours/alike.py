"""Statements and notes that have most of their words in common, found in a memory of any size.

The words of every entry are kept by blob id, so that a night reads only what it does not know and compares only what
changed with all there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from dream.memory.neighbours.joining import FEWEST_WORDS, JoinLimits, jaccard, join, rarest
from dream.memory.neighbours.words import Words
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import Tree

_SKETCH = 16


class At(NamedTuple):
    """An entry by its note and its number in it."""

    path: str
    entry: int


class Alike(NamedTuple):
    """Two entries in the order of their paths, and the Jaccard of their words, 0 to 1."""

    one: At
    other: At
    jaccard: float


class Neighbours:
    """The words of the entries of topic notes, by blob id; everything is found in the same order every time.

    `left_out` counts the entries that were too long to be compared, `cut` how often so many were alike that not each
    was compared with each.
    """

    def __init__(self, *, limits: JoinLimits = JoinLimits()) -> None:  # noqa: B008 - frozen
        """Know nothing yet."""
        self.cut = 0
        self.read = 0
        self._limits = limits
        self._words = Words()
        self._paths: dict[int, list[str]] = {}
        self._at: dict[str, int] = {}
        self._held: dict[int, Sequence[int]] = {}

    @classmethod
    def load(cls, data: bytes, *, limits: JoinLimits = JoinLimits()) -> Neighbours:  # noqa: B008 - frozen
        """Return what `dump` kept; nothing known where `data` is damaged, of another version or of something else."""
        known = cls(limits=limits)
        known._words = Words.load(data)
        return known

    @property
    def left_out(self) -> int:
        """How many entries were too long to be compared."""
        return self._words.left_out

    def dump(self) -> bytes:
        """Return what is known of the notes taken last, for `load`."""
        return self._words.dump(sorted(self._paths))

    def take(self, tree: Tree, notes: NoteCache, paths: Iterable[str]) -> None:
        """Take the topic notes among `paths` for the whole memory; only those of unknown blobs are read."""
        self._paths, self._at, self._held = {}, {}, {}
        self.read = 0
        numbers = {blob: number for number, blob in enumerate(self._words.blobs)}
        for path in paths:
            blob = tree.blob(path) if is_topic(path) else None
            if blob is None:
                continue
            number = numbers.get(blob)
            if number is None:
                number = numbers[blob] = self._words.add(blob, notes.note(tree, path))
                self.read += 1
            self._paths.setdefault(number, []).append(path)
            self._at[path] = number

    @property
    def is_news(self) -> bool:
        """Whether what is known differs from what was kept: blobs were read, or have gone."""
        return self.read > 0 or len(self._paths) < len(self._words.blobs)

    def near(self, words: frozenset[str], *, alike: float) -> list[tuple[str, int, float]]:
        """Return the entries whose words have a Jaccard of at least `alike` with `words`, nearest first."""
        return self.nearest([words], alike=alike).get(words, [])

    def nearest(
        self, asked: Iterable[frozenset[str]], *, alike: float
    ) -> dict[frozenset[str], list[tuple[str, int, float]]]:
        """Return what `near` does for each of `asked` that anything is near to, in one pass."""
        known = {words: self._words.known(words) for words in asked if len(words) >= FEWEST_WORDS}
        holders = self._holders({number for numbers in known.values() for number in numbers})
        found: dict[frozenset[str], list[tuple[str, int, float]]] = {}
        for words, numbers in known.items():
            near: list[tuple[str, int, float]] = []
            for entry, common in Counter(chain.from_iterable(map(holders.__getitem__, numbers))).items():
                score = common / (len(words) + self._words.size(entry) - common)
                if score >= alike:
                    near += [
                        (path, self._words.entry_of[entry], score) for path in self._paths[self._words.blob_of[entry]]
                    ]
            if near:
                found[words] = sorted(near, key=lambda one: (-one[2], one[0], one[1]))
        return found

    def pairs(self, changed: Collection[str] | None, *, alike: float) -> Iterator[Alike]:
        """Yield the entries that are alike: of all notes where `changed` is None, else those with a side in it.

        In the order of their paths. Of notes with the same bytes the first by path stands for all.
        """
        living = self._words.entries(self._paths)
        if changed is None:
            joined = join([self._words.of(entry) for entry in living], alike=alike, limits=self._limits)
            self.cut += joined.cut
            pairs = {(living[one], living[other]): score for (one, other), score in joined.pairs.items()}
        else:
            pairs = self._probe(self._words.entries({self._at[path] for path in changed if path in self._at}), alike)
        yield from sorted(self._alike(one, other, score) for (one, other), score in pairs.items())

    def holding(self, asked: Collection[frozenset[str]]) -> dict[frozenset[str], list[At]]:
        """Return the entries that hold all words of each of `asked`; none where every one of them is common."""
        known = {words: self._words.all_known(words) for words in asked}
        rare = {words: min(numbers, key=self._words.counts.__getitem__) for words, numbers in known.items() if numbers}
        holders = self._holders(set(rare.values()))
        found: dict[frozenset[str], list[At]] = {}
        for words, word in rare.items():
            if len(holders[word]) <= self._limits.holding:
                found[words] = [self._place(entry) for entry in holders[word] if known[words] <= self._words.of(entry)]
        return found

    def notes_alike(self, changed: Collection[str] | None, *, alike: float) -> Iterator[tuple[str, str, float]]:
        """Yield two notes each with the Jaccard of all their words, `pairs` for whole notes.

        Only notes that hold half of the rarest words of another are compared with it, which finds all but a few.
        """
        asked = self._paths if changed is None else {self._at[path] for path in changed if path in self._at}
        ranks = self._words.ranks()
        sketches = {blob: self._sketch(blob, ranks) for blob in sorted(asked)}
        holders = self._notes_holding({word for sketch in sketches.values() for word in sketch})
        found: dict[tuple[int, int], float] = {}
        for blob, sketch in sketches.items():
            shared = Counter(chain.from_iterable(holders.get(word, ()) for word in sketch))
            for other, common in shared.items():
                if other != blob and 2 * common >= len(sketch) and (min(blob, other), max(blob, other)) not in found:
                    score = jaccard(self._words.of_note(blob), self._words.of_note(other))
                    found[min(blob, other), max(blob, other)] = score
        ordered: list[tuple[str, str, float]] = []
        for (one, other), score in found.items():
            first, second = sorted((self._paths[one][0], self._paths[other][0]))
            if score >= alike:
                ordered.append((first, second, score))
        yield from sorted(ordered)

    def _sketch(self, blob: int, ranks: Sequence[int]) -> list[int]:
        """Return the rarest words of a note that another entry has as well."""
        words = [word for word in self._words.of_note(blob) if self._words.counts[word] > 1]
        return sorted(words, key=ranks.__getitem__)[:_SKETCH]

    def _notes_holding(self, wanted: Collection[int]) -> dict[int, list[int]]:
        """Return the notes that hold each of `wanted`, without the words that many do."""
        holders = self._holders(wanted)
        held = {
            word: sorted({self._words.blob_of[entry] for entry in entries})
            for word in wanted
            if len(entries := holders[word]) <= self._limits.common
        }
        return {word: blobs for word, blobs in held.items() if len(blobs) <= self._limits.block}

    def _holders(self, wanted: Collection[int]) -> Mapping[int, Sequence[int]]:
        """Return the living entries that hold each of `wanted`; what was found once is kept."""
        missing = [word for word in wanted if word not in self._held]
        is_whole = len(self._paths) == len(self._words.blobs)
        for word, entries in self._words.holders(frozenset(missing)) if missing else ():
            living = entries if is_whole else [one for one in entries if self._words.blob_of[one] in self._paths]
            self._held[word] = living
        return self._held

    def _probe(self, entries: Collection[int], alike: float) -> dict[tuple[int, int], float]:
        """Return the pairs that `entries` are in, found by the rarest words of each."""
        heads = {entry: rarest(self._words.of(entry), alike=alike, counts=self._words.counts) for entry in entries}
        near = {
            word
            for entry in entries
            for word in self._words.of(entry)
            if self._words.counts[word] <= self._limits.holding
        }
        holders = self._holders(near.union(*heads.values()))
        found: dict[tuple[int, int], float] = {}
        for entry, head in heads.items():
            asked = [holders[word] for word in head if len(holders[word]) <= self._limits.common]
            self.cut += len(asked) < len(head)
            words = self._words.of(entry)
            shared = Counter(chain.from_iterable(asked))
            for other in [other for other, count in shared.items() if count > 1]:
                if other != entry and (score := jaccard(words, self._words.of(other))) >= alike:
                    found[min(entry, other), max(entry, other)] = score
        return found

    def _alike(self, one: int, other: int, score: float) -> Alike:
        first, second = sorted((self._place(one), self._place(other)))
        return Alike(first, second, score)

    def _place(self, entry: int) -> At:
        return At(self._paths[self._words.blob_of[entry]][0], self._words.entry_of[entry])
