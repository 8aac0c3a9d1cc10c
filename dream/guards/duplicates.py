"""Overwrite, do not append: what is written already is not written again, and nothing is written for a date alone."""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log
from typing import NamedTuple

from dream.guards.vocabulary import content_words, is_negation, is_value
from dream.guards.wording import span_text, written_text
from dream.memory.notes import Entry, Note, NoteCache, entries_in
from dream.memory.operations import Add, Proposal, Refusal, Revise
from dream.memory.paths import Kind, is_topic, kind_of
from dream.memory.pinned import BrokenCheck, PinnedCheck, pinned_checks
from dream.memory.similarity import similarity, specifics, word_set
from dream.memory.tree import Tree

STRONG_MATCH = 0.85
_MOST_CANDIDATES = 48
_COMMON = 2_000
_FEWEST_NAMES = 2
_PLAIN_WORD = re.compile(r"[a-z0-9]+")


class StatementIndex:
    """Finds the topic notes that may hold a statement, by its rarest words; a note's words are read once by blob id."""

    def __init__(self, notes: NoteCache) -> None:
        """Read notes through `notes`; nothing is read before the first question."""
        self._notes = notes
        self._word_numbers: dict[str, int] = {}
        self._blob_numbers: dict[str, int] = {}
        self._postings: dict[int, array[int]] = defaultdict(lambda: array("I"))
        self._paths_of: dict[int, set[str]] = defaultdict(set)
        self._number_at: dict[str, int] = {}

    def refresh(self, tree: Tree, paths: Iterable[str]) -> None:
        """Take `paths` as they stand in `tree` now."""
        for path in paths:
            old = self._number_at.pop(path, None)
            if old is not None:
                self._paths_of[old].discard(path)
            blob = tree.blob(path)
            if blob is None or not is_topic(path):
                continue
            number = self._blob_numbers.get(blob)
            if number is None:
                number = self._read(tree, path, blob)
            self._number_at[path] = number
            self._paths_of[number].add(path)

    def candidates(self, words: frozenset[str]) -> list[str]:
        """Return the paths of notes that share the rarest of `words`, most promising first.

        Two statements whose word sets have a Jaccard of one half share at least one of the rarer half of the words of
        either (prefix filtering); beyond 48 notes the least specific are left out.
        """
        scores = self._scores(words, most=len(words) // 2 + 1)
        ranked = sorted(scores, key=lambda number: (-scores[number], number))
        return sorted({path for number in ranked[:_MOST_CANDIDATES] for path in self._paths_of[number]})

    def scores(self, words: frozenset[str], *, most: int) -> dict[str, float]:
        """Return the notes that share the `most` rarest of `words`, each with how many and how rare these are."""
        scores = self._scores(words, most=most)
        return {path: score for number, score in scores.items() for path in self._paths_of[number]}

    def _scores(self, words: frozenset[str], *, most: int) -> Counter[int]:
        known = [self._postings[number] for word in words if (number := self._word_numbers.get(word)) is not None]
        known.sort(key=len)
        scores: Counter[int] = Counter()
        for place, posting in enumerate(known[:most]):
            if place > 1 and len(posting) > _COMMON:
                break
            weight = log(1 + len(self._blob_numbers) / len(posting))
            for number in posting:
                if self._paths_of[number]:
                    scores[number] += weight  # type: ignore[assignment]  # a Counter sums floats as well
        return scores

    def _read(self, tree: Tree, path: str, blob: str) -> int:
        number = self._blob_numbers[blob] = len(self._blob_numbers)
        note = self._notes.note(tree, path)
        if isinstance(note, Note):
            for word in _words("\n".join(entry.key for entry in note.entries)):
                self._postings[self._word_numbers.setdefault(word, len(self._word_numbers))].append(number)
        return number


class _Match(NamedTuple):
    """What stands in the way of an add, ordered: the same statement before one like it, then the more alike."""

    is_same: bool
    alike: float
    is_here: bool
    place: str

    @property
    def reason(self) -> str:
        return "already-written" if self.is_same else "near-duplicate"


class DuplicateGuard:
    """Refuses to add what a topic note says already, and to revise nothing but a date."""

    def __init__(self, notes: NoteCache, *, same: float = STRONG_MATCH) -> None:
        """Index topic notes at the first add; from then on only what proposals touched can differ.

        Statements from `same` on, 0 to 1, are alike enough that one is to be revised instead.
        """
        self._notes = notes
        self._same = same
        self._index = StatementIndex(notes)
        self._is_indexed = False
        self._touched: set[str] = set()

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `already-written`, `near-duplicate` (its detail is the entry to revise) or `timestamp-only`."""
        match proposal.operation:
            case Add() as operation:
                refusal = self._standing(operation, proposal.before)
            case Revise() as operation:
                refusal = _timestamp_only(span_text(operation.span, proposal.before), operation.new)
            case _:
                refusal = None
        self._touched |= proposal.touched
        return refusal

    def _standing(self, operation: Add, before: Tree) -> Refusal | None:
        for entry in entries_in(written_text(operation)):
            nearest = max(self._matches(operation.path, entry, before), default=None)
            if nearest:
                return Refusal(nearest.reason, nearest.place)
        return None

    def _matches(self, path: str, entry: Entry, before: Tree) -> Iterator[_Match]:
        for place in self._where(path, entry, before):
            note = self._notes.note(before, place)
            for other in note.entries if isinstance(note, Note) else ():
                reason, alike = relation(entry, other, same=self._same)
                if reason and not _tells_of_another(path, entry, other):
                    yield _Match(reason == "already-written", alike, place == path, f"{place}:{other.start + 1}")

    def _where(self, path: str, entry: Entry, before: Tree) -> Iterator[str]:
        """Yield the note itself, and for a topic note those that may say the same."""
        if before.blob(path) is not None:
            yield path
        if is_topic(path):
            self._index.refresh(before, self._touched if self._is_indexed else before.paths())
            self._is_indexed = True
            yield from (other for other in self._index.candidates(word_set(entry.key)) if other != path)


def _tells_of_another(path: str, entry: Entry, other: Entry) -> bool:
    """Whether two lines of a day's note are about two threads, however alike they read: each cites its own."""
    return (
        kind_of(path) is Kind.DAILY
        and bool(entry.sources and other.sources)
        and not {*entry.sources} & {*other.sources}
    )


def _words(text: str) -> Iterable[str]:
    """Return what `word_set` does, of plain text at a fifth of the cost: a night may ask this of every note."""
    return set(_PLAIN_WORD.findall(text.lower())) if text.isascii() else word_set(text)


def relation(entry: Entry, other: Entry, *, same: float = STRONG_MATCH) -> tuple[str, float]:
    """Return why `entry` is not to stand beside `other`, empty where it may, and how alike they are.

    The reason is `already-written`, or `near-duplicate` where another value is told of the same thing.
    Two statements that are worded alike may be about two things: then each has a name or a word that the other lacks.
    """
    alike = similarity(entry.key, other.key, cutoff=same)
    if alike == 1:
        return "already-written", alike
    if not alike:
        return "", alike
    ours, theirs = specifics(entry.key), specifics(other.key)
    new, old = _names(entry.key, ours) - _names(other.key, theirs), _names(other.key, theirs) - _names(entry.key, ours)
    if new and old:
        return "", alike
    says_nothing_new = not new and ours <= theirs and not any(map(is_negation, theirs - ours))
    return ("already-written" if says_nothing_new else "near-duplicate"), alike


def differs_in_value_alone(entry: Entry, other: Entry) -> bool:
    """Whether two statements are about one thing by every word: what only one of them names may be another thing."""
    return _names(entry.key, specifics(entry.key)) == _names(other.key, specifics(other.key))


def tells_another_value(entry: Entry, other: Entry) -> bool:
    """Whether `entry` says in no other words than `other`, which may say more, that a value is another one."""
    ours, theirs = specifics(entry.key), specifics(other.key)
    named = _names(entry.key, ours)
    if len(named) < _FEWEST_NAMES or not named <= _names(other.key, theirs):
        return False
    return all(any(is_value(one) and not is_negation(one) for one in side) for side in (ours - theirs, theirs - ours))


def _names(key: str, of_key: frozenset[str]) -> frozenset[str]:
    """Return what says which thing a statement is about: its content words and names, without its values."""
    values = frozenset().union(*(content_words(specific) for specific in of_key if is_value(specific)))
    words = frozenset(word for word in content_words(key) - values if not word.isdigit())
    return words | frozenset(specific for specific in of_key if not is_value(specific))


def _timestamp_only(old: str, new: str) -> Refusal | None:
    before, after = entries_in(old), entries_in(new)
    if not before or [_substance(entry) for entry in before] != [_substance(entry) for entry in after]:
        return None
    others_before, others_after = _lines_outside(old, before), _lines_outside(new, after)
    return Refusal("timestamp-only") if others_before == others_after else None


def _substance(entry: Entry) -> tuple[str, frozenset[str], bool, tuple[PinnedCheck | BrokenCheck, ...]]:
    return entry.key, frozenset(entry.sources), entry.tentative, pinned_checks(entry.raw)


def _lines_outside(text: str, entries: Iterable[Entry]) -> list[str]:
    inside = {number for entry in entries for number in range(entry.start, entry.end)}
    return [line.strip() for number, line in enumerate(text.split("\n")) if number not in inside and line.strip()]
