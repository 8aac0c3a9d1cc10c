from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from flows.commands.examination import examine_organisation
from tests.support.github import TOKEN, GitHubState, Node, commit, github, pull, refusal
from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, stage_of

WEB = "acme/web"
TALLY = "conventions/acme-web.md"


def ended(number: int, day: int) -> Node:
    """A pull request of Devin that was merged on a day of October."""
    at = f"2026-10-{day:02}T10:00:00Z"
    return pull(number, commit(number), closedAt=at, mergedAt=at, updatedAt=at)


def source(url: str, folder: Path, **fields: Any) -> dict[str, Any]:
    (folder / "token").write_text(TOKEN)
    credential = f"file:{folder}/token"
    served = {"kind": "github", "url": url, "repositories": [WEB], "credential": credential, **fields}
    return {"pull_requests": [served]}


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, {"MEMORY.md": "# Memory\n"})
    made.summarise({})
    return made


def counted(stage: Stage) -> str:
    """What the tally says, "" while there is none."""
    note = stage.files().get(TALLY, b"").decode()
    return next((line for line in note.splitlines() if "agent pull request" in line), "")


def test_what_ended_while_the_platform_was_down_is_counted_once_when_it_is_back(stage: Stage, tmp_path: Path) -> None:
    state = GitHubState(repositories={WEB: [ended(1, 21)]})
    with github(state) as server:
        stage.extra = source(server.url, tmp_path)
        stage.dream()
        assert "Of 1 agent pull request in acme/web since 2026-10-21: 1 merged untouched" in counted(stage)
        state.repositories[WEB] += [ended(2, 22), ended(3, 24)]
        state.fail(refusal(500, "Oops"), times=99_999)
        for _ in range(5):
            result = stage.next_night()
            assert any("the server failed (status 500)" in finding for finding in result.findings)
            assert "Of 1 agent" in counted(stage)
        state.orders.clear()
        stage.next_night()
        assert "Of 3 agent pull requests in acme/web since 2026-10-21: 3 merged untouched" in counted(stage)
        stage.next_night()
        assert "Of 3 agent" in counted(stage)


def test_what_a_night_has_no_room_for_is_counted_by_the_nights_after_it(stage: Stage, tmp_path: Path) -> None:
    state = GitHubState(repositories={WEB: [ended(n, 21) for n in range(1, 6)]})
    with github(state) as server:
        stage.extra = source(server.url, tmp_path, pull_requests=2)
        stage.dream()
        seen = [counted(stage)]
        for _ in range(3):
            stage.next_night()
            seen.append(counted(stage))
    assert [line.partition(" agent")[0].rpartition(" ")[2] for line in seen] == ["2", "4", "5", "5"]


def test_doctor_looks_at_a_page_of_what_there_is_and_names_a_credential_that_is_missing(
    stage: Stage, tmp_path: Path
) -> None:
    state = GitHubState(repositories={WEB: [ended(n, 21) for n in range(1, 8)]})
    with github(state) as server:
        stage.extra = source(server.url, tmp_path, page=2)
        told = {check.thing: check.cause for check in examine_organisation(stage.workplace(), stage.clock())}
        assert told["acme pull requests"] == "2 of agents looked at; a first night counts those of its day"
        (tmp_path / "token").unlink()
        thing = f"acme pull requests of {server.url} credential"
        (missing,) = [c for c in examine_organisation(stage.workplace(), stage.clock()) if c.thing == thing]
        assert missing.cause.endswith("the file cannot be read: No such file or directory; nights go on without these")
        lines = [str(check) for check in examine_organisation(stage.workplace(), stage.clock())]
        assert len([line for line in lines if "is missing" in line]) == 1


def test_doctor_calls_a_repository_that_cannot_be_read_by_what_it_is(stage: Stage, tmp_path: Path) -> None:
    state = GitHubState(repositories={WEB: [ended(1, 21)]})
    with github(state) as server:
        stage.extra = source(server.url, tmp_path)
        state.fail(refusal(500, "Oops"), times=99_999)
        told = [check.cause for check in examine_organisation(stage.workplace(), stage.clock())]
    assert [cause for cause in told if cause.startswith("pull requests of repository acme/web left out: ")]
    assert not [cause for cause in told if "pull request record" in cause]


def test_a_first_night_tells_how_many_ended_before_its_day_and_later_nights_do_not(
    stage: Stage, tmp_path: Path
) -> None:
    def record(number: int, day: int) -> dict[str, Any]:
        at = f"2026-10-{day:02}T10:00:00Z"
        return {"repo": WEB, "number": number, "agent": "Devin", "state": "merged", "merged_at": at}

    (tmp_path / "recorded.json").write_text(json.dumps([record(1, 3), record(2, 20), record(3, 21)]))
    stage.extra = {"pull_requests": [{"kind": "recorded", "path": str(tmp_path / "recorded.json")}]}
    stage.dream()
    told = "2 of 3 pull requests of agents ended before 2026-10-21, where the first night begins, and are not counted"
    assert told in stage.record().tasks["pr_outcomes"].findings
    stage.next_night()
    assert told not in stage.record(NIGHT + timedelta(days=1)).tasks["pr_outcomes"].findings
