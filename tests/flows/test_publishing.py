"""What a run leaves behind for people, whatever became of it."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from dream.errors import FatalError, RemoteError
from dream.repository.mirror import Mirror
from flows.attempts import KEPT_NIGHTS, all_attempts, read_attempts
from flows.publishing import publish, publish_failure, report_path
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, failing, stage_of

AT = datetime(2026, 10, 22, 4, 1, tzinfo=UTC)


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def home(stage: Stage) -> Path:
    return stage.workplace().home


def test_a_night_that_landed_leaves_a_report_for_people_and_one_for_programs(stage: Stage) -> None:
    result = stage.dream()
    report = report_path(home(stage), NIGHT)
    text = report.read_text(encoding="utf-8")
    assert text.startswith("# acme: the night of 2026-10-22\n\n- **Landed** at `" + result.tip[:12])
    assert (
        f"dream revert acme --night 2026-10-22 --task tidy`, or in a clone `git revert {stage.commit_of('tidy')}`"
        in text
    )
    document = json.loads(report.with_suffix(".json").read_bytes())
    assert document["tip"] == result.tip
    assert [commit["task"] for commit in document["commits"]] == ["daily_note", "tidy", "index_rewrite", "state_update"]
    assert document["commits"][1]["files"] == ["queues/invoices.md"]
    assert stat.S_IMODE(report.parent.stat().st_mode) == 0o700


def test_the_diff_and_the_evidence_of_each_task_are_in_the_report(stage: Stage) -> None:
    stage.dream()
    text = report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert "the same statement stands twice" in text
    assert (
        "\n-- 2026-10-03: Orders are archived after ninety days by the nightly job. [thread_0003, 2026-10-03]\n" in text
    )


def test_a_run_that_finds_nothing_to_do_still_publishes(stage: Stage) -> None:
    stage.dream()
    report = report_path(home(stage), NIGHT)
    before = report.read_text(encoding="utf-8")
    report.unlink()
    assert stage.dream().status == "nothing-to-do"
    after = report.read_text(encoding="utf-8")
    assert after.partition("## Runs")[0] == before.partition("## Runs")[0]
    assert [run.status for run in read_attempts(home(stage), NIGHT)] == ["landed", "nothing-to-do"]


def test_a_superseded_run_leaves_the_report_of_what_landed(stage: Stage) -> None:
    stage.next_night()
    result = stage.dream(NIGHT)
    assert (result.status, result.exit_code) == ("superseded", 0)
    assert "- **Superseded**" in report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert read_attempts(home(stage), NIGHT)[-1].needs == "nothing"


def test_a_dry_run_leaves_its_report_beside_that_of_the_night(stage: Stage) -> None:
    stage.dream(dry_run=True)
    text = report_path(home(stage), NIGHT, dry=True).read_text(encoding="utf-8")
    assert "- **Dry run** at" in text
    assert "### tidy: " in text
    assert not report_path(home(stage), NIGHT).exists()
    assert read_attempts(home(stage), NIGHT) == ()


def test_a_night_whose_task_failed_says_what_it_needs(stage: Stage) -> None:
    stage.dream(steps=failing("tidy"))
    text = report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert "- **Landed, tasks failed** at" in text
    assert "  - a retry: tidy failed: RuntimeError: broken on purpose: dream run acme --night 2026-10-22\n" in text
    (attempt,) = read_attempts(home(stage), NIGHT)
    assert (attempt.exit, attempt.needs, attempt.failed) == (1, "a retry", ("tidy",))


def test_a_run_that_landed_nothing_is_noted_with_its_cause(stage: Stage) -> None:
    error = RemoteError("the remote is down", way_out="run again when it can")
    publish_failure(stage.workplace(), NIGHT, error, at=AT)
    text = report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert "- **Nothing landed**\n- Needs a retry\n" in text
    assert "| 2026-10-22 04:01:00 UTC | not-landed | 3 | the remote is down | run again when it can |" in text


def test_only_a_person_can_mend_what_is_fatal(stage: Stage) -> None:
    publish_failure(stage.workplace(), NIGHT, FatalError("history was rewritten"), at=AT)
    publish_failure(stage.workplace(), NIGHT, ZeroDivisionError("by zero"), at=AT + timedelta(minutes=1))
    needs = [(run.reason, run.needs) for run in read_attempts(home(stage), NIGHT)]
    assert needs == [
        ("history was rewritten", "a person"),
        ("a defect: ZeroDivisionError: by zero", "a person"),
    ]


def test_a_failure_after_a_landing_leaves_the_report_of_what_landed(stage: Stage) -> None:
    stage.dream()
    before = report_path(home(stage), NIGHT).read_bytes()
    publish_failure(stage.workplace(), NIGHT, RemoteError("the remote is down"), at=AT)
    assert report_path(home(stage), NIGHT).read_bytes() == before


def test_a_full_disk_does_not_take_back_what_landed_and_is_told(stage: Stage) -> None:
    reports = report_path(home(stage), NIGHT).parent
    reports.mkdir(parents=True)
    (reports / "2026-10-22.md.new").symlink_to("/dev/full")
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 1)
    assert result.tip == stage.hosted.tip()
    assert result.findings[-1] == (
        f"the report could not be written: the report cannot be written under {reports}: No space left on device"
    )
    assert stage.dream().exit_code == 0
    assert report_path(home(stage), NIGHT).exists()


def test_a_mirror_that_cannot_be_cleaned_up_does_not_take_back_what_landed(stage: Stage, served: Served) -> None:
    stage.extra = {"limits": {"records": {"kept": 1}}}
    stage.dream(NIGHT - timedelta(days=1))
    older = home(stage) / "memory.git/refs/dream/nights/2026-10-21.lock"
    served.before_push = older.touch
    stage.summarise({"id": "7c2e0002", "lasting": "Refunds take three days."})
    result = stage.dream()
    assert older.exists()
    assert (result.status, result.exit_code, result.tip) == ("landed", 0, stage.hosted.tip())
    assert [run.status for run in read_attempts(home(stage), NIGHT)] == ["landed"]


def test_a_defect_in_publishing_is_told_and_the_landing_stands(stage: Stage) -> None:
    result = stage.dream()
    published = publish(stage.workplace(), cast("Mirror", None), result, at=AT)
    (crash,) = (home(stage) / "crashes").iterdir()
    assert (published.status, published.tip, published.exit_code) == ("landed", stage.hosted.tip(), 1)
    assert published.findings[-1] == (
        f"the report could not be written: a defect: AttributeError; report it with {crash}"
    )


def test_a_defect_in_noting_that_nothing_landed_hides_no_failure(stage: Stage) -> None:
    """Whoever notes it goes on to raise what went wrong first."""
    publish_failure(stage.workplace(), cast("date", None), RemoteError("the remote is down"), at=AT)
    assert read_attempts(home(stage), NIGHT) == ()


def test_a_run_is_noted_with_what_it_found_beside_its_tasks_whose_findings_stand_in_the_record(stage: Stage) -> None:
    result = stage.dream()
    assert result.record is not None
    tidy = result.record.tasks["tidy"].model_copy(update={"findings": ("two notes are twins",)})
    record = result.record.model_copy(update={"tasks": {**result.record.tasks, "tidy": tidy}})
    found = replace(result, record=record, findings=("one file left out", "two notes are twins"))
    assert publish(stage.workplace(), cast("Mirror", None), found, at=AT).findings[:2] == found.findings
    (noted,) = (run for run in read_attempts(home(stage), NIGHT) if run.at == AT)
    assert noted.findings == ("one file left out",)


def test_a_home_that_cannot_be_written_does_not_hide_the_failure_itself(stage: Stage) -> None:
    home(stage).parent.mkdir(parents=True)
    home(stage).write_text("a file, no folder")
    publish_failure(stage.workplace(), NIGHT, RemoteError("the remote is down"), at=AT)
    assert home(stage).read_text() == "a file, no folder"


def test_notes_of_nights_long_past_are_forgotten(stage: Stage) -> None:
    old = NIGHT - timedelta(days=KEPT_NIGHTS + 1)
    kept = NIGHT - timedelta(days=KEPT_NIGHTS)
    for night in (old, kept):
        publish_failure(stage.workplace(), night, RemoteError("the remote is down"), at=AT)
    stage.dream()
    assert sorted(all_attempts(home(stage))) == [kept, NIGHT]
    assert not report_path(home(stage), old).exists()


def test_publishing_again_changes_nothing_but_the_runs(stage: Stage) -> None:
    result = stage.dream()
    workplace = stage.workplace()
    first = report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert publish(workplace, workplace.mirror(), result, at=AT) == result
    again = report_path(home(stage), NIGHT).read_text(encoding="utf-8")
    assert again.partition("## Runs")[0] == first.partition("## Runs")[0]


def test_no_credential_is_in_what_is_published(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_GIT", "s3cr3t-of-acme")
    served.login = ("x-access-token", "s3cr3t-of-acme")
    stage = stage_of(served, tmp_path)
    stage.extra = {"memory": {"url": stage.hosted.url, "credential": "env:ACME_GIT"}, "state_key": "env:ACME_GIT"}
    stage.dream()
    publish_failure(stage.workplace(), date(2026, 10, 23), RemoteError(f"{served.origin} is down"), at=AT)
    for path in home(stage).rglob("*"):
        if path.is_file():
            assert b"s3cr3t-of-acme" not in path.read_bytes(), path
