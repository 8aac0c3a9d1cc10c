"""The units of a memory that loss is counted in, and an index over those of one tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dream.memory.completed import without_completed
from dream.memory.disputes import is_dispute
from dream.memory.notes import Note, NoteCache, Unreadable, parse_note
from dream.memory.paths import is_topic
from dream.memory.similarity import similarity
from dream.memory.tree import Tree

_TASKS = "tasks.md"
_REVISED_SIMILARITY = 0.6
_REVISED_LENGTH = 0.5
_MOST_COMPARISONS = 40_000

_Holders = dict[str, int | list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class NoteUnits:
    """The units of one note: its entries by key, each with its lines, and its other lines.

    Each unit counts once, however often it stands there: two identical entries that become one are no loss. `lines`
    holds every line, so that an entry is found again in a note whose style has changed around it. Lines are stripped;
    those without a letter or digit (rules, fences) tell nothing and count nowhere. Compared by identity: `BaseUnits`
    makes one for each note.
    """

    entries: Mapping[str, tuple[str, ...]]
    other: frozenset[str]
    lines: frozenset[str]
    signature: tuple[frozenset[str], frozenset[str]]

    @property
    def count(self) -> int:
        """How many units the note has."""
        return len(self.entries) + len(self.other)


def _units(entries: Mapping[str, tuple[str, ...]], other: Collection[str], lines: Collection[str]) -> NoteUnits:
    others = frozenset(other)
    return NoteUnits(MappingProxyType(entries), others, frozenset(lines), (frozenset(entries), others))


_NO_UNITS = _units({}, (), ())


@dataclass(frozen=True, slots=True)
class Found:
    """What of a base note stands in some notes of a tip: keys of its entries, and its other lines."""

    entries: frozenset[str]
    other: frozenset[str]


class BaseUnits:
    """The units of every topic note of one tree, indexed once and asked as often as there are operations.

    `tree` must stay as it is. `notes` is shared with whoever else reads notes tonight. What was compared once is kept,
    because each operation is measured together with all that were before it.
    """

    def __init__(self, tree: Tree, notes: NoteCache) -> None:
        """Read every topic note of `tree`."""
        self.tree = tree
        self.paths = tuple(path for path in tree.paths() if is_topic(path))
        self.statement_count = 0
        self._notes = notes
        self._known: dict[tuple[str, bool], NoteUnits] = {}
        self._found: dict[tuple[NoteUnits, tuple[NoteUnits, ...]], Found] = {}
        self._closest: dict[NoteUnits, frozenset[str]] = {}
        self._entry_holders: _Holders = {}
        self._line_holders: _Holders = {}
        for number, path in enumerate(self.paths):
            note, blob = notes.note(tree, path), tree.blob(path) or ""
            keys, lines = _unit_names(note, blob, counts_completed=_counts_completed(path))
            self.statement_count += len(keys)
            _add_holder(self._entry_holders, keys, number)
            _add_holder(self._line_holders, lines, number)

    def units(self, path: str) -> NoteUnits:
        """Return the units of the note at `path` in this tree; none where there is none.

        Completed tasks in a `tasks.md`, also those in what stays, are no units: clearing them is housekeeping.
        """
        return self._read(self.tree, path, counts_completed=_counts_completed(path))

    def units_in(self, tip: Tree, path: str) -> NoteUnits:
        """Return the units of the note at `path` in another tree; what was asked for before is not read again."""
        return self._read(tip, path, counts_completed=True)

    def _read(self, tree: Tree, path: str, *, counts_completed: bool) -> NoteUnits:
        blob = tree.blob(path)
        if blob is None:
            return _NO_UNITS
        known = self._known.get((blob, counts_completed))
        if known is None:
            note = self._notes.note(tree, path)
            known = self._known[blob, counts_completed] = _read_units(note, blob, counts_completed=counts_completed)
        return known

    def holds(self, path: str) -> bool:
        """Whether `path` is a topic note of this tree."""
        return is_topic(path) and self.tree.blob(path) is not None

    def entry_holders(self, key: str) -> int:
        """Return how many notes of this tree hold an entry with this key."""
        found = self._entry_holders.get(key)
        return len(found) if isinstance(found, list) else int(found is not None)

    def find(self, wanted: NoteUnits, in_notes: Sequence[NoteUnits]) -> Found:
        """Return what of `wanted`, units of one base note, stands in any of `in_notes`.

        An entry stands there with its key, with all of its lines, or revised: as an entry that no base note has, alike
        to 60 % and at least half as long. Each revised entry stands for one that it was, the most alike first.
        """
        known = self._found.get((wanted, (*in_notes,)))
        if known is None:
            known = self._found[wanted, (*in_notes,)] = self._find(wanted, in_notes)
        return known

    def closest(self, units: NoteUnits) -> frozenset[str]:
        """Return the paths of the base notes that most of `units` are in; nothing where none of them is in any."""
        known = self._closest.get(units)
        if known is None:
            known = self._closest[units] = self._count_closest(units)
        return known

    def _find(self, wanted: NoteUnits, in_notes: Sequence[NoteUnits]) -> Found:
        keys: set[str] = set().union(*(note.entries for note in in_notes))
        found = {
            key
            for key, lines in wanted.entries.items()
            if key in keys or any(note.lines.issuperset(lines) for note in in_notes)
        }
        missing = [key for key in wanted.entries if key not in found]
        if missing:
            found |= _revised(missing, [key for key in keys if not self.entry_holders(key)])
        other = frozenset(line for line in wanted.other if any(line in note.lines for note in in_notes))
        return Found(frozenset(found), other)

    def _count_closest(self, units: NoteUnits) -> frozenset[str]:
        counts: Counter[int] = Counter()
        for holders, names in ((self._entry_holders, units.entries), (self._line_holders, units.lines)):
            for name in names:
                found = holders.get(name, [])
                counts.update(found if isinstance(found, list) else (found,))
        most = max(counts.values(), default=0)
        return frozenset(self.paths[number] for number, count in counts.items() if count == most)


def _counts_completed(path: str) -> bool:
    return path.rpartition("/")[2] != _TASKS


def _unit_names(note: Note | Unreadable, blob: str, *, counts_completed: bool) -> tuple[set[str], set[str]]:
    """Return the keys of a note's entries and its other lines; what cannot be read is one unit, its bytes."""
    if isinstance(note, Unreadable):
        return set(), {f"bytes {blob}"}
    read = note if counts_completed else _without_completed(note)
    return {entry.key for entry in read.entries if _tells(entry.key)}, set(_telling(read.other))


def _without_completed(note: Note) -> Note:
    text = without_completed(note.text)
    read = note if text == note.text else parse_note(text.encode())
    return read if isinstance(read, Note) else note


def _read_units(note: Note | Unreadable, blob: str, *, counts_completed: bool) -> NoteUnits:
    keys, other = _unit_names(note, blob, counts_completed=counts_completed)
    if isinstance(note, Unreadable):
        return _units({}, other, other)
    read = note if counts_completed else _without_completed(note)
    entries = {entry.key: tuple(_telling(entry.raw.split("\n"))) for entry in read.entries if entry.key in keys}
    return _units(entries, other, frozenset(_telling(read.lines)))


def _telling(lines: Sequence[str]) -> Iterator[str]:
    return (line.removeprefix("\ufeff").strip() for line in lines if _tells(line) and not is_dispute(line))


def _tells(text: str) -> bool:
    return any(map(str.isalnum, text))


def _revised(missing: Sequence[str], new: Sequence[str]) -> set[str]:
    """Return those of `missing` that one of `new` is a revision of, each of `new` used once."""
    found: set[str] = set()
    if len(missing) * len(new) > _MOST_COMPARISONS:
        return found
    pairs = [
        (-similarity(key, other, cutoff=_REVISED_SIMILARITY), key, other)
        for key in missing
        for other in new
        if len(other) >= _REVISED_LENGTH * len(key)
    ]
    used: set[str] = set()
    for alike, key, other in sorted(pairs):
        if -alike >= _REVISED_SIMILARITY and key not in found and other not in used:
            found.add(key)
            used.add(other)
    return found


def _add_holder(holders: _Holders, names: set[str], number: int) -> None:
    for name in names:
        found = holders.get(name)
        if found is None:
            holders[name] = number
        elif isinstance(found, list):
            found.append(number)
        else:
            holders[name] = [found, number]
