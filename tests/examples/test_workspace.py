from __future__ import annotations

from pathlib import Path

import pytest

from config.loading import load_organisations
from config.pull_requests import RecordedPullRequests
from dream.guards.secrets import find_secrets
from dream.sources.pull_requests.recorded import read_pull_requests
from dream.sources.pull_requests.values import PullRequestSource
from examples.workspace import HERE, OccupiedError, Workspace, build_workspace, invented_token, push_history, run_git


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return build_workspace(tmp_path_factory.mktemp("examples") / "demo")


def test_the_organisation_is_one_that_the_product_takes(workspace: Workspace) -> None:
    loaded = load_organisations(workspace.folder / "organisations")
    assert loaded.broken == ()
    acme = loaded.get("acme")
    assert Path(acme.memory.url).resolve() == workspace.memory.resolve()
    assert all(source.path.exists() for source in acme.sessions)
    assert all(isinstance(source, RecordedPullRequests) and source.path.exists() for source in acme.pull_requests)


def test_building_it_again_makes_the_same_commits_and_nothing_else_is_ever_taken_away(tmp_path: Path) -> None:
    tips = [run_git(build_workspace(tmp_path / "demo").memory, "rev-parse", "main") for _ in range(2)]
    assert tips[0] == tips[1]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.md").write_text("years of work", encoding="utf-8")
    with pytest.raises(OccupiedError):
        build_workspace(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.md").read_text(encoding="utf-8") == "years of work"


def test_the_histories_rename_and_delete(workspace: Workspace) -> None:
    moved = run_git(workspace.code, "log", "-M", "--diff-filter=R", "--name-status", "--format=")
    assert len(moved.strip().split("\n")) == 3
    assert "scripts/backfill-orders.sh" in run_git(workspace.code, "log", "--diff-filter=D", "--name-only", "--format=")
    push_history(HERE / "memory-later.yaml", workspace.memory)
    assert "services/basket.md" in run_git(workspace.memory, "ls-tree", "-r", "--name-only", "main")


def test_the_invented_token_is_one_that_the_screen_knows_and_stands_in_no_file_of_the_project(
    workspace: Workspace,
) -> None:
    assert find_secrets(f"the header says {invented_token()} and fails")
    planted = [path for path in (workspace.folder / "sessions").rglob("*.md") if invented_token() in path.read_text()]
    assert len(planted) == 1
    assert not any(invented_token() in path.read_text(encoding="utf-8") for path in HERE.rglob("*") if path.is_file())


def test_every_record_of_a_pull_request_is_read(workspace: Workspace) -> None:
    reading = read_pull_requests([PullRequestSource(path=str(workspace.folder / "pull-requests.json"))])
    assert reading.skipped == ()
    assert len(reading.pull_requests) == 6
