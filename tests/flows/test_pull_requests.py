from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from config.organisation import Organisation
from dream.sources.pull_requests.agents import KNOWN_AGENTS, AgentMarks
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.values import Fate, PullRequestReading
from flows.pull_requests import agents_of, read_agents_pull_requests
from tests.sources.pull_requests.records import BOT, record
from tests.sources.pull_requests.records import commit as commit_of
from tests.support.github import APP_TOKEN, TOKEN, GitHubState, app_key, commit, github, pull, sha, user

SINCE = datetime(2026, 11, 15, tzinfo=UTC)
WEB = "acme/web"


def organisation(*sources: dict[str, Any], **fields: Any) -> Organisation:
    return Organisation.model_validate(
        {"organisation": "acme", "memory": {"url": "/memory.git"}, "pull_requests": list(sources), **fields}
    )


def read(made: Organisation, home: Path, *, is_glance: bool = False) -> PullRequestReading:
    return read_agents_pull_requests(made, since=SINCE, home=home, is_glance=is_glance, sleep=lambda _seconds: None)


@contextmanager
def source(state: GitHubState, folder: Path, **fields: Any) -> Iterator[dict[str, Any]]:
    """A source in the configuration, on loopback."""
    (folder / "token").write_text(TOKEN)
    with github(state) as server:
        yield {
            "kind": "github",
            "url": server.url,
            "repositories": [WEB],
            "credential": f"file:{folder}/token",
            **fields,
        }


def test_recorded_ones_and_those_of_a_platform_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "recorded.json").write_text(json.dumps([record("open"), record("open", number=1)]))
    recorded = {"kind": "recorded", "path": str(tmp_path / "recorded.json")}
    state = GitHubState(repositories={WEB: [pull(7, commit(1)), pull(1, commit(1))]})
    with source(state, tmp_path) as served:
        reading = read(organisation(recorded, served), tmp_path)
    assert [(one.number, one.state) for one in reading.pull_requests] == [(1, "open"), (7, "merged"), (41, "open")]
    assert (reading.skipped, reading.findings) == ((), ())


def test_a_credential_that_is_missing_is_a_finding_and_the_other_sources_are_read(tmp_path: Path) -> None:
    with source(GitHubState(repositories={WEB: [pull(7, commit(1))]}), tmp_path) as served:
        gone = "the credential env:DREAM_TEST_NOT_SET is missing: the variable is not set"
        missing = {**served, "credential": "env:DREAM_TEST_NOT_SET"}
        reading = read(organisation(missing, served), tmp_path)
    assert [one.number for one in reading.pull_requests] == [7]
    assert reading.findings == (f"pull requests of {served['url']} are not read: organisation acme: {gone}",)


def test_an_app_reads_as_a_token_does(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(app_key()[0])
    app = {"id": 7, "installation": 9, "private_key": f"file:{tmp_path}/key.pem"}
    state = GitHubState(repositories={WEB: [pull(7, commit(1))]}, token=APP_TOKEN)
    # the server's clock is far from this machine's, which keeps no app out
    with source(state, tmp_path, app=app, credential="") as served:
        assert [one.number for one in read(organisation(served), tmp_path).pull_requests] == [7]


def test_only_agents_of_the_organisation_are_read(tmp_path: Path) -> None:
    state = GitHubState(
        repositories={WEB: [pull(1, commit(1)), pull(2, commit(1), author=user("ana"), headRefName="robo/2")]}
    )
    with source(state, tmp_path) as served:
        made = organisation(served, agents=[{"name": "Robo", "branches": ["robo/"]}])
        reading = read(made, tmp_path)
    assert agents_of(made) == (AgentMarks(name="Robo", branches=("robo/",)),)
    assert agents_of(organisation()) == KNOWN_AGENTS
    assert agents_of(organisation(agents=[])) == ()
    assert [(one.number, one.agent) for one in reading.pull_requests] == [(2, "Robo")]
    assert reading.findings == ("acme/web: 1 pull request bears no mark of an agent and was not read",)


def test_accounts_that_the_organisation_calls_machines_are_bots_and_edit_nothing(tmp_path: Path) -> None:
    theirs = commit_of(2, BOT), commit_of(3, "acme-format")
    (tmp_path / "recorded.json").write_text(json.dumps(record("merged", *theirs)))
    recorded = {"kind": "recorded", "path": str(tmp_path / "recorded.json")}
    state = GitHubState(
        repositories={WEB: [pull(1, commit(1), commit(2, "acme-format"))]}, comparisons={(sha(1), sha(2)): []}
    )
    with source(state, tmp_path) as served:
        edited = read(organisation(recorded, served), tmp_path)
        machined = read(organisation(recorded, served, machines=["Acme-Format"]), tmp_path)
    assert [one.edits for one in edited.pull_requests] == [(), None]
    assert [one.edits for one in machined.pull_requests] == [None, None]
    assert [classify(one, KNOWN_AGENTS).fate for one in edited.pull_requests] == [
        Fate.MERGED_UNTOUCHED,
        Fate.MERGED_EDITED,
    ]
    assert [classify(one, KNOWN_AGENTS).reason for one in machined.pull_requests] == ["every commit is the agent's"] * 2


def test_a_glance_reads_a_page_waits_for_nothing_and_compares_nothing(tmp_path: Path) -> None:
    pulls = [pull(n, commit(1), commit(2, "ana")) for n in range(1, 8)]
    with source(GitHubState(repositories={WEB: pulls}), tmp_path, page=3) as served:
        reading = read(organisation(served), tmp_path, is_glance=True)
    assert (len(reading.pull_requests), reading.findings) == (3, ())


@pytest.mark.parametrize(("patches", "edits"), [("none", None), ("compare", ())])
def test_patches_are_read_as_they_are_configured(tmp_path: Path, patches: str, edits: object) -> None:
    state = GitHubState(repositories={WEB: [pull(1, commit(1), commit(2, "ana"))]}, comparisons={(sha(1), sha(2)): []})
    with source(state, tmp_path, patches=patches) as served:
        assert read(organisation(served), tmp_path).pull_requests[0].edits == edits


def test_patches_by_git_that_cannot_be_fetched_are_said(tmp_path: Path) -> None:
    state = GitHubState(repositories={WEB: [pull(1, commit(1), commit(2, "ana"))]})
    with source(state, tmp_path, patches="git") as served:
        reading = read(organisation(served), tmp_path)
    assert reading.pull_requests[0].edits is None
    assert [finding.partition(": git fetch")[0] for finding in reading.findings] == [
        "acme/web: what people changed is not read"
    ]
    assert TOKEN not in repr(replace(reading, pull_requests=()))
