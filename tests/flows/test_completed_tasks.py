"""Completed tasks of a memory of five files on real nights: they leave, and come back where people want them back."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from dream.memory.records import LossRecord
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of

TASKS = "# Tasks\n\n- [x] Rotate the signing key of the shop\n- [ ] Move the queue\n  - [x] Ask for more quota\n"
LEFT = "# Tasks\n\n- [ ] Move the queue\n"
FILES = {
    "index.md": "# Index\n\n- [Facts](facts.md)\n- [Tasks](tasks.md)\n",
    "facts.md": "# Facts\n\n- The shop signs its orders.\n",
    "decisions.md": "# Decisions\n\n- Orders are signed with ed25519.\n",
    "state.md": "# State\n\n- The queue is being moved.\n",
    "tasks.md": TASKS,
}


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    return stage_of(served, tmp_path, FILES)


def tasks(stage: Stage) -> str:
    return stage.files()["tasks.md"].decode()


def test_what_is_done_leaves_in_a_commit_of_its_own_and_costs_nothing(stage: Stage) -> None:
    stage.dream()
    assert tasks(stage) == LEFT
    record = stage.record()
    assert record.tasks["tidy"].written == 1
    assert (record.loss.notes, record.loss.statements) == (LossRecord().notes, LossRecord().statements)
    assert {effect.kind for effect in record.effects if effect.task == "tidy"} == {"remove"}
    stage.next_night()
    assert tasks(stage) == LEFT


def test_a_revert_of_that_commit_keeps_the_tasks(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.pull()
    person.revert(stage.commit_of("tidy"))
    person.push()
    assert tasks(stage) == TASKS
    stage.next_night()
    assert tasks(stage) == TASKS
    stage.next_night()
    assert tasks(stage) == TASKS


def test_what_a_person_ticks_stays_for_a_night(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({"tasks.md": LEFT.replace("[ ]", "[x]")})
    stage.next_night()
    assert tasks(stage) == LEFT.replace("[ ]", "[x]")
    assert stage.record(NIGHT + timedelta(days=1)).tasks["tidy"].pending == 1
    stage.next_night()
    assert tasks(stage) == "# Tasks\n"
