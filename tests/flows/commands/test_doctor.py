"""`dream doctor`: a line for each thing that nights need, and nothing written to a memory."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog

from dream.report.pauses import Pause
from flows.commands.doctor import examine
from flows.pausing import add_pause, place_of
from tests.conftest import ROOT
from tests.support.commands import Commands, program
from tests.support.repositories import EPOCH, host, import_commit
from tests.support.served import Fault, Served, Step
from tests.support.stage import MEMORY, Stage, stage_of


@pytest.fixture
def dream(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Commands]:
    yield Commands(tmp_path, capsys, monkeypatch)
    structlog.reset_defaults()


@pytest.fixture
def stage(served: Served, dream: Commands) -> Stage:
    made = stage_of(served, dream.root)
    made.summarise({})
    (made.sessions / "claude").mkdir()
    return made


def examined(stage: Stage, dream: Commands, name: str = "acme") -> list[str]:
    dream.write("acme", stage.organisation.model_dump(mode="json"))
    return examine(name, clock=stage.clock()).text.split("\n")[:-1]


def lines(stage: Stage, dream: Commands, name: str = "acme") -> dict[str, str]:
    told = examined(stage, dream, name)
    return {line.partition(": ")[0]: line.partition(": ")[2] for line in told}


def test_an_organisation_that_is_well_has_a_line_for_everything(stage: Stage, dream: Commands) -> None:
    stage.dream()
    told = lines(stage, dream)
    assert [thing.split(" ", 1)[0] for thing in told if thing.startswith("fail")] == []
    assert {thing for thing in told if "acme" in thing} == {
        "ok   acme nights",
        "warn acme state_key",
        "ok   acme models",
        "ok   acme history",
        "ok   acme memory",
        "ok   acme push",
        "ok   acme clock",
        "ok   acme state",
        "ok   acme sessions",
        "ok   acme pull requests",
        "ok   acme production",
    }
    assert told["ok   acme memory"].startswith(f"{stage.hosted.url} has main at {(stage.hosted.tip() or '')[:12]}")
    assert told["ok   acme sessions"] == "0 and 1 summaries in 14 days"
    assert told["ok   acme state"].endswith("newest night 2026-10-22")
    store = stage.root / "home" / "acme" / "store"
    assert told["ok   acme history"] == f"1 past sessions, each kept for 400 days, at {store}"


def test_what_is_paused_and_that_nights_land_nowhere_is_told_with_the_way_out(stage: Stage, dream: Commands) -> None:
    settings = stage.workplace().settings
    pause = Pause(since=stage.now, by="ana", reason="a bad release", tasks=("tidy",))
    add_pause(settings, "acme", pause, now=stage.now)
    stage.extra = {"shadow": True}
    assert [line for line in examined(stage, dream) if " acme nights: " in line] == [
        "warn acme nights: tidy paused since 2026-10-22 04:00 UTC by ana: a bad release; dream resume acme --task tidy",
        (
            "warn acme nights: in shadow, where they land nowhere; "
            "to let nights land, once you have read some: shadow: false in acme.yaml"
        ),
    ]
    Path(place_of(settings, "acme")).write_text("{", encoding="utf-8")
    (told,) = (line for line in examined(stage, dream) if " acme nights: " in line)
    assert told.startswith("fail acme nights: what is paused is not known: ")
    assert told.endswith("mend the file, or take it away with: dream resume acme")


def test_a_history_that_is_damaged_or_cannot_be_reached_is_told(stage: Stage, dream: Commands) -> None:
    stage.dream()
    (path,) = (stage.root / "home" / "acme" / "store").rglob("thread_7c2e0001.*.json")
    path.write_bytes(b"{")
    told = lines(stage, dream)
    assert told["warn acme history"].startswith(f"passed over 2026-10/{path.name}: it is cut or changed")
    history = path.parents[1]
    history.rename(history.parent / "elsewhere")
    history.write_text("no folder", encoding="utf-8")
    assert "cannot be read or written" in lines(stage, dream)["fail acme history"]


def test_without_a_key_it_says_what_that_means(stage: Stage, dream: Commands) -> None:
    assert lines(stage, dream)["warn acme state_key"] == (
        "there is none: state that is edited by accident is noticed, state that is forged is not; "
        "set state_key to env:NAME or file:PATH"
    )


def test_nothing_is_written_to_the_memory(stage: Stage, dream: Commands, served: Served) -> None:
    before = (stage.hosted.tip(), sorted(path for path in stage.hosted.path.rglob("*")))
    lines(stage, dream)
    assert (stage.hosted.tip(), sorted(path for path in stage.hosted.path.rglob("*"))) == before
    assert Step.PUSH not in served.requests


def test_a_remote_that_lets_nobody_push_fails_before_the_night_does(
    stage: Stage, dream: Commands, served: Served
) -> None:
    served.fail(Fault.FORBID, on=Step.PUSH_REFS)
    told = lines(stage, dream)
    assert "fail acme push" in told
    assert "ok   acme sessions" in told


def test_a_remote_that_is_down_fails_and_the_sources_are_looked_at(
    stage: Stage, dream: Commands, served: Served
) -> None:
    served.fail(Fault.REFUSE, on=Step.READ_REFS, times=None)
    told = lines(stage, dream)
    assert "refuses to serve" in told["fail acme memory"]
    assert "ok   acme sessions" in told


def test_a_credential_that_is_not_there_fails_and_one_that_is_is_not_shown(
    stage: Stage, dream: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.extra = {"memory": {"url": stage.hosted.url, "credential": "env:ACME_GIT"}, "state_key": "env:ACME_KEY"}
    told = lines(stage, dream)
    assert told["fail acme memory.credential"].startswith("organisation acme: the credential env:ACME_GIT is missing")
    assert "fail acme state_key" in told
    monkeypatch.setenv("ACME_GIT", "s3cr3t-1")
    monkeypatch.setenv("ACME_KEY", "s3cr3t-2")
    told = lines(stage, dream)
    assert told["ok   acme memory.credential"] == "env:ACME_GIT holds one"
    assert told["ok   acme state_key"] == "env:ACME_KEY holds one"
    assert "s3cr3t" not in str(told)


def test_a_branch_that_is_not_born_is_made_by_the_first_night(served: Served, dream: Commands) -> None:
    stage = stage_of(served, dream.root, None)
    assert lines(stage, dream)["warn acme memory"] == (
        f"{stage.hosted.url} has no branch yet; the first night makes main"
    )


def test_each_system_shows_what_it_reaches_and_that_it_cannot_be_written(
    stage: Stage, dream: Commands, served: Served
) -> None:
    code = host(served, "code", {"app.py": "replicas = 5\n"})
    web = {"name": "web", "kind": "code", "url": code.url, "internal": True}
    outside = {"name": "outside", "kind": "code", "url": code.url}
    closed = {"name": "closed", "kind": "sql", "url": "postgresql://reader@db.acme.example/orders"}
    stage.extra = {"production": [web, outside, {**closed, "credential": "env:ACME_NO_SUCH_PASSWORD"}]}
    told = [line for line in examined(stage, dream) if "acme probe" in line]
    assert told[0] == f"ok   acme probe web: read: 1 paths at {code.tip()}"
    assert told[1].startswith("ok   acme probe web: push: refused: ")
    assert told[2].startswith("fail acme probe outside: read: ")
    assert told[2].endswith("; correct its url, branch or credential, and see that `internal` is right")
    assert told[3] == (
        "fail acme probe closed: reach it: organisation acme: the credential env:ACME_NO_SUCH_PASSWORD is missing: "
        "the variable is not set; correct its url or credential, and give it a role that may only read: "
        "docs/production.md"
    )
    assert len(told) == 4
    assert lines(stage, dream)["fail acme production closed credential"] == (
        "organisation acme: the credential env:ACME_NO_SUCH_PASSWORD is missing: the variable is not set; nights "
        "go on, and what this system could bear out stays unverified; set ACME_NO_SUCH_PASSWORD where this runs"
    )
    assert lines(stage, dream)["ok   acme production"] == "systems to ask: 3"


def test_a_repository_of_code_is_not_taken_for_a_memory(served: Served, dream: Commands) -> None:
    files = {"README.md": "# Web\n", "src/main.py": "pass\n", "notes/a.md": "# A\n"}
    stage = stage_of(served, dream.root, files)
    told = lines(stage, dream)
    assert told["ok   acme memory"].endswith(", 3 files")
    assert told["warn acme memory"] == (
        "there is no MEMORY.md at its root and no night has landed: it may be a repository of code; "
        "see that memory.url and memory.path are right; the first night makes MEMORY.md"
    )
    stage.extra = {"memory": {"url": stage.hosted.url, "path": "notes"}}
    assert "in the folder notes of it" in lines(stage, dream)["warn acme memory"]
    stage.dream()
    assert "warn acme memory" not in lines(stage, dream)


def test_a_clock_that_is_behind_the_newest_commit_is_told(stage: Stage, dream: Commands) -> None:
    stage.now = EPOCH - timedelta(hours=1)
    assert lines(stage, dream)["warn acme clock"] == (
        "the newest commit is dated 2026-10-01 12:00 UTC, and here it is 2026-10-01 11:00; "
        "set this machine's clock, or that of whoever pushed it"
    )


def test_a_clock_far_ahead_of_the_newest_commit_is_told_with_the_way_out(stage: Stage, dream: Commands) -> None:
    stage.now = datetime(2027, 3, 1, 5, tzinfo=UTC)
    assert lines(stage, dream)["warn acme clock"].endswith("dream run acme --night 2027-03-01")


def test_a_rewritten_history_and_a_newer_state_fail(stage: Stage, dream: Commands) -> None:
    stage.dream()
    stage.person().edit({".dream/state.json": '{"version": 7}'})
    assert "has version 7" in lines(stage, dream)["fail acme state"]
    import_commit(stage.hosted, MEMORY, message="memory: begun again")
    assert "was rewritten" in lines(stage, dream)["fail acme memory"]


def test_a_source_that_is_not_there_fails(stage: Stage, dream: Commands) -> None:
    stage.extra = {"pull_requests": [{"kind": "recorded", "path": "/no/such/file.json"}]}
    assert lines(stage, dream)["fail acme pull requests"].startswith("there is no /no/such/file.json")


def test_what_is_wrong_with_one_organisation_does_not_hide_another(stage: Stage, dream: Commands) -> None:
    dream.write("broken", {"memory": {"url": "x", "brunch": "main"}})
    told = lines(stage, dream, name="")
    assert "did you mean branch?" in told["fail broken configuration"]
    assert "ok   acme memory" in told


def test_the_exit_is_honest_about_what_fails(stage: Stage, dream: Commands, served: Served) -> None:
    lines(stage, dream)
    assert dream("doctor", "acme").exit == 0
    served.fail(Fault.REFUSE, on=Step.READ_REFS, times=None)
    ended = dream("doctor", "acme")
    assert (ended.exit, ended.out.rstrip("\n").rpartition("\n")[2].partition(":")[2]) == (1, " 1 failed, 2 to look at")
    assert dream("doctor", "acne").exit == 2


def test_settings_that_do_not_fit_are_a_line_too(dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_LOG_LEVEL", "loud")
    ended = dream("doctor")
    assert ended.exit == 1
    assert ended.out.startswith("fail settings: DREAM_LOG_LEVEL must be")


def test_a_misspelt_variable_is_pointed_out(stage: Stage, dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DREAM_ORGANISATION", "/etc/dream")
    assert "did you mean DREAM_ORGANISATIONS?" in lines(stage, dream)["warn settings"]


def test_an_api_that_does_not_answer_fails(stage: Stage, dream: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: another test's API would answer in this one."""
    dream.write("acme", stage.organisation.model_dump(mode="json"))
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    ended = subprocess.run(program("doctor"), cwd=ROOT, capture_output=True, text=True, check=False)
    (told,) = [line for line in ended.stdout.split("\n") if line.startswith("fail Prefect: ")]
    assert told.endswith("; start the server, or run without one: PREFECT_API_URL= dream run ORG")
    assert ended.returncode == 1
