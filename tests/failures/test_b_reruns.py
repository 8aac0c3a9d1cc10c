"""B13, B22, B24, B59, B62, B64, B66, B71: a night that is started twice, late, after a crash, or by itself."""

from __future__ import annotations

import signal
from datetime import timedelta

import pytest

from dream.errors import DreamError
from tests.support import child
from tests.support.observer import KilledError, assert_only_forward, killed_at, tips
from tests.support.repositories import Hosted, assert_sound, git
from tests.support.scripted import counting
from tests.support.stage import NIGHT, Stage

STEPS = (
    "open",
    "read",
    "daily_note",
    "pr_outcomes",
    "production_verification",
    "tidy",
    "index_rewrite",
    "state_update",
)
TASKS = ("daily_note", "pr_outcomes", "production_verification", "tidy")


def tree_of(stage: Stage) -> str:
    return git(stage.hosted.path, "rev-parse", "main^{tree}")


def copy_of(stage: Stage, name: str) -> Stage:
    """The same organisation on a copy of its remote, untouched by what befalls the first."""
    path = stage.hosted.path.with_name(f"{name}.git")
    git(path.parent, "clone", "--quiet", "--bare", str(stage.hosted.path), str(path))
    git(path, "config", "http.receivepack", "true")
    hosted = Hosted(path=path, url=stage.hosted.url.replace("memory", name))
    return Stage(hosted=hosted, root=stage.root, now=stage.now)


@pytest.mark.parametrize("step", [*STEPS, "land"])
def test_b13_a_night_that_crashed_and_was_run_again_and_again_is_a_night_that_ran_once(stage: Stage, step: str) -> None:
    once = copy_of(stage, "once")
    notes = {path: data for path, data in _dreamt(once).items() if not path.startswith(".dream/")}
    with pytest.raises(KilledError):
        stage.dream(call=killed_at(step))
    for _ in range(3):
        stage.dream()
    assert {path: data for path, data in stage.files().items() if not path.startswith(".dream/")} == notes
    assert stage.record().tasks == {
        name: task.model_copy(update={"commit": stage.record().tasks[name].commit})
        for name, task in once.record().tasks.items()
    }
    assert len(tips(stage.hosted)) == 1


def _dreamt(stage: Stage) -> dict[str, bytes]:
    stage.dream(home=f"home-of-{stage.hosted.path.stem}")
    return stage.files()


def test_b13_a_flush_on_another_machine_appends_nothing(stage: Stage) -> None:
    stage.dream()
    tree = tree_of(stage)
    for home in ("second", "third"):
        stage.dream(home=home)
    assert tree_of(stage) == tree


def test_b22_94_triggers_of_one_night_ask_its_tasks_once(stage: Stage) -> None:
    asked: list[str] = []
    statuses = [stage.dream(steps=counting("daily_note", asked)).status for _ in range(94)]
    assert asked == ["daily_note"]
    assert statuses == ["landed", *["nothing-to-do"] * 93]
    assert len(tips(stage.hosted)) == 1
    assert stage.files()["daily/2026-10-21.md"].count(b"refuses refunds") == 1


@pytest.mark.parametrize("task", TASKS)
def test_b22_a_second_trigger_asks_only_the_task_that_it_names(stage: Stage, task: str) -> None:
    stage.dream()
    asked: list[str] = []
    assert stage.dream(only=[task], steps=counting(task, asked)).status == "nothing-to-do"
    assert asked == []


def test_b24_the_nights_own_push_is_no_reason_to_dream_again(stage: Stage) -> None:
    stage.dream()
    changed = {name for name, task in stage.record().tasks.items() if task.outcome == "changed"}
    assert {"daily_note", "tidy"} <= changed
    for _ in range(3):
        before = {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}
        assert stage.dream((stage.now - timedelta(hours=4)).date()).status == "nothing-to-do"
        stage.next_night()
        record = stage.record((stage.now - timedelta(hours=4)).date())
        assert {name for name, task in record.tasks.items() if task.outcome == "changed"} == {"state_update"}
        assert {path: data for path, data in stage.files().items() if not path.startswith(".dream/")} == before


@pytest.mark.parametrize("task", ["tidy", "daily_note", None])
def test_b24_a_revert_by_tooling_widens_no_night(stage: Stage, task: str | None) -> None:
    stage.dream()
    stage.revert(task)
    reverted = {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}
    assert stage.dream().status == "nothing-to-do"
    for _ in range(2):
        stage.next_night()
        record = stage.record((stage.now - timedelta(hours=4)).date())
        assert record.tasks["tidy"].written == record.tasks["daily_note"].written == 0
        assert {path: data for path, data in stage.files().items() if not path.startswith(".dream/")} == reverted


@pytest.mark.parametrize("machines", [1, 8])
def test_b59_eight_copies_of_one_night_put_it_on_the_branch_once(stage: Stage, machines: int) -> None:
    running = [child.start(stage, home=f"machine-{number % machines}") for number in range(8)]
    ended = [process.end(seconds=300).told.split(":")[0] for process in running]
    assert set(ended) <= {"landed", "superseded", "nothing-to-do", "not-landed"}
    assert "landed" in ended
    assert len(tips(stage.hosted)) == 1
    assert stage.record().landings == 1
    assert sum(subject.startswith("state update") for subject in stage.hosted.log()) == 1
    assert stage.files()["daily/2026-10-21.md"].count(b"refuses refunds") == 1
    assert_sound(stage.hosted)


def test_b62_a_worker_that_was_down_for_five_nights_catches_up_in_one(stage: Stage) -> None:
    stage.dream()
    for day in range(22, 28):  # the 27th is not over when the worker is back
        at = f"2026-10-{day}T10:00:00Z"
        stage.summarise(
            {"id": f"down00{day}", "started": at, "ended": at, "lasting": f"The lift {day} was mended on floor {day}."}
        )
    stage.now += timedelta(days=5, hours=8)
    assert stage.dream(None).status == "landed"
    assert {path for path in stage.files() if path.startswith("daily/")} == {
        f"daily/2026-10-{day}.md" for day in range(21, 27)
    }
    late = [stage.dream(NIGHT + timedelta(days=number)).status for number in (5, 3, 1, 4, 2)]
    assert late == ["nothing-to-do", *["superseded"] * 4]
    assert len(tips(stage.hosted)) == 2


@pytest.mark.parametrize("days", [1, 25])
def test_b62_a_run_that_is_executed_days_late_does_nothing_over(stage: Stage, days: int) -> None:
    stage.next_night(days)
    tip = stage.hosted.tip()
    for home in ("home", "woken-after-a-restart"):
        result = stage.dream(NIGHT, home=home)
        assert (result.status, result.exit_code) == ("superseded", 0)
    assert stage.hosted.tip() == tip


def test_b64_a_night_killed_at_every_step_in_turn_is_finished_by_the_next_trigger(stage: Stage) -> None:
    undisturbed = stage.dream(dry_run=True, home="elsewhere").tip
    for step in ("open", "daily_note", "tidy", "state_update", "land"):
        assert child.start(stage, step=step).end().exit_code == -signal.SIGKILL
    asked: list[str] = []
    result = stage.dream(steps=counting("daily_note", asked))
    assert (result.status, stage.hosted.tip(), asked) == ("landed", undisturbed, ["daily_note"])
    assert len(tips(stage.hosted)) == 1


@pytest.mark.parametrize("moment", ["read", "tidy", "land"])
@pytest.mark.parametrize("later", [0, 1])
def test_b66_a_run_paused_for_a_night_pushes_nothing_once_another_has_landed(
    stage: Stage, moment: str, later: int
) -> None:
    paused = child.start(stage, step=moment, by=signal.SIGSTOP)
    paused.wait_until_stopped()
    stage.person().append("services/checkout.md", "- Ada adds this while the other run is paused.\n")
    stage.now += timedelta(days=later)
    assert stage.dream(None, home="another-machine").status == "landed"
    if later:
        stage.next_night(home="another-machine")
    landed = tips(stage.hosted)
    paused.go_on()
    assert paused.end().told == "superseded"
    assert tips(stage.hosted) == landed
    assert_only_forward(stage.hosted)


LEFT = (
    "index.lock",
    "HEAD.lock",
    "config.lock",
    "packed-refs.lock",
    "shallow.lock",
    "refs/remotes/origin/main.lock",
    "refs/dream/nights/2026-10-22.lock",
    "refs/dream/nights/2026-10-23.lock",
    "objects/maintenance.lock",
    "objects/info/commit-graphs/commit-graph-chain.lock",
    "objects/tmp_obj_Ab3dEf",
    "objects/ab/tmp_obj_Ab3dEf",
    "objects/pack/tmp_pack_Ab3dEf",
    "objects/pack/tmp_idx_Ab3dEf",
    "gc.pid",
)


@pytest.mark.parametrize("left", [*([name] for name in LEFT), list(LEFT)], ids=[*LEFT, "all-of-them"])
def test_b71_what_a_crash_left_in_the_mirror_stops_no_night(stage: Stage, left: list[str]) -> None:
    stage.dream()
    mirror = stage.root / "home" / "acme" / "memory.git"
    for name in left:
        (mirror / name).parent.mkdir(parents=True, exist_ok=True)
        (mirror / name).write_bytes(b"left by a crash")
    assert stage.next_night().status == "landed"
    assert stage.next_night().status == "landed"


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "packed-refs.lock", "HEAD.lock"])
def test_b71_no_lock_of_the_remote_is_ever_taken_away(stage: Stage, name: str) -> None:
    lock = stage.hosted.path / name
    lock.write_bytes(b"somebody works here")
    before = stage.hosted.tip()
    landed = _lands(stage)
    assert lock.read_bytes() == b"somebody works here"
    assert (stage.hosted.tip() == before) is not landed
    lock.unlink()
    assert stage.dream().status == ("nothing-to-do" if landed else "landed")


def _lands(stage: Stage) -> bool:
    try:
        return stage.dream().status == "landed"
    except DreamError:
        return False
