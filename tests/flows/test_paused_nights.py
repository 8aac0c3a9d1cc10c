"""Nights and tasks that people or the breaker have paused: what still runs, what lands, and how they go on."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from dream.errors import DreamError
from dream.object_store import StoreDownError
from dream.report.pauses import Pause
from flows.attempts import read_attempts
from flows.commands.reading import tell_status
from flows.pausing import EVERYONE, BrokenPausesError, add_pause, end_pauses, place_of
from flows.publishing import report_path
from tests.support.answering import MODELS, Vendor, asking
from tests.support.commands import configure
from tests.support.observer import at_step, tips, watch_tips
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, failing, stage_of

SINCE = datetime(2026, 10, 21, 16, 30, tzinfo=UTC)
MOVING = Pause(since=SINCE, by="ana", reason="the index is moved")
TOLD = "paused since 2026-10-21 16:30 UTC by ana: the index is moved"
DAY = "daily/2026-10-21.md"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    watch_tips(made.hosted)
    return made


def pause(stage: Stage, name: str = "acme", **told: object) -> None:
    add_pause(stage.workplace().settings, name, MOVING.model_copy(update=told), now=stage.now)


def resume(stage: Stage, *tasks: str, name: str = "acme") -> None:
    end_pauses(stage.workplace().settings, name, tasks, now=stage.now)


@pytest.mark.parametrize(
    ("name", "told", "reason", "way_out"),
    [
        ("acme", {}, TOLD, "dream resume acme"),
        (EVERYONE, {"everyone": True}, TOLD.replace("paused", "paused with all organisations"), "dream resume --all"),
    ],
)
def test_a_paused_night_asks_nobody_not_even_the_remote_and_lands_nothing_and_says_so(
    stage: Stage, name: str, told: dict[str, object], reason: str, way_out: str
) -> None:
    stage.extra = {"models": MODELS, "memory": {"url": "http://127.0.0.1:9/nobody.git"}}
    pause(stage, name, **told)
    vendor = Vendor()
    result = stage.dream(models=vendor.models, steps=asking("distil", ("what?",)))
    assert (result.status, result.exit_code, result.reason, result.way_out) == ("paused", 0, reason, way_out)
    assert (vendor.asked, vendor.checked, tips(stage.hosted)) == ([], [], [])
    (attempt,) = read_attempts(stage.workplace().home, NIGHT)
    assert (attempt.status, attempt.exit, attempt.needs) == ("paused", 0, "nothing")
    assert (attempt.reason, attempt.way_out) == (reason, way_out)
    report = report_path(stage.workplace().home, NIGHT).read_text()
    assert f"- **{reason[:1].upper()}{reason[1:]}; {way_out}**" in report
    assert "Needs nothing" in report


def test_a_night_that_is_paused_while_it_is_planned_does_not_land(stage: Stage) -> None:
    result = stage.dream(call=at_step("land", lambda: pause(stage)))
    assert (result.status, result.exit_code, result.reason) == ("paused", 0, TOLD)
    assert (tips(stage.hosted), DAY in stage.files()) == ([], False)
    resume(stage)
    assert stage.dream().status == "landed"


def test_a_night_that_is_paused_while_its_branch_moves_does_not_land_either(stage: Stage) -> None:
    def moves_and_is_paused() -> None:
        stage.person().edit({"other.md": b"# Other\n"})
        pause(stage)

    result = stage.dream(call=at_step("land", moves_and_is_paused))
    assert (result.status, len(tips(stage.hosted)), DAY in stage.files()) == ("paused", 1, False)


def test_a_pause_with_an_end_is_over_with_the_night_that_it_names_and_that_night_catches_up(stage: Stage) -> None:
    stage.dream()
    pause(stage, until=date(2026, 10, 24))
    tell(stage)
    assert stage.next_night().status == "paused"
    assert stage.next_night().status == "landed"
    assert b"The cart of shop 22" in stage.files()["daily/2026-10-22.md"]


def test_a_worker_in_another_home_sees_the_pause_in_the_store(stage: Stage, tmp_path: Path) -> None:
    stage.store = str(tmp_path / "store")
    add_pause(stage.workplace("ops").settings, "acme", MOVING, now=stage.now)
    assert stage.dream(home="worker").status == "paused"


def test_a_broken_pause_file_stops_the_night_and_is_named(stage: Stage) -> None:
    place = Path(place_of(stage.workplace().settings, "acme"))
    pause(stage)
    place.write_bytes(place.read_bytes()[:-3])
    with pytest.raises(BrokenPausesError, match=r"acme\.json") as raised:
        stage.dream()
    assert (raised.value.exit_code, tips(stage.hosted)) == (3, [])
    resume(stage)
    assert stage.dream().status == "landed"


def test_a_store_that_is_down_when_the_night_would_land_is_a_night_that_is_tried_again(
    stage: Stage, tmp_path: Path
) -> None:
    stage.store = str(tmp_path / "store")

    def breaks() -> None:
        shutil.rmtree(tmp_path / "store", ignore_errors=True)
        (tmp_path / "store").write_text("a file now")

    with pytest.raises(StoreDownError) as raised:
        stage.dream(call=at_step("land", breaks))
    assert (raised.value.exit_code, tips(stage.hosted)) == (3, [])


def test_a_paused_task_is_skipped_with_the_way_out_the_others_land_and_it_catches_up_afterwards(stage: Stage) -> None:
    pause(stage, tasks=("daily_note", "tidy"))
    stage.extra = {"models": MODELS}
    vendor = Vendor()
    result = stage.dream(models=vendor.models, steps=asking("daily_note", ("what?",)))
    record = stage.record()
    assert (result.status, result.exit_code, vendor.asked, vendor.checked) == ("landed", 0, [], [])
    stage.extra = {}
    assert record.tasks["daily_note"].outcome == "skipped"
    assert record.tasks["daily_note"].reason == f"{TOLD}; dream resume acme --task daily_note"
    assert record.tasks["pr_outcomes"].outcome == "unchanged"
    resume(stage, "daily_note")
    stage.next_night()
    assert b"refuses refunds" in stage.files()[DAY]
    assert stage.record(date(2026, 10, 23)).tasks["tidy"].outcome == "skipped"


def test_a_task_that_is_paused_while_it_is_planned_does_not_land_and_the_others_do(stage: Stage) -> None:
    result = stage.dream(call=at_step("land", lambda: pause(stage, tasks=("daily_note",))))
    assert (result.status, stage.record().tasks["daily_note"].outcome) == ("landed", "skipped")
    assert (DAY in stage.files(), {effect.task for effect in stage.record().effects}) == (False, {"tidy"})


def by_dream_revert(stage: Stage, night: date) -> None:
    result = stage.revert("daily_note", night=night)
    told = f"daily note is then {HELD_FOR}; once it is mended: dream resume acme --task daily_note"
    assert (result.remarks, result.preview[-1]) == ((told,), told)


HELD_FOR = "paused by itself: what it did in the nights of 2026-10-22 and 2026-10-23 was taken back"


def by_git_revert(stage: Stage, night: date) -> None:
    stage.person(f"Ada{night.day}").revert(stage.commit_of("daily_note", night))


def needs(stage: Stage) -> tuple[str, list[str]]:
    """What `dream status` says."""
    (status,) = tell_status(configure(stage), "acme", clock=stage.clock()).document["organisations"]
    return status["needs"], [reason["why"] for reason in status["reasons"]]


def tell(stage: Stage) -> None:
    """Let another session have taken place on the day before the next night."""
    day = stage.now.date().isoformat()
    number = f"{stage.now:%d}"
    stage.summarise(
        {
            "id": f"7c2e00{number}",
            "started": f"{day}T10:00:00Z",
            "ended": f"{day}T10:30:00Z",
            "lasting": f"The cart of shop {number} is emptied after {number} days.",
        }
    )


@pytest.mark.parametrize("second", [by_dream_revert, by_git_revert])
def test_a_task_that_was_taken_back_in_two_nights_is_held_until_a_person_lets_it_go_on(
    stage: Stage, second: Callable[[Stage, date], None]
) -> None:
    stage.dream()
    by_git_revert(stage, NIGHT)
    tell(stage)
    stage.next_night()
    assert stage.record(date(2026, 10, 23)).tasks["daily_note"].outcome == "changed"
    second(stage, date(2026, 10, 23))
    why = HELD_FOR
    assert needs(stage) == ("a person", [f"daily note is {why}"])
    for night in (24, 25):
        tell(stage)
        stage.next_night()
        task = stage.record(date(2026, 10, night)).tasks["daily_note"]
        assert (task.outcome, task.reason) == ("skipped", f"{why}; dream resume acme --task daily_note")
    report = report_path(stage.workplace().home, date(2026, 10, 25)).read_text()
    assert "Needs a person" in report
    assert "a person: daily note is paused by itself" in report
    resume(stage, "daily_note")
    assert needs(stage) == ("nothing", [])
    stage.next_night()
    assert stage.record(date(2026, 10, 26)).tasks["daily_note"].outcome == "changed"


def test_a_revert_that_lands_while_the_night_is_planned_trips_the_breaker_of_this_very_night(stage: Stage) -> None:
    stage.dream()
    by_git_revert(stage, NIGHT)
    tell(stage)
    stage.next_night()
    tell(stage)
    night = date(2026, 10, 23)
    stage.next_night(call=at_step("land", lambda: by_git_revert(stage, night)))
    assert stage.record(date(2026, 10, 24)).tasks["daily_note"].outcome == "skipped"


def test_a_failed_night_is_no_reason_to_hold_a_task(stage: Stage) -> None:
    stage.dream(steps=failing("daily_note"))
    stage.next_night(steps=failing("daily_note", lambda: DreamError("again")))
    stage.next_night()
    assert stage.record(date(2026, 10, 24)).tasks["daily_note"].outcome == "changed"
