"""What holds of loss for any memory and any sequence of operations."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from hypothesis import assume, given
from hypothesis import strategies as st

from dream.memory.allowance import VERIFICATION, Allowance, Charge, LossLimits, month_budget, night_budget
from dream.memory.loss import measure_loss
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree
from dream.memory.units import BaseUnits

TONIGHT = date(2026, 10, 22)
NAMES = (
    "checkout",
    "orders",
    "invoices",
    "carts",
    "search",
    "mail",
    "queues",
    "alerts",
    "deploys",
    "backups",
    "racks",
    "keys",
)
VERBS = ("listens", "retries", "expires", "replicates", "restarts", "compresses", "rejects", "forwards")
THINGS = ("lyon", "dublin", "oslo", "quito", "hanoi", "perth", "turin", "accra")

Statement = tuple[int, int]
Memory = Mapping[str, tuple[Statement, ...]]

statements = st.tuples(st.integers(0, 24), st.just(0))
paths = st.sampled_from([f"{folder}/{name}.md" for folder in ("a", "b") for name in "pqrst"])
memories = st.dictionaries(paths, st.lists(statements, min_size=1, max_size=6).map(tuple), max_size=7)


def without_repeats(memory: Memory) -> Memory:
    seen: set[Statement] = set()
    distinct: dict[str, tuple[Statement, ...]] = {}
    for path, entries in memory.items():
        distinct[path] = tuple(entry for entry in dict.fromkeys(entries) if entry not in seen)
        seen.update(entries)
    return {path: entries for path, entries in distinct.items() if entries}


distinct_memories = memories.map(without_repeats)


def text_of(statement: Statement) -> str:
    """Return a sentence: two statements have little in common, two versions of one nearly everything."""
    number, version = statement
    name, verb, thing = NAMES[number % 12], VERBS[number % 8], THINGS[(number * 3) % 8]
    return f"{name} {verb} {number} times near {thing} {verb[::-1]}{name[::-1]} with {thing[::-1]} v{version}"


def tree_of(memory: Memory) -> MappingTree:
    return MappingTree(
        {
            path: "".join(f"- 2026-10-01: {text_of(statement)} [thread_7c2e]\n" for statement in entries).encode()
            for path, entries in memory.items()
        }
    )


class Night:
    """A memory that operations are drawn for, one after the other."""

    def __init__(self, memory: Memory, data: st.DataObject) -> None:
        self.memory = dict(memory)
        self.touched: set[str] = set()
        self._data = data

    def draw_operation(self) -> dict[str, tuple[Statement, ...]]:
        """Return the memory after one more operation of any kind."""
        if not self.memory:
            return {}
        operations = [
            self._remove,
            self._drop,
            self._rename,
            self._move,
            self._merge,
            self._revise,
            self._swap,
            self._archive,
        ]
        operation = self._data.draw(st.sampled_from(operations))
        return operation(dict(self.memory))

    def accept(self, memory: Mapping[str, tuple[Statement, ...]]) -> None:
        self.touched |= {path for path in {*memory, *self.memory} if memory.get(path) != self.memory.get(path)}
        self.memory = dict(memory)

    def _path(self, memory: Memory) -> str:
        return self._data.draw(st.sampled_from(sorted(memory)))

    def _place(self, memory: Memory) -> tuple[str, int]:
        path = self._path(memory)
        return path, self._data.draw(st.integers(0, max(0, len(memory[path]) - 1)))

    def _remove(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        path, place = self._place(memory)
        return {**memory, path: memory[path][:place] + memory[path][place + 1 :]}

    def _drop(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        del memory[self._path(memory)]
        return memory

    def _rename(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        old, new = self._path(memory), self._data.draw(paths)
        return memory if new in memory else {**{p: e for p, e in memory.items() if p != old}, new: memory[old]}

    def _move(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        (path, place), to = self._place(memory), self._data.draw(paths)
        moved = memory[path][place : place + 1]
        left = {**memory, path: memory[path][:place] + memory[path][place + 1 :]}
        return {**left, to: left.get(to, ()) + moved}

    def _merge(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        one, other = self._path(memory), self._path(memory)
        if one == other:
            return memory
        taken = memory.pop(other)
        return {**memory, one: memory[one] + tuple(s for s in taken if s not in memory[one])}

    def _revise(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        path, place = self._place(memory)
        revised = tuple((number, version + 1) for number, version in memory[path][place : place + 1])
        return {**memory, path: memory[path][:place] + revised + memory[path][place + 1 :]}

    def _swap(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        one, other = self._path(memory), self._path(memory)
        return {**memory, one: memory[other], other: memory[one]}

    def _archive(self, memory: dict[str, tuple[Statement, ...]]) -> dict[str, tuple[Statement, ...]]:
        path = self._path(memory)
        return {**{p: e for p, e in memory.items() if p != path}, f"archive/{path}": memory[path]}


def base_of(memory: Memory) -> BaseUnits:
    return BaseUnits(tree_of(memory), NoteCache())


@given(memories)
def test_nothing_is_lost_where_nothing_changes(memory: Memory) -> None:
    loss = measure_loss(base_of(memory), tree_of(memory))
    assert (loss.notes, loss.statements) == ((), ())


@given(memories, st.data())
def test_notes_that_change_places_cost_nothing(memory: Memory, data: st.DataObject) -> None:
    places = data.draw(st.permutations([*memory, "b/new.md", "c/other.md"]))
    renamed = dict(zip(places, memory.values(), strict=False))
    loss = measure_loss(base_of(memory), tree_of(renamed))
    assert (loss.notes, loss.statements) == ((), ())


@given(distinct_memories, st.data())
def test_a_split_costs_nothing(memory: Memory, data: st.DataObject) -> None:
    assume(memory)
    path = data.draw(st.sampled_from(sorted(memory)))
    part = data.draw(st.lists(st.integers(0, 2), min_size=len(memory[path]), max_size=len(memory[path])))
    after = {other: entries for other, entries in memory.items() if other != path}
    for number, to in enumerate((path, "c/one.md", "c/two.md")):
        entries = tuple(entry for entry, choice in zip(memory[path], part, strict=True) if choice == number)
        if entries:
            after[to] = entries
    loss = measure_loss(base_of(memory), tree_of(after))
    assert (loss.notes, loss.statements) == ((), ())


@given(distinct_memories, st.data())
def test_a_merge_costs_one_note_and_no_statement(memory: Memory, data: st.DataObject) -> None:
    assume(len(memory) > 1)
    one, other = data.draw(st.permutations(sorted(memory)))[:2]
    after = {path: entries for path, entries in memory.items() if path != other}
    after[one] = memory[one] + memory[other]
    loss = measure_loss(base_of(memory), tree_of(after))
    assert (loss.notes, loss.statements) == ((other,), ())


@given(memories, st.data())
def test_what_is_told_from_the_touched_paths_is_what_a_full_comparison_tells(
    memory: Memory, data: st.DataObject
) -> None:
    night, base = Night(memory, data), base_of(memory)
    for _ in range(data.draw(st.integers(1, 6))):
        night.accept(night.draw_operation())
        tip = tree_of(night.memory)
        afresh = measure_loss(base_of(memory), tip)
        assert measure_loss(base, tip, touched=night.touched) == afresh == measure_loss(base, tip)


@given(memories, st.data())
def test_one_entry_less_never_means_fewer_statements_lost(memory: Memory, data: st.DataObject) -> None:
    night, base = Night(memory, data), base_of(memory)
    for _ in range(data.draw(st.integers(0, 4))):
        night.accept(night.draw_operation())
    assume(night.memory)
    before = measure_loss(base, tree_of(night.memory))
    path = data.draw(st.sampled_from(sorted(night.memory)))
    place = data.draw(st.integers(0, max(0, len(night.memory[path]) - 1)))
    less = {**night.memory, path: night.memory[path][:place] + night.memory[path][place + 1 :]}
    after = measure_loss(base, tree_of(less))
    assert len(after.statements) >= len(before.statements)


@given(memories, st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), max_size=12))
def test_one_entry_less_never_means_fewer_notes_lost_where_nothing_moved(
    memory: Memory, removals: list[tuple[int, int]]
) -> None:
    base, left, lost = base_of(memory), dict(memory), 0
    for which, place in removals:
        if left:
            path = sorted(left)[which % len(left)]
            left[path] = left[path][:place] + left[path][place + 1 :]
            now = len(measure_loss(base, tree_of(left)).notes)
            assert now >= lost
            lost = now


charges = st.lists(
    st.builds(
        Charge,
        night=st.dates(date(2026, 9, 1), TONIGHT),
        task=st.sampled_from([VERIFICATION, "tidy"]),
        notes=st.integers(0, 1),
        statements=st.integers(0, 3),
    ),
    max_size=4,
).map(tuple)


@given(memories, charges, st.data())
def test_no_sequence_of_operations_exceeds_a_budget_where_the_guard_is_obeyed(
    memory: Memory, past: tuple[Charge, ...], data: st.DataObject
) -> None:
    night, base, limits = Night(memory, data), base_of(memory), LossLimits()
    size = len(base.paths), base.statement_count
    allowance = Allowance(tonight=TONIGHT, topic_notes=size[0], statements=size[1], past=past)
    for task in data.draw(st.lists(st.sampled_from([VERIFICATION, "tidy", "distil"]), max_size=10)):
        proposed = night.draw_operation()
        touched = night.touched | {*proposed, *night.memory}
        loss = measure_loss(base, tree_of(proposed), touched=touched)
        if not allowance.refuses(loss, task):
            night.accept(proposed)
            allowance = allowance.charge(loss, task)
    loss = measure_loss(base, tree_of(night.memory))
    lately = [charge for charge in past if (TONIGHT - charge.night).days < limits.month_nights]
    tonight = [charge for charge in past if charge.night == TONIGHT]
    for taken, had, budget in (
        (len(loss.notes), sum(c.notes for c in tonight), night_budget(*size, limits).notes),
        (len(loss.notes), sum(c.notes for c in lately), month_budget(*size, limits).notes),
        (len(loss.notes), 0, size[0] // 2),
        (len(loss.statements), sum(c.statements for c in tonight), night_budget(*size, limits).statements),
        (len(loss.statements), sum(c.statements for c in lately), month_budget(*size, limits).statements),
    ):
        assert not taken or taken + had <= budget
    assert allowance.by_task().keys() <= {VERIFICATION, "tidy", "distil"}
    assert sum(notes for notes, _ in allowance.by_task().values()) == len(loss.notes)
    assert sum(statements for _, statements in allowance.by_task().values()) == len(loss.statements)
