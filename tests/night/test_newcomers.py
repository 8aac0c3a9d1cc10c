"""For how many nights a note is new, so that taking it in whole costs nothing of what nights may take away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dream.memory.operations import Basis, Merge, Operation, Remove
from dream.memory.records import LossRecord
from dream.memory.tree import Tree
from tests.support.scripted import proposing, whole
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

OLD, NEW = "services/ledger.md", "services/ledger-again.md"
NOTE = "# The ledger\n\n- 2026-10-05: The ledger-api keeps payment rows for seven years. [thread_0005, 2026-10-05]\n"


def nothing(_: Tree) -> Sequence[Operation]:
    return ()


def taken_in(tree: Tree) -> Sequence[Operation]:
    return [Merge(into=whole(tree, OLD), new=None, absorbed=(whole(tree, NEW),))]


def taken_away(tree: Tree) -> Sequence[Operation]:
    return [Remove(span=whole(tree, NEW), basis=Basis(evidence=("probe:ledger said seven",)))]


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    others = {f"queues/q{n}.md": f"# Queue {n}\n\n- Queue {n} is drained by worker {n}.\n" for n in range(8)}
    made = stage_of(served, tmp_path, {OLD: NOTE, **others})
    for _ in range(2):
        made.next_night(steps=proposing("tidy", nothing))
    return made


def loss(stage: Stage, days: int, task: str, propose: Callable[[Tree], Sequence[Operation]]) -> LossRecord:
    """Return what the night takes away that comes so many nights after the one that first sees a note of people's."""
    stage.person().edit({NEW: NOTE if propose is taken_in else NOTE.replace("seven", "nine")})
    for _ in range(days):
        assert stage.next_night(steps=proposing("tidy", nothing)).record is not None
    record = stage.next_night(steps=proposing(task, propose)).record
    assert record is not None
    assert NEW not in stage.files()
    return record.loss


@pytest.mark.parametrize(("days", "notes"), [(1, 0), (2, 1), (3, 1)])
def test_a_note_that_is_taken_in_whole_costs_nothing_until_the_night_after_the_one_that_first_saw_it(
    stage: Stage, days: int, notes: int
) -> None:
    taken = loss(stage, days, "tidy", taken_in)
    assert (taken.notes, taken.statements) == (notes, 0)


def test_how_long_a_note_is_new_is_configured(stage: Stage) -> None:
    stage.extra = {"limits": {"loss": {"new_nights": 4}}}
    assert loss(stage, 3, "tidy", taken_in).notes == 0


def test_a_new_note_whose_statement_goes_costs_the_note_and_the_statement(stage: Stage) -> None:
    taken = loss(stage, 1, "production_verification", taken_away)
    assert (taken.notes, taken.statements) == (1, 1)
