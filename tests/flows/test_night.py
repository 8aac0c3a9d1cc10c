"""A night over a served remote: what it lands, what it leaves alone, and what a second run does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from dream.errors import FatalError, HistoryRewrittenError, NewerStateError, RemoteError, TransientError, UsageError
from flows.night import dream_night
from flows.opening import Request
from flows.telling.reasons import public_reason
from tests.support.repositories import Hosted, assert_fast_forward, assert_sound, git
from tests.support.served import Fault, Served
from tests.support.stage import MEMORY, NIGHT, Stage, failing, stage_of

T = TypeVar("T")

AUTHOR = {
    "GIT_AUTHOR_NAME": "Ada Person",
    "GIT_AUTHOR_EMAIL": "ada@test.invalid",
    "GIT_COMMITTER_NAME": "Ada Person",
    "GIT_COMMITTER_EMAIL": "ada@test.invalid",
}


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def test_a_night_lands_in_one_push_with_a_commit_for_each_task(stage: Stage) -> None:
    before = stage.hosted.tip()
    result = stage.dream()
    assert (result.status, result.exit_code, result.tries) == ("landed", 0, 1)
    assert result.tip == stage.hosted.tip()
    assert_fast_forward(stage.hosted, before, result.tip)
    assert_sound(stage.hosted)
    outcomes = {name: record.outcome for name, record in stage.record().tasks.items()}
    assert outcomes == {
        "daily_note": "changed",
        "distil": "skipped",
        "pr_outcomes": "unchanged",
        "learnings": "skipped",
        "production_verification": "unchanged",
        "tidy": "changed",
        "index_rewrite": "changed",
        "state_update": "changed",
    }
    subjects = stage.hosted.log(f"{before}..main")
    assert [subject.split(":")[0] for subject in reversed(subjects)] == [
        "daily note",
        "tidy",
        "index rewrite",
        "state update",
    ]


def test_what_a_night_is_not_about_is_kept_byte_for_byte(stage: Stage) -> None:
    stage.dream()
    files = stage.files()
    assert files["services/checkout.md"] == MEMORY["services/checkout.md"].encode()
    theirs = MEMORY["MEMORY.md"].encode().split(b"\n")
    assert [line for line in files["MEMORY.md"].split(b"\n") if line in theirs and line] == [*filter(None, theirs)]


def test_every_input_is_accounted_for(stage: Stage) -> None:
    stage.dream()
    for record in stage.record().tasks.values():
        assert record.inputs == record.written + sum(record.not_written.values()) + record.pending


def test_what_was_said_after_the_night_is_for_the_next_and_only_tomorrow_is_the_future(stage: Stage) -> None:
    def futures(home: str) -> list[str]:
        return [finding for finding in stage.dream(dry_run=True, home=home).findings if "future" in finding]

    stage.now = stage.now.replace(hour=18)
    stage.summarise({"id": "today", "started": "2026-10-22T08:00:00Z", "ended": "2026-10-22T09:00:00Z"})
    assert futures("one") == []
    stage.summarise({"id": "tomorrow", "started": "2026-10-23T08:00:00Z", "ended": "2026-10-23T09:00:00Z"})
    assert futures("two") == [f"session file {stage.sessions / 'summaries.jsonl'}: dated in the future (1)"]


def test_a_second_run_changes_nothing(stage: Stage) -> None:
    stage.dream()
    tip = stage.hosted.tip()
    for home in ("home", "another-machine"):
        result = stage.dream(home=home)
        assert (result.status, result.exit_code) == ("nothing-to-do", 0)
    assert stage.hosted.tip() == tip


def test_the_same_inputs_give_the_same_commits(stage: Stage) -> None:
    tips = {stage.dream(dry_run=True, home=home).tip for home in ("one", "two")}
    assert len(tips) == 1
    assert tips == {stage.dream(home="three").tip}


def test_a_dry_run_lands_nothing(stage: Stage) -> None:
    before = stage.hosted.tip()
    result = stage.dream(dry_run=True)
    assert (result.status, result.exit_code) == ("dry-run", 0)
    assert stage.hosted.tip() == before


def test_a_quiet_night_lands_its_state_and_looks_on(stage: Stage) -> None:
    stage.dream()
    result = stage.next_night()
    assert result.status == "landed"
    assert stage.hosted.log()[0].startswith("state update")
    assert stage.state().checked == dict.fromkeys(
        ["queues/invoices.md", "services/checkout.md", "services/orders.md"], date(2026, 10, 22)
    ) | {path: day for path, day in stage.state().checked.items() if day > NIGHT}


def test_a_failed_task_is_named_and_the_rest_lands(stage: Stage) -> None:
    result = stage.dream(steps=failing("tidy"))
    assert (result.status, result.exit_code, result.failed) == ("landed", 1, ("tidy",))
    assert stage.record().tasks["tidy"].reason == "RuntimeError: broken on purpose"
    assert stage.record().tasks["daily_note"].outcome == "changed"


def test_a_rerun_does_only_what_has_not_landed(stage: Stage) -> None:
    undisturbed = stage_of_same(stage)
    stage.dream(steps=failing("tidy"))
    first = stage.record()
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    second = stage.record()
    assert second.landings == 2
    assert second.tasks["daily_note"] == first.tasks["daily_note"]
    assert second.tasks["tidy"].outcome == "changed"
    undisturbed.dream()
    assert notes(stage) == notes(undisturbed)


def stage_of_same(stage: Stage) -> Stage:
    copy = stage.hosted.path.with_name("copy.git")
    git(copy.parent, "clone", "--quiet", "--bare", str(stage.hosted.path), str(copy))
    git(copy, "config", "http.receivepack", "true")
    hosted = Hosted(path=copy, url=stage.hosted.url.replace("memory", "copy"))
    return Stage(hosted=hosted, root=stage.root, name="copy", now=stage.now)


def notes(stage: Stage) -> dict[str, bytes]:
    return {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}


def test_a_refused_push_lands_nothing_and_the_next_run_lands_all(stage: Stage) -> None:
    before = stage.hosted.tip()
    stage.hosted.set_hook("pre-receive", "#!/bin/sh\necho 'memory is frozen' >&2\nexit 1\n")
    with pytest.raises(RemoteError, match="memory is frozen"):
        stage.dream()
    assert stage.hosted.tip() == before
    stage.hosted.set_hook("pre-receive", "")
    assert stage.dream().status == "landed"


@pytest.mark.parametrize(
    "moment", ["open", "read", "daily_note", "pr_outcomes", "production_verification", "tidy", "state_update", "land"]
)
def test_a_branch_that_moves_at_any_step_keeps_both_sides(stage: Stage, moment: str) -> None:
    person = stage.person()

    async def moving(name: str, step: Callable[[], T]) -> T:
        if name == moment:
            person.append("services/checkout.md", "- A person adds this while the night runs.\n")
        return step()

    result = stage.dream(call=moving)
    assert (result.status, result.exit_code) == ("landed", 0)
    files = stage.files()
    assert files["services/checkout.md"].endswith(b"- A person adds this while the night runs.\n")
    assert "daily/2026-10-21.md" in files
    assert_sound(stage.hosted)


def test_what_arrived_while_planning_is_looked_at_the_next_night(stage: Stage) -> None:
    person = stage.person()

    async def moving(name: str, step: Callable[[], T]) -> T:
        if name == "land":
            person.append("services/checkout.md", "- A person adds this while the night runs.\n")
        return step()

    stage.dream(call=moving)
    assert stage.record().arrived == ("services/checkout.md",)
    stage.next_night()
    assert stage.state().checked["services/checkout.md"] == NIGHT + timedelta(days=1)


def test_an_edit_whose_ground_a_person_changed_is_dropped_and_theirs_stays(stage: Stage) -> None:
    person = stage.person()
    reworded = MEMORY["queues/invoices.md"].replace("ninety days", "sixty days")

    async def moving(name: str, step: Callable[[], T]) -> T:
        if name == "land":
            person.edit({"queues/invoices.md": reworded, "services/orders.md": None})
        return step()

    stage.dream(call=moving)
    files = stage.files()
    assert files["queues/invoices.md"] == reworded.encode()
    assert "services/orders.md" not in files
    assert stage.record().tasks["tidy"].pending == 1


def test_two_runs_at_once_land_one_night(stage: Stage) -> None:
    other = stage_of_same_remote(stage)

    async def racing(name: str, step: Callable[[], T]) -> T:
        if name == "land":
            assert other_dreams(other) == "landed"
        return step()

    result = stage.dream(call=racing)
    assert (result.status, result.exit_code) == ("superseded", 0)
    assert stage.record().landings == 1


def other_dreams(stage: Stage) -> str:
    ended: list[str] = []

    def run() -> None:
        request = Request(night=NIGHT)
        result = asyncio.run(dream_night(stage.workplace("another-home"), request, clock=stage.clock()))
        ended.append(result.status)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return ended[0]


def stage_of_same_remote(stage: Stage) -> Stage:
    return Stage(hosted=stage.hosted, root=stage.root, now=stage.now)


def test_an_older_night_ends_superseded_once_a_later_one_has_landed(stage: Stage) -> None:
    stage.next_night()
    tip = stage.hosted.tip()
    result = stage.dream()
    assert (result.status, result.exit_code) == ("superseded", 0)
    assert stage.hosted.tip() == tip


def test_three_late_runs_in_any_order_come_to_one_night_each_or_none(stage: Stage) -> None:
    stage.now += timedelta(days=2)
    statuses = [stage.dream(NIGHT + timedelta(days=days)).status for days in (1, 0, 2)]
    assert statuses == ["landed", "superseded", "landed"]


def test_a_missed_night_is_caught_up_by_the_next(stage: Stage) -> None:
    stage.dream()
    stage.summarise({"id": "late0001", "ended": "2026-10-22T10:30:00Z", "started": "2026-10-22T10:00:00Z"})
    stage.summarise({"id": "late0002", "ended": "2026-10-24T10:30:00Z", "started": "2026-10-24T10:00:00Z"})
    stage.next_night(days=3)
    written = {path for path in stage.files() if path.startswith("daily/")}
    assert written == {"daily/2026-10-21.md", "daily/2026-10-22.md", "daily/2026-10-24.md"}


def test_a_summary_that_arrives_late_is_told_once(stage: Stage) -> None:
    stage.dream()
    stage.summarise({"id": "late0001", "lasting": "The refund queue is drained by hand on Fridays."})
    stage.next_night()
    stage.next_night()
    note = stage.files()["daily/2026-10-21.md"].decode()
    assert note.count("drained by hand") == 1
    assert note.count("refuses refunds") == 1


def test_a_night_cut_off_after_the_push_knows_that_it_landed(stage: Stage, served: Served) -> None:
    served.fail(Fault.CUT_ANSWER)
    result = stage.dream()
    assert (result.status, result.tries) == ("landed", 1)
    assert stage.record().landings == 1


def test_a_remote_that_is_down_is_named_and_loses_nothing(stage: Stage, served: Served) -> None:
    before = stage.hosted.tip()
    served.close()
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1"):
        stage.dream()
    assert stage.hosted.tip() == before


def test_a_branch_that_never_stands_still_is_given_up_with_nothing_landed(stage: Stage, served: Served) -> None:
    def move() -> None:
        moved = git(stage.hosted.path, "commit-tree", "-p", "main", "-m", "moved", "main^{tree}", stdin=b"", **AUTHOR)
        git(stage.hosted.path, "update-ref", "refs/heads/main", moved)
        served.before_push = move

    served.before_push = move
    with pytest.raises(TransientError, match="kept moving"):
        stage.dream()
    assert sum(stage.waits) >= 20
    assert set(stage.hosted.log()) == {"moved", "memory: as it was"}


def test_a_night_before_its_time_is_wrong_usage(stage: Stage) -> None:
    with pytest.raises(UsageError, match="is not due yet"):
        stage.dream(NIGHT + timedelta(days=1))


def test_a_clock_far_ahead_needs_the_night_by_name(stage: Stage) -> None:
    stage.now = datetime(2027, 10, 22, 5, tzinfo=UTC)
    with pytest.raises(UsageError, match="days after the newest commit"):
        stage.dream(None)
    assert stage.dream(date(2027, 10, 22)).status == "landed"


def test_a_night_that_landed_before_its_time_is_an_alarm_and_no_quiet_superseded(stage: Stage) -> None:
    stage.now += timedelta(days=20)
    stage.dream(NIGHT + timedelta(days=20))
    stage.now -= timedelta(days=19)
    with pytest.raises(FatalError, match=r"the night of 2026-11-11 has landed .* newest that is due is 2026-10-23"):
        stage.dream(None)


def test_an_unborn_branch_gets_its_first_commits(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, None)
    stage.summarise({})
    assert stage.dream().status == "landed"
    assert {"MEMORY.md", "CATALOG.md", "daily/2026-10-21.md"} <= set(stage.files())


def test_a_memory_without_an_index_gets_one(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, {"notes/a.md": "# A\n"})
    stage.dream()
    assert b"(notes/a.md)" in stage.files()["MEMORY.md"]


def test_a_memory_in_a_folder_leaves_the_rest_of_the_repository_alone(served: Served, tmp_path: Path) -> None:
    files = {"src/main.py": "print()\n", **{f".claude/memory/{path}": text for path, text in MEMORY.items()}}
    stage = stage_of(served, tmp_path, files)
    url = stage.hosted.url
    stage.extra = {"memory": {"url": url, "path": ".claude/memory"}}
    stage.summarise({})
    stage.dream()
    after = stage.files()
    assert after["src/main.py"] == b"print()\n"
    assert ".claude/memory/daily/2026-10-21.md" in after
    assert {path for path in after if not path.startswith(".claude/memory/")} == {"src/main.py"}


def test_history_rewritten_by_force_stops_the_night_until_it_is_accepted(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.git("reset", "--quiet", "--hard", "HEAD~4")
    person.commit({"services/new.md": "# New\n\n- A statement from another history.\n"})
    person.git("push", "--quiet", "--force", "origin", "HEAD:main")
    tip = stage.hosted.tip()
    stage.now += timedelta(days=1)
    with pytest.raises(HistoryRewrittenError, match="rewritten") as raised:
        stage.dream(None)
    assert "--accept-history" in raised.value.way_out
    assert stage.hosted.tip() == tip
    assert stage.dream(None, accept_history=True).status == "landed"


def test_state_edited_by_hand_is_put_back_and_reported(stage: Stage) -> None:
    stage.dream()
    landed = stage.state()
    person = stage.person()
    text = person.read(".dream/state.json").decode().replace('"2026-10-22"', '"2099-01-01"')
    person.edit({".dream/state.json": text})
    result = stage.next_night()
    assert any("was passed over: it was committed by Ada Person" in finding for finding in result.findings)
    assert "2099" not in stage.files()[".dream/state.json"].decode()
    assert set(landed.checked) <= set(stage.state().checked)


def test_a_deleted_state_is_rebuilt_from_history(stage: Stage) -> None:
    stage.dream()
    stage.person().edit({".dream/state.json": None})
    stage.next_night()
    assert stage.state().began == datetime(2026, 10, 21, tzinfo=UTC)
    assert len(stage.state().covered) == 2


def test_a_state_that_nobody_of_the_flow_wrote_stops_the_night(served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, {**MEMORY, ".dream/state.json": '{"version": 1}\n'})
    with pytest.raises(FatalError, match=r"no commit in the history wrote it") as caught:
        stage.dream()
    assert public_reason(caught.value) == ".dream/state.json: no commit in the history wrote it as the flow does"


def test_a_newer_state_stops_the_night_and_names_both_versions(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    text = person.read(".dream/state.json").decode().replace('"version": 1', '"version": 2')
    person.edit({".dream/state.json": text})
    with pytest.raises(NewerStateError, match="version 2"):
        stage.next_night()
