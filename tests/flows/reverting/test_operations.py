"""Single operations of a night are taken back, and everything else of it stands."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from dream.errors import FatalError, UsageError
from dream.memory.operation_ids import short_ids
from dream.memory.records import Effect
from dream.memory.undoing.rewinding import Conflict
from flows.reverting.result import RevertResult
from tests.support.served import Served
from tests.support.stage import NIGHT, SUMMARY, Stage, stage_of

DAILY = "daily/2026-10-21.md"
THREADS = ("7c2e0001", "7c2e0002", "7c2e0003")


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    """An organisation whose night tells of three threads and merges two notes' statements."""
    made = stage_of(served, tmp_path)
    told = ("The checkout API refuses refunds above 500 euros.", "Orders ship on Mondays.", "Logs are kept for a week.")
    made.summarise(*({**SUMMARY, "id": name, "lasting": text} for name, text in zip(THREADS, told, strict=True)))
    return made


def notes(stage: Stage) -> dict[str, bytes]:
    return {path: data for path, data in stage.files().items() if not path.startswith((".dream/", "MEMORY", "CATALOG"))}


def revert(stage: Stage, *operations: str, task: str | None = None) -> RevertResult:
    return stage.revert(task, operations=operations)


def of_task(stage: Stage, task: str) -> list[Effect]:
    return [one for one in stage.record().effects if one.task == task]


def test_one_thread_of_a_days_note_is_taken_back_and_the_others_stay(stage: Stage) -> None:
    stage.dream()
    before = notes(stage)
    chosen = of_task(stage, "daily_note")[1]
    result = revert(stage, chosen.id[:7])
    assert ([one.id for one in result.effects], result.exit_code) == ([chosen.id], 0)
    mine = {line for change in chosen.changes for line in change.added if line.startswith("- ")}
    left = [line for line in before[DAILY].decode().split("\n") if line not in mine]
    assert mine
    assert [line for line in notes(stage)[DAILY].decode().split("\n") if line.strip()] == [
        line for line in left if line.strip()
    ]
    assert {path: data for path, data in notes(stage).items() if path != DAILY} == {
        path: data for path, data in before.items() if path != DAILY
    }
    assert [one.id for one in stage.record().effects if one.reverted] == [chosen.id]
    assert [stone.effect for stone in stage.state().undone] == [chosen.id]
    after = notes(stage)
    stage.next_night()
    assert {path: notes(stage)[path] for path in after} == after


def test_what_is_taken_back_one_by_one_comes_to_what_was_there_before_the_night(stage: Stage) -> None:
    before = notes(stage)
    stage.dream()
    ids = [one.id for one in stage.record().effects]
    assert len(ids) >= 4
    for one in (*ids[::2], *ids[1::2]):
        assert revert(stage, one).exit_code == 0
    assert notes(stage) == before
    assert stage.revert().effects == ()


def test_the_rest_of_a_task_is_taken_back_after_a_part_of_it(stage: Stage) -> None:
    before = notes(stage)
    stage.dream()
    first = of_task(stage, "daily_note")[0]
    revert(stage, first.id)
    assert DAILY in notes(stage)
    result = stage.revert("daily_note")
    assert (len(result.effects), result.conflicts) == (len(of_task(stage, "daily_note")) - 1, ())
    assert DAILY not in notes(stage)
    stage.revert("tidy")
    assert notes(stage) == before


def test_an_operation_is_looked_for_within_the_task_that_is_named(stage: Stage) -> None:
    stage.dream()
    merge = of_task(stage, "tidy")[0]
    with pytest.raises(UsageError, match="no operation of the night 2026-10-22 begins with"):
        revert(stage, merge.id, task="daily_note")
    assert [one.id for one in revert(stage, merge.id, task="tidy").effects] == [merge.id]


def test_nothing_lands_where_it_comes_to_something_else_than_was_shown(stage: Stage) -> None:
    stage.dream()
    shown = stage.revert("tidy", dry_run=True)
    stage.person().delete("queues/invoices.md")
    tip = stage.hosted.tip()
    with pytest.raises(FatalError, match="the branch moved since this was shown") as refusal:
        stage.revert("tidy", shown=shown.digest)
    assert (refusal.value.exit_code, stage.hosted.tip()) == (3, tip)


def test_it_lands_where_the_branch_moved_and_it_comes_to_the_same(stage: Stage) -> None:
    stage.dream()
    shown = stage.revert("tidy", dry_run=True)
    stage.person().append("services/checkout.md", "- ana writes elsewhere.\n")
    result = stage.revert("tidy", shown=shown.digest)
    assert (result.digest, result.tip) == (shown.digest, stage.hosted.tip())


def test_a_retry_of_one_operation_does_that_one_again(stage: Stage) -> None:
    stage.dream()
    landed = stage.files()[DAILY]
    chosen = of_task(stage, "daily_note")[1]
    stage.revert(None, operations=[chosen.id], retry=True)
    assert stage.files()[DAILY] != landed
    stage.next_night()
    assert sorted(stage.files()[DAILY].split(b"\n")) == sorted(landed.split(b"\n"))


def test_a_conflict_names_what_stands_on_it_and_the_command_that_takes_both_back() -> None:
    first, second = (Effect(id=letter * 16, task="tidy", kind="revise") for letter in "ab")
    conflict = Conflict(effect=first, reason="changed-by-a-later-edit", path="a.md", later=((NIGHT, second),))
    tomorrow = NIGHT + timedelta(days=1)
    result = RevertResult(
        organisation="acme",
        night=NIGHT,
        tip="",
        commits=(),
        edits=(),
        conflicts=(conflict, Conflict(effect=first, reason=conflict.reason, path="a.md", later=((tomorrow, second),))),
        dry_run=True,
        short=short_ids([first, second]),
    )
    assert result.lines == (
        "conflict: tidy: revise in a.md: changed-by-a-later-edit [aaaaaaa]",
        (
            "  bbbbbbb (tidy, 2026-10-22) stands on it; together: "
            "dream revert acme --night 2026-10-22 --operation aaaaaaa bbbbbbb"
        ),
        "conflict: tidy: revise in a.md: changed-by-a-later-edit [aaaaaaa]",
        "  bbbbbbb (tidy, 2026-10-23) stands on it; first: dream revert acme --night 2026-10-23 --operation bbbbbbb",
    )
