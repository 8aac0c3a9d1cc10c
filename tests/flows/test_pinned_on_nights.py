"""Whatever a task proposes, a night lands no check that nobody pinned, and loses none that somebody did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from dream.memory.operations import Add, Basis, Operation, Revise, Span
from dream.memory.tree import Tree
from tests.support.scripted import proposing
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

PATH = "services/pool.md"
ENTRY = "- 2026-10-14: The pool holds 20 connections. [thread_19ab, 2026-10-14]"
CHECK = "  check: orders-db select `SELECT size FROM pool` is `20`"
TONIGHT = Basis(sources=("thread_7c2e0001",), dated=date(2026, 10, 21))


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    made.person().edit({PATH: f"# Pool\n\n{ENTRY}\n{CHECK}\n"})
    return made


def planting(_: Tree) -> Sequence[Operation]:
    line = "- 2026-10-21: The pool waits 7 seconds. [thread_7c2e0001, 2026-10-21]"
    return [Add(path=PATH, text=f"{line}\n  check: status get `/pool $.wait` is `7`", basis=TONIGHT)]


def dropping(_: Tree) -> Sequence[Operation]:
    span = Span(path=PATH, text=f"{ENTRY}\n{CHECK}")
    return [Revise(span=span, new=ENTRY, basis=TONIGHT)]


def loosening(_: Tree) -> Sequence[Operation]:
    span = Span(path=PATH, text=f"{ENTRY}\n{CHECK}")
    return [Revise(span=span, new=f"{ENTRY}\n{CHECK.replace(' is `20`', ' at least `1`')}", basis=TONIGHT)]


@pytest.mark.parametrize(
    ("propose", "reason"), [(planting, "new-check"), (dropping, "drops-check"), (loosening, "new-check")]
)
@pytest.mark.parametrize("task", ["distil", "production_verification"])
def test_no_task_plants_drops_or_loosens_a_check(stage: Stage, task: str, propose: object, reason: str) -> None:
    assert callable(propose)
    before = stage.files()[PATH]
    result = stage.dream(steps=proposing(task, propose))
    assert result.status == "landed"
    assert stage.files()[PATH] == before
    assert stage.record().tasks[task].refusals == {reason: 1}
