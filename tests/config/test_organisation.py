from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from config.complaints import complaints, dotted
from config.models import Models
from config.organisation import Memory, Organisation, Sessions
from config.production import CodeProbe
from config.pull_requests import RecordedPullRequests

SMALLEST = {"organisation": "acme", "memory": {"url": "https://git.acme.example/memory.git"}}


def _organisation(folder: str = "/etc/dream", **keys: Any) -> Organisation:
    return Organisation.model_validate({**SMALLEST, **keys}, context={"folder": Path(folder)})


def _refused(**keys: Any) -> list[str]:
    with pytest.raises(ValidationError) as refusal:
        _organisation(**keys)
    return [f"{dotted(where)}: {cause}" for where, cause in complaints(refusal.value, Organisation)]


def test_all_but_name_and_address_has_a_default() -> None:
    assert _organisation() == Organisation(
        organisation="acme",
        memory=Memory(url="https://git.acme.example/memory.git", branch="main", path="", credential=""),
        sessions=(),
        pull_requests=(),
        production=(),
        models=Models(),
        timezone="UTC",
        state_key="",
    )


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"organsation": "x"}, "organsation: unknown key; did you mean organisation?"),
        ({"memory": {"url": "/m", "brnch": "x"}}, "memory.brnch: unknown key; did you mean branch?"),
        (
            {"sessions": [{"kind": "specstory", "pth": "/s", "path": "/s"}]},
            "sessions[0].pth: unknown key; did you mean path?",
        ),
        ({"models": {"juge": {}}}, "models.juge: unknown key; did you mean judge?"),
        ({"memory": {}}, "memory.url: is missing"),
        ({"memory": "x"}, "memory: must be a mapping of keys"),
        ({"sessions": {"kind": "specstory"}}, "sessions: must be a list"),
        ({"timezone": 3}, "timezone: must be text; put it in quotes"),
        ({"timezone": "Mars/Olympus"}, "timezone: is no time zone; write one such as Europe/Berlin or UTC"),
        ({"timezone": "../../etc/passwd"}, "timezone: is no time zone; write one such as Europe/Berlin or UTC"),
        ({"timezone": "Europe"}, "timezone: is no time zone; write one such as Europe/Berlin or UTC"),
        (
            {"production": [{"name": "web", "kind": "code", "url": "/a"}] * 2},
            "production: names web more than once",
        ),
        ({"limits": {"loss": {"night_notes": -1}}}, "limits.loss.night_notes: must be at least 0"),
        (
            {"production": [{"name": "web", "kind": "code", "url": "/a", "seconds": 0}]},
            "production[0].code.seconds: must be greater than 0",
        ),
        (
            {"pull_requests": [{"kind": "github", "credential": "env:TOKEN", "repositories": []}]},
            "pull_requests[0].github.repositories: must name at least 1",
        ),
        (
            {"pull_requests": [{"kind": "github", "credential": "env:TOKEN", "repositories": ["acme"]}]},
            "pull_requests[0].github.repositories[0]: must be OWNER/NAME, such as acme/web",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_key(keys: dict[str, Any], complaint: str) -> None:
    assert _refused(**keys) == [complaint]


@pytest.mark.parametrize(
    "name", ["", "Acme", "acme_web", "-acme", "acme-", "a--b", "a/b", "..", "acmé", "acme\n", "a" * 64]
)
def test_a_name_that_could_be_mistaken_for_a_path_is_refused(name: str) -> None:
    assert _refused(organisation=name) == [
        "organisation: must be at most 63 of a-z, 0-9 and single hyphens, such as acme-web"
    ]


@pytest.mark.parametrize(
    ("url", "placed"),
    [
        ("https://git.acme.example/memory.git", "https://git.acme.example/memory.git"),
        ("ssh://git@git.acme.example:2222/memory.git", "ssh://git@git.acme.example:2222/memory.git"),
        ("git@git.acme.example:memory.git", "git@git.acme.example:memory.git"),
        ("file:///srv/memory.git", "file:///srv/memory.git"),
        ("/srv/our memory.git", "/srv/our memory.git"),
        ("../memory.git", "/etc/dream/../memory.git"),
        ("memory.git", "/etc/dream/memory.git"),
    ],
)
def test_an_address_is_kept_and_a_relative_path_starts_at_the_file(url: str, placed: str) -> None:
    assert _organisation(memory={"url": url}).memory.url == placed


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("", "is no address of a git repository"),
        ("--upload-pack=x", "is no address of a git repository"),
        ("https://", "is no address of a git repository"),
        ("https://[bad/memory.git", "is no address of a git repository"),
        ("ssh://-oProxyCommand=x/memory.git", "is no address of a git repository"),
        ("https://git.acme.example/a\nb", "is no address of a git repository"),
        ("ext::sh -c x", "names a remote helper; use an https, ssh or file address"),
        ("ftp://git.acme.example/m", "has no scheme that git is allowed here; known: https, http, ssh, git, file"),
    ],
)
def test_an_address_that_git_should_not_be_given_is_refused(url: str, complaint: str) -> None:
    assert _refused(memory={"url": url}) == [f"memory.url: {complaint}"]


@pytest.mark.parametrize(
    "keys",
    [
        {"memory": {"url": "https://maria:hunter2@git.acme.example/memory.git"}},
        {"memory": {"url": "https://hunter2@git.acme.example/memory.git"}},
        {"memory": {"url": "ssh://git:hunter2@git.acme.example/memory.git"}},
        {"memory": {"url": "/m", "credential": "hunter2"}},
        {"state_key": "env:hunter2-hunter2"},
        {"models": {"dreamer": {"provider": "offline", "api_key": "hunter2"}}},
    ],
)
def test_a_secret_is_refused_and_not_repeated(keys: dict[str, Any]) -> None:
    (complaint,) = _refused(**keys)
    assert "hunter2" not in complaint


@pytest.mark.parametrize(
    "branch", ["-x", "a..b", "a b", "/a", "a/", "a//b", "a.lock", "a.lock/b", "a/.b", "a@{1}", "a:b", "a\\b", "a\n"]
)
def test_what_git_would_not_take_for_a_branch_is_refused(branch: str) -> None:
    assert _refused(memory={"url": "/m", "branch": branch}) == ["memory.branch: is no name of a branch"]


@pytest.mark.parametrize("branch", ["main", "team/memory", "v1.2", "erinnerung-ü", "a.locked"])
def test_a_branch_that_git_takes_is_kept(branch: str) -> None:
    assert _organisation(memory={"url": "/m", "branch": branch}).memory.branch == branch


@pytest.mark.parametrize("path", ["/abs", "../x", "a/../b", "a//b", "./a", "."])
def test_a_memory_folder_outside_its_repository_is_refused(path: str) -> None:
    assert _refused(memory={"url": "/m", "path": path}) == [
        "memory.path: must be a folder inside the repository, such as .claude/memory"
    ]


@pytest.mark.parametrize("path", [".git", "a/.GIT/b", "a\\b", "a\nb"])
def test_a_memory_folder_that_is_gits_own_is_refused(path: str) -> None:
    assert _refused(memory={"url": "/m", "path": path}) == ["memory.path: cannot be the folder of a memory"]


def test_a_final_slash_of_a_memory_folder_means_nothing() -> None:
    assert _organisation(memory={"url": "/m", "path": ".claude/memory/"}).memory.path == ".claude/memory"


def test_relative_paths_and_credential_files_start_at_the_file() -> None:
    organisation = _organisation(
        memory={"url": "/m", "credential": "file:token"},
        sessions=[{"kind": "summaries", "path": "days.jsonl"}],
        pull_requests=[{"kind": "recorded", "path": "/var/prs.json"}],
        state_key="env:KEY",
    )
    assert organisation.memory.credential == "file:/etc/dream/token"
    assert organisation.sessions == (Sessions(kind="summaries", path=Path("/etc/dream/days.jsonl")),)
    assert organisation.pull_requests == (RecordedPullRequests(kind="recorded", path=Path("/var/prs.json")),)
    assert organisation.state_key == "env:KEY"


def test_the_time_zone_is_ready_for_use() -> None:
    assert _organisation(timezone="Europe/Berlin").zone == ZoneInfo("Europe/Berlin")


def test_another_credential_is_the_same_configuration_and_another_limit_is_not() -> None:
    web = {"name": "web", "kind": "code", "url": "/w"}
    one = _organisation(
        memory={"url": "/m", "credential": "env:A"}, production=[{**web, "credential": "env:B"}], state_key="env:C"
    )
    other = _organisation(memory={"url": "/m"}, production=[web])
    assert one.without_credentials() == other.without_credentials()
    assert one.production == (CodeProbe(name="web", kind="code", url="/w", credential="env:B"),)
    stricter = _organisation(memory={"url": "/m"}, production=[web], limits={"loss": {"night_percent": 5}})
    assert stricter.without_credentials() != other.without_credentials()
