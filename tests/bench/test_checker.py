"""What the fault tests judge by notices what it is there for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.faults.invariants import Checker
from tests.support.repositories import Hosted, git, import_commit
from tests.support.served import serve
from tests.support.stage import MEMORY, Stage, stage_of

FLOW = ("-c", "user.name=Nightly Dreaming", "-c", "user.email=nightly-dreaming@localhost")
SUBJECT = "state update: recorded\n\nDream-Night: 2026-10-22\nDream-Task: {task}"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    (tmp_path / "hosted").mkdir()
    with serve(tmp_path / "hosted") as served:
        made = stage_of(served, tmp_path)
        made.hosted.set("core.logAllRefUpdates", "true")
        made.summarise({})
        yield made


def put(hosted: Hosted, tree: str, *, task: str, parent: str = "main") -> None:
    message = SUBJECT.format(task=task)
    commit = git(hosted.path, *FLOW, "commit-tree", tree, "-p", parent, "-m", message)
    git(hosted.path, "update-ref", "refs/heads/main", commit)


def test_an_honest_night_has_nothing_against_it(stage: Stage) -> None:
    checker = Checker(stage.hosted.path)
    checker.acknowledged.append(stage.person().append("services/orders.md", "- One more.\n"))
    stage.dream()
    assert checker.check() == []
    assert checker.landings("2026-10-22") == 1
    assert checker.sound() == []


def test_a_lost_commit_and_a_branch_that_went_back_are_noticed(stage: Stage) -> None:
    checker = Checker(stage.hosted.path)
    before = stage.hosted.tip()
    acknowledged = stage.person().append("services/orders.md", "- One more.\n")
    checker.acknowledged.append(acknowledged)
    assert checker.check() == []
    git(stage.hosted.path, "update-ref", "refs/heads/main", str(before))
    assert [problem[:2] for problem in checker.check()] == ["I2", "I1"]


def test_half_a_night_is_noticed(stage: Stage) -> None:
    stage.dream()
    whole = stage.hosted.tip()
    git(stage.hosted.path, "update-ref", "refs/heads/main", f"{whole}~3")
    checker = Checker(stage.hosted.path)
    git(stage.hosted.path, "update-ref", "refs/heads/main", f"{whole}~1")
    assert any(problem.startswith("I3") for problem in checker.check())


def test_a_night_that_lands_twice_is_noticed(stage: Stage) -> None:
    checker = Checker(stage.hosted.path)
    stage.dream()
    assert checker.check() == []
    base = git(stage.hosted.path, "rev-parse", "main")
    for commit in reversed(git(stage.hosted.path, "rev-list", "-3", "main").split("\n")):
        tree = git(stage.hosted.path, "rev-parse", f"{commit}^{{tree}}")
        message = git(stage.hosted.path, "log", "-1", "--format=%B", commit)
        base = git(stage.hosted.path, *FLOW, "commit-tree", tree, "-p", base, "-m", message)
    git(stage.hosted.path, "update-ref", "refs/heads/main", base)
    assert any(problem.startswith("I4") for problem in checker.check())


def test_a_state_that_others_wrote_is_noticed(stage: Stage) -> None:
    checker = Checker(stage.hosted.path)
    stage.person().edit({".dream/state.json": json.dumps({"version": 1})})
    assert any(problem.startswith("I6") for problem in checker.check())


def test_a_task_outside_its_own_place_and_a_large_loss_are_noticed(stage: Stage) -> None:
    stage.dream()
    checker = Checker(stage.hosted.path)
    record = stage.files()[".dream/nights/2026-10-22.json"]
    state = json.loads(stage.files()[".dream/state.json"]) | {"lastCommit": stage.hosted.tip()}
    kept: dict[str, str | bytes] = {"MEMORY.md": MEMORY["MEMORY.md"], ".dream/nights/2026-10-22.json": record}
    aside = import_commit(stage.hosted, {**kept, ".dream/state.json": json.dumps(state)}, branch="aside")
    put(stage.hosted, git(stage.hosted.path, "rev-parse", f"{aside}^{{tree}}"), task="state_update")
    found = {problem[:2] for problem in checker.check()}
    assert {"I5", "I7"} <= found
