"""Index, loss and the look-up of near duplicates on large memories, beside the plainest way of doing the same."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from bench.figures.making import DAY, Words, memory
from bench.figures.measuring import Row, cold_and_warm, processor_seconds, seconds, shown
from dream.guards.duplicates import StatementIndex
from dream.memory.index.rewrite import rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.loss import measure_loss
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.similarity import word_set
from dream.memory.tree import MappingTree, OverlayTree
from dream.memory.units import BaseUnits


def index(*, short: bool) -> Iterator[Row]:
    """Make the index of a memory afresh."""
    notes = 1_000 if short else 10_000
    tree = _tree(notes)
    changed = dict.fromkeys(tree.paths(), date(2026, 10, 1))
    cache = NoteCache()

    def write() -> None:
        rewrite_index(tree, cache, changed=changed, today=DAY.date(), limits=IndexLimits(), landed=None, renames={})

    cold, warm = cold_and_warm(write)
    plain = seconds(lambda: [(tree.read(path) or b"").split(b"\n", 1)[0] for path in tree.paths()])[0]
    yield Row(
        what=f"index and catalog of {notes:,} notes",
        cold=shown(cold),
        warm=shown(warm),
        reference=f"reading every first line: {shown(plain)}",
    )


def loss(*, short: bool) -> Iterator[Row]:
    """Measure what a tip with 25 changed notes has lost."""
    notes = 1_000 if short else 10_000
    tree = _tree(notes)
    paths = [path for path in tree.paths() if path != "MEMORY.md"]
    changes = {
        path: (tree.read(path) or b"").replace(b"- 2026-0", b"- 2025-0", 2) for path in paths[:: len(paths) // 25]
    }
    tip = OverlayTree(tree, {path: data[: len(data) // 2] for path, data in changes.items()})
    cache = NoteCache()
    units = BaseUnits(tree, cache)
    cold, warm = cold_and_warm(lambda: measure_loss(units, tip, touched=frozenset(changes)))

    def by_lines() -> int:
        before = {line for path in paths for line in (tree.read(path) or b"").split(b"\n")}
        after = {line for path in paths for line in (tip.read(path) or b"").split(b"\n")}
        return len(before - after)

    plain = seconds(by_lines)[0]
    yield Row(
        what=f"loss of 25 changed notes of {notes:,}",
        cold=shown(cold),
        warm=shown(warm),
        reference=f"comparing all lines as sets: {shown(plain)}",
    )


def lookups(*, short: bool) -> Iterator[Row]:
    """Look up near duplicates among many entries, with reworded ones planted, against word-set Jaccard over all."""
    notes, per_note, asked = (500, 10, 100) if short else (10_000, 10, 1_000)
    files = memory(notes, entries=per_note, seed=4)
    chance = random.Random(5)  # noqa: S311 - repeatable on purpose
    tree = MappingTree({path: text.encode() for path, text in files.items() if path != "MEMORY.md"})
    rows = _reworded(tree, chance, asked)
    statements = StatementIndex(NoteCache())
    building, _ = seconds(lambda: statements.refresh(tree, tree.paths()))
    looking, found = seconds(lambda: [set(statements.candidates(words)) for words in rows])
    again, _ = seconds(lambda: statements.refresh(tree, tree.paths()[:25]))
    brute, expected = seconds(lambda: list(_by_brute_force(tree, rows)))
    recall, wanted = _recall(found, expected)
    yield Row(
        what=f"notes that may hold one of {asked:,} statements among {notes * per_note:,} entries",
        cold=f"{shown(building)} to index, {shown(looking)} to look up; recall {recall:.3f} of {wanted:,} pairs",
        warm=f"{shown(again)} for 25 changed notes",
        reference=f"word-set Jaccard ≥ 0.5 over all: {shown(brute)}",
        target="≤ 10 s, recall ≥ 0.95",
        is_met=building + looking <= 10 and recall >= 0.95,
    )
    yield _all_pairs(tree, chance, asked, notes * per_note)


def _all_pairs(tree: MappingTree, chance: random.Random, asked: int, entries: int) -> Row:
    """Find all pairs of entries with a Jaccard of one half, then those of the next night, by CPU time.

    Each of the rows that are compared with everything is an entry of the memory reworded, and stands in it too.
    """
    planted, rows = _planted(tree, chance, asked)
    notes = NoteCache()
    for path in planted.paths():
        notes.note(planted, path)  # every night reads its notes, whoever asks first
    neighbours = Neighbours()
    reading, _ = processor_seconds(lambda: neighbours.take(planted, notes, planted.paths()))
    joining, pairs = processor_seconds(lambda: list(neighbours.pairs(None, alike=0.5)))
    kept = neighbours.dump()
    loading, known = processor_seconds(lambda: Neighbours.load(kept))
    changed = planted.paths()[:: max(1, len(planted.paths()) // 25)][:25]
    edited = OverlayTree(planted, {path: (planted.read(path) or b"") + b"- one more line of it\n" for path in changed})
    taking, _ = processor_seconds(lambda: known.take(edited, notes, edited.paths()))
    comparing, _ = processor_seconds(lambda: list(known.pairs(changed, alike=0.5)))
    partners: dict[str, set[str]] = defaultdict(set)
    for one, other, _ in pairs:
        partners[one.path].add(other.path)
        partners[other.path].add(one.path)
    brute, expected = processor_seconds(lambda: list(_by_brute_force(planted, list(rows.values()))))
    others = [paths - {path} for path, paths in zip(rows, expected, strict=True)]
    recall, wanted = _recall([partners[path] for path in rows], others)
    return Row(
        what=f"all near duplicates among {entries + asked:,} entries (CPU)",
        cold=f"{shown(reading)} to read, {shown(joining)} to join; recall {recall:.3f} of {wanted:,} pairs",
        warm=f"{shown(loading)} to load, {shown(taking)} to take, {shown(comparing)} for 25 changed notes; "
        f"{len(kept) / 1e6:.1f} MB kept",
        reference=f"word-set Jaccard ≥ 0.5 of {asked:,} rows with all: {shown(brute)}",
        target="≤ 10 s, recall ≥ 0.95",
        is_met=reading + joining <= 10 and recall >= 0.95,
    )


def _planted(tree: MappingTree, chance: random.Random, count: int) -> tuple[MappingTree, dict[str, frozenset[str]]]:
    """Return the memory with so many more notes, each of one reworded entry, and the words of these by path."""
    rows = {f"planted/note-{number:05}.md": words for number, words in enumerate(_reworded(tree, chance, count))}
    files = {path: tree.read(path) or b"" for path in tree.paths()}
    lines = {path: f"- 2026-10-01: {' '.join(sorted(words))} [thread_1, 2026-10-01]\n" for path, words in rows.items()}
    return MappingTree({**files, **{path: line.encode() for path, line in lines.items()}}), rows


def _recall(found: list[set[str]], expected: list[set[str]]) -> tuple[float, int]:
    wanted = sum(map(len, expected))
    hit = sum(len(paths & one) for paths, one in zip(found, expected, strict=True))
    return (hit / wanted if wanted else 0.0), wanted


def _tree(notes: int) -> MappingTree:
    return MappingTree({path: text.encode() for path, text in memory(notes).items()})


def _reworded(tree: MappingTree, chance: random.Random, count: int) -> list[frozenset[str]]:
    """Return the words of statements drawn from the memory, each with up to a third of its words exchanged."""
    words, paths, rows = Words(chance), tree.paths(), list[frozenset[str]]()
    for _ in range(count):
        lines = [
            line for line in (tree.read(chance.choice(paths)) or b"").decode().split("\n") if line.startswith("- ")
        ]
        said = chance.choice(lines)[14:].rpartition(" [")[0].split()
        for _ in range(chance.randint(0, len(said) // 3)):
            said[chance.randrange(len(said))] = words.take(1)[0]
        rows.append(word_set(" ".join(said)))
    return rows


def _by_brute_force(tree: MappingTree, rows: list[frozenset[str]]) -> Iterator[set[str]]:
    """Yield, for each row, the notes with an entry whose words have a Jaccard of at least one half with it."""
    entries: list[tuple[str, frozenset[str]]] = []
    holding: dict[str, list[int]] = defaultdict(list)
    for path in tree.paths():
        for line in (tree.read(path) or b"").decode().split("\n"):
            if line.startswith("- "):
                words = word_set(line[14:].rpartition(" [")[0])
                for word in words:
                    holding[word].append(len(entries))
                entries.append((path, words))
    for row in rows:
        shared: dict[int, int] = defaultdict(int)
        for word in row:
            for number in holding.get(word, ()):
                shared[number] += 1
        yield {
            entries[number][0]
            for number, common in shared.items()
            if common * 2 >= len(row) + len(entries[number][1]) - common
        }
