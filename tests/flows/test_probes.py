"""Probes made from what an organisation declares."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from config.documents import read_mapping
from config.organisation import Organisation
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Down, Found, Proof, Refused
from flows.code_repositories import read_code_trees
from flows.probes import NOT_READ, limits_of, open_probes, unopened_probes
from tests.conftest import ROOT
from tests.support.mcp_probes import ORDERS, PREVIOUS, REPLICAS, started, still_running
from tests.support.repositories import git

ALL: list[dict[str, Any]] = [
    {"name": "web", "kind": "code", "url": "https://git.acme.example/web.git"},
    {"name": "status", "kind": "http", "url": "https://status.acme.example/api"},
    {"name": "metrics", "kind": "prometheus", "url": "https://metrics.acme.example"},
    {"name": "orders-db", "kind": "sql", "url": "postgresql://dream_reader@db.acme.example/orders"},
    {"name": "deployments", "kind": "mcp", "command": ["/nowhere/mcp"], "tools": ["get_deployment"]},
    {"name": "rehearsal", "kind": "recorded", "path": "/var/lib/acme/recorded.json"},
]
SECRET = "s3cr3t-of-acme-91c2"


def organisation(*systems: dict[str, Any]) -> Organisation:
    return Organisation.model_validate(
        {"organisation": "acme", "memory": {"url": "https://git.acme.example/memory.git"}, "production": systems}
    )


def make_code(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch", "main")
    (folder / "app.py").write_text("replicas = 5\n", encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "-c", "user.name=Ana", "-c", "user.email=ana@acme.example", "commit", "--quiet", "--message", "Start")
    return folder


def test_every_kind_of_system_becomes_a_probe_of_its_name(tmp_path: Path) -> None:
    names = [system["name"] for system in ALL]
    with open_probes(organisation(*ALL), code=(), home=tmp_path) as probes:
        assert [probe.name for probe in probes] == names
        assert [probe.name for probe in probes if not probe.operations] == ["deployments", "rehearsal"]
    assert [probe.name for probe in unopened_probes(organisation(*ALL), home=tmp_path)] == names
    with open_probes(organisation(*ALL), code=(), home=tmp_path, only="metrics") as (metrics,):
        assert metrics.name == "metrics"


def test_what_the_page_for_operations_shows_is_what_is_configured(tmp_path: Path) -> None:
    section = (ROOT / "docs" / "ops.md").read_text(encoding="utf-8").partition("\n## Systems\n")[2]
    page = tmp_path / "systems.yaml"
    page.write_text(section.partition("```yaml\n")[2].partition("```")[0], encoding="utf-8")
    shown = read_mapping(page)
    probes = unopened_probes(organisation(*shown["production"]), home=tmp_path)
    assert [probe.name for probe in probes] == ["web", "status", "metrics", "orders-db", "deployments"]
    status = probes[1]
    assert status.objection("get", "/services/orders-api $.replicas") == ""
    assert status.objection("get", "/accounts") != ""


def test_code_is_asked_as_the_night_has_read_it(tmp_path: Path) -> None:
    url = make_code(tmp_path / "code")
    one = organisation({"name": "web", "kind": "code", "url": str(url), "internal": True})
    with open_probes(one, code=read_code_trees(one, tmp_path), home=tmp_path) as (web,):
        answer = web.ask("lines", "app.py replicas")
        assert isinstance(answer, Found)
        assert [line.text for line in answer.lines] == ["app.py:1: replicas = 5"]
    with open_probes(one, code=(), home=tmp_path) as (web,):
        assert web.ask("file", "app.py") == Down(NOT_READ)
    assert read_code_trees(one, tmp_path, only="other") == ()


@pytest.mark.parametrize("system", [one for one in ALL if one["kind"] != "recorded"], ids=lambda one: one["kind"])
def test_a_missing_credential_makes_a_probe_down_and_is_no_error(tmp_path: Path, system: dict[str, Any]) -> None:
    one = organisation({**system, "credential": "env:ACME_NO_SUCH_TOKEN"})
    reason = "organisation acme: the credential env:ACME_NO_SUCH_TOKEN is missing: the variable is not set"
    (plain,) = unopened_probes(one, home=tmp_path)
    with open_probes(one, code=read_code_trees(one, tmp_path), home=tmp_path) as (probe,):
        assert (probe.name, probe.operations) == (plain.name, plain.operations)
        assert isinstance(probe.ask("no-such-operation", "x"), Refused)
        assert probe.examine() == (Proof(tried="reach it", sound=False, seen=reason),)


def test_a_question_to_a_system_whose_credential_is_missing_waits_for_another_night(tmp_path: Path) -> None:
    one = organisation({**ALL[3], "credential": "env:ACME_NO_SUCH_TOKEN"})
    with open_probes(one, code=(), home=tmp_path) as (probe,):
        answer = probe.ask("select", "SELECT name FROM orders.services WHERE name = 'orders-api'")
    assert isinstance(answer, Down)
    assert answer.reason.startswith("organisation acme: the credential env:ACME_NO_SUCH_TOKEN is missing")


def test_code_whose_credential_is_missing_is_unknown_and_the_other_is_read(tmp_path: Path) -> None:
    url = str(make_code(tmp_path / "code"))
    one = organisation(
        {"name": "web", "kind": "code", "url": url, "internal": True},
        {"name": "api", "kind": "code", "url": url, "internal": True, "credential": "env:ACME_NO_SUCH_TOKEN"},
    )
    web, api = read_code_trees(one, tmp_path)
    assert (web.unknown, web.paths) == ("", frozenset({"app.py"}))
    assert api.unknown.startswith("organisation acme: the credential env:ACME_NO_SUCH_TOKEN is missing")


@pytest.mark.parametrize("system", [one for one in ALL if one["kind"] != "recorded"], ids=lambda one: one["kind"])
def test_a_secret_is_in_no_representation(
    tmp_path: Path, system: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACME_PROBE_TOKEN", SECRET)
    one = organisation({**system, "credential": "env:ACME_PROBE_TOKEN"})
    with open_probes(one, code=[CodeTree(name="web", unknown="x")], home=tmp_path) as (probe,):
        assert SECRET not in repr(probe)
        assert not isinstance(probe.ask("no-such-operation", "x"), Down)


def test_what_is_configured_is_what_a_question_may_take() -> None:
    numbers = {"seconds": 3, "output_bytes": 1, "lines": 2, "line_characters": 80}
    for system in ALL:
        (plain,) = organisation(system).production
        assert limits_of(plain) == ProbeLimits()
        (own,) = organisation({**system, **numbers}).production
        assert limits_of(own) == ProbeLimits(seconds=3, output_bytes=1, lines=2, line_characters=80)


def test_what_probes_have_started_ends_with_a_night_that_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("TRACE", str(trace))
    command = [sys.executable, "-IS", PREVIOUS]
    system = {"name": "inventory", "kind": "mcp", "command": command, "tools": ["replicas"], "environment": ["TRACE"]}

    def cancelled_night() -> None:
        one = organisation({**system, "seconds": 60})
        with open_probes(one, code=(), home=tmp_path) as (probe,):
            assert [probe.ask("replicas", ORDERS) for _ in range(2)] == [REPLICAS] * 2
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        cancelled_night()
    assert len(started(trace)) == 1
    assert still_running(started(trace)) == []


def test_nothing_that_speaks_to_systems_is_loaded_where_there_are_none(tmp_path: Path) -> None:
    text = (
        "import sys; from pathlib import Path; from config.organisation import Organisation; from flows import probes; "
        "one = Organisation.model_validate({'organisation': 'acme', 'memory': {'url': '/m'}}); "
        f"made = probes.open_probes(one, code=(), home=Path({str(tmp_path)!r})); made.__enter__(); "
        "print([name for name in ('psycopg', 'sqlglot', 'mcp', 'httpx2', 'jsonpath') if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("[]\n", "")


def test_a_command_that_dies_as_often_as_it_may_is_started_no_more(tmp_path: Path) -> None:
    dead = {"name": "inventory", "kind": "mcp", "command": [str(tmp_path / "none")], "tools": ["a"], "deaths": 2}
    with open_probes(organisation(dead), code=(), home=tmp_path) as (probe,):
        answers = [probe.ask("a", "") for _ in range(3)]
    assert all(isinstance(answer, Down) for answer in answers)
    said = [getattr(answer, "reason", "").partition(",")[0] for answer in answers]
    assert said[2] == "it is asked no more tonight"
    assert said[2] not in said[:2]
