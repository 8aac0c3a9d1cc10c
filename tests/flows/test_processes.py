"""Nights as processes: killed, paused and started twice, they come to one landed night."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.support import child
from tests.support.repositories import assert_sound
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

STEPS = ("open", "read", "daily_note", "production_verification", "tidy", "index_rewrite", "state_update", "land")


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def notes(stage: Stage) -> dict[str, bytes]:
    return {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}


@pytest.mark.parametrize("step", STEPS)
def test_a_night_killed_at_any_step_lands_the_same_when_it_is_run_again(stage: Stage, step: str) -> None:
    undisturbed = stage.dream(dry_run=True, home="elsewhere").tip
    before = stage.hosted.tip()
    process = child.start(stage, step=step)
    assert process.end().exit_code == -signal.SIGKILL
    assert stage.hosted.tip() == before
    again = child.start(stage)
    assert again.end() == child.Ended(told="landed", exit_code=0)
    assert stage.hosted.tip() == undisturbed


def test_a_night_killed_while_it_pushes_lands_once(stage: Stage, served: Served) -> None:
    process = child.start(stage)
    served.before_push = process.kill
    process.end()
    again = child.start(stage)
    assert again.end().told in {"landed", "nothing-to-do"}
    assert stage.record().landings == 1
    assert_sound(stage.hosted)


def test_a_paused_run_lands_nothing_once_another_has_landed(stage: Stage) -> None:
    paused = child.start(stage, step="land", by=signal.SIGSTOP)
    paused.wait_until_stopped()
    assert stage.dream(home="another-machine").status == "landed"
    tip = stage.hosted.tip()
    paused.go_on()
    assert paused.end().told == "superseded"
    assert (stage.hosted.tip(), stage.record().landings) == (tip, 1)


def test_a_paused_run_holds_nobody_up_but_its_own_machine(stage: Stage) -> None:
    paused = child.start(stage, step="land", by=signal.SIGSTOP)
    paused.wait_until_stopped()
    same_machine = child.start(stage).end()
    assert "another run" in same_machine.told
    assert same_machine.exit_code == 3
    paused.go_on()
    assert paused.end().told == "landed"


@pytest.mark.parametrize("homes", [["one"] * 4, ["one", "two", "three", "four"]], ids=["one-machine", "four-machines"])
def test_copies_of_one_night_put_it_on_the_branch_once(stage: Stage, homes: list[str]) -> None:
    running = [child.start(stage, home=home) for home in homes]
    ended = {process.end(seconds=120).told.split(":")[0] for process in running}
    assert "landed" in ended  # equal runs build equal commits, so that more than one may find its own on the branch
    assert ended <= {"landed", "superseded", "nothing-to-do", "not-landed"}
    assert stage.record().landings == 1
    assert [subject for subject in stage.hosted.log() if subject.startswith("state update")] == [
        "state update: recorded (night 2026-10-22)"
    ]
    assert_sound(stage.hosted)
