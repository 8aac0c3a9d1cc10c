"""Where a night runs, what is logged on the way, and what is said at its end."""

from __future__ import annotations

import io
import json
import subprocess
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
import structlog

from dream.errors import RemoteError, UsageError
from dream.report.accounts import counted
from flows.attempts import read_attempts
from flows.commands.running import run_nightly, run_organisation
from flows.opening import Request
from flows.publishing import report_path
from flows.telling.logs import configure_logs
from tests.conftest import ROOT
from tests.support.commands import configure, program
from tests.support.served import ANY_STEP, Fault, Served
from tests.support.stage import NIGHT, Stage, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    configure_logs(form="json", stream=stream)
    yield stream
    structlog.reset_defaults()


def test_a_run_tells_its_tasks_what_it_took_and_where_the_report_is(stage: Stage) -> None:
    answer = run_organisation(configure(stage), "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    report = report_path(stage.workplace().home, NIGHT)
    looked = counted(stage.record().tasks["production_verification"].not_written)
    assert answer.exit_code == 0
    assert answer.text.split("\n") == [
        f"acme: the night of 2026-10-22 landed at {(stage.hosted.tip() or '')[:12]}",
        "",
        "task                     outcome    in  written  pending  not written",
        "daily note               changed     1        1        0",
        "distil                   skipped     0        0        0",
        "pr outcomes              unchanged   0        0        0",
        "learnings                skipped     0        0        0",
        f"production verification  unchanged   3        0        0  {looked}",
        "tidy                     changed     1        1        0",
        "index rewrite            changed     0        0        0",
        "state update             changed     0        0        0",
        f"all                                  5        2        0  {looked}",
        "",
        "taken away: 0 of 1 notes, 0 of 5 statements tonight",
        "            0 of 1 notes, 0 of 15 statements lately",
        f"findings: {len(answer.document['findings'])}",
        *(f"  {finding}" for finding in answer.document["findings"]),
        f"report: {report}",
    ]
    assert answer.document["report"] == str(report)
    json.dumps(answer.document)


def test_each_step_is_logged_with_what_it_came_to(stage: Stage, logged: io.StringIO) -> None:
    settings = configure(stage)
    run_organisation(settings, "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    lines = [json.loads(line) for line in logged.getvalue().split("\n") if line]
    assert {(line["organisation"], line["night"]) for line in lines} == {("acme", "2026-10-22")}
    planned = [(line["task"], line["outcome"]) for line in lines if line["event"] == "task.planned"]
    assert planned == [
        ("daily_note", "changed"),
        ("distil", "skipped"),
        ("pr_outcomes", "unchanged"),
        ("learnings", "skipped"),
        ("production_verification", "unchanged"),
        ("tidy", "changed"),
        ("index_rewrite", "changed"),
    ]
    (daily,) = [line for line in lines if line["event"] == "task.planned" and line["task"] == "daily_note"]
    assert {name: daily[name] for name in ("inputs", "written", "not_written", "pending", "refused")} == {
        "inputs": 1,
        "written": 1,
        "not_written": 0,
        "pending": 0,
        "refused": 0,
    }


def test_no_log_line_holds_the_text_of_a_note(stage: Stage, logged: io.StringIO) -> None:
    settings = configure(stage)
    run_organisation(settings, "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    assert "refunds above" not in logged.getvalue()
    assert "archived after ninety days" not in logged.getvalue()


def test_a_night_that_landed_has_nothing_left_to_do(stage: Stage) -> None:
    settings = configure(stage)
    run_organisation(settings, "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    again = run_organisation(settings, "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    assert again.text.startswith("acme: the night of 2026-10-22 has nothing left to do at ")
    assert (again.document["status"], again.exit_code) == ("nothing-to-do", 0)


def test_a_remote_that_is_down_is_an_error_and_noted(stage: Stage, served: Served) -> None:
    served.fail(Fault.REFUSE, on=ANY_STEP, times=None)
    with pytest.raises(RemoteError):
        run_organisation(configure(stage), "acme", Request(night=NIGHT), use_prefect=False, clock=stage.clock())
    (attempt,) = read_attempts(stage.workplace().home, NIGHT)
    assert (attempt.at, attempt.status, attempt.needs) == (stage.now, "not-landed", "a retry")


def test_wrong_usage_is_no_attempt_at_a_night(stage: Stage) -> None:
    tomorrow = NIGHT + timedelta(days=1)
    with pytest.raises(UsageError, match="is not due yet"):
        run_organisation(configure(stage), "acme", Request(night=tomorrow), use_prefect=False, clock=stage.clock())
    assert read_attempts(stage.workplace().home, tomorrow) == ()


def test_a_nightly_run_without_any_organisation_is_wrong_usage(stage: Stage) -> None:
    with pytest.raises(UsageError, match="there is no organisation in"):
        run_nightly(stage.workplace().settings, night=date(2026, 10, 22), clock=stage.clock())


def test_the_prefect_that_a_night_brings_tells_nobody_of_it(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    from prefect.settings import PREFECT_SERVER_ANALYTICS_ENABLED, temporary_settings  # noqa: PLC0415  # two seconds

    class Ended:
        async def result(self, *, raise_on_failure: bool) -> dict[str, object]:
            return {"night": "", "organisations": [], "failed": ["nobody"] if raise_on_failure else []}

    seen = []

    async def flow(**_parameters: object) -> Ended:
        seen.append(PREFECT_SERVER_ANALYTICS_ENABLED.value())
        return Ended()

    monkeypatch.setattr("flows.nightly.nightly", flow)
    settings = configure(stage)
    with temporary_settings({PREFECT_SERVER_ANALYTICS_ENABLED: True}):
        run_nightly(settings, night=NIGHT, clock=stage.clock())
    assert seen == [False]


def test_a_run_prefers_a_configured_api(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens at that address, so the night does not run: it was not quietly dreamed in the process."""
    configure(stage)
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(stage.root))
    monkeypatch.setenv("DREAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    before = stage.hosted.tip()
    ended = subprocess.run(
        program("run", "acme", "--night", "2024-05-03"), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "dream: Prefect could not run it: " in ended.stderr
    assert "Traceback" not in ended.stderr
    assert stage.hosted.tip() == before
