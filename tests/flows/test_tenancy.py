"""B75 under Prefect: what one organisation says, keeps and is reached with is in nothing that is another's.

Eight organisations of one installation dream at once, on one server and with one vendor. Each has a word of its own
wherever it says something, and a secret; both are looked for in every byte that anybody else could come to see.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import structlog
from prefect.client.orchestration import get_client
from prefect.logging.handlers import APILogHandler, PrefectConsoleHandler
from prefect.settings import PREFECT_SERVER_DATABASE_CONNECTION_URL

from flows.installation import open_installation
from flows.nightly import nightly
from flows.telling.run_logs import prefect_consoles
from tests.failures.test_b_models_apart import ECHO
from tests.support.repositories import git_bytes
from tests.support.sensible import asks, converse
from tests.support.served import Served
from tests.support.spoiled import CALM, logged
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of
from tests.support.vendors import VendorServer, vendor_server

NAMES = tuple(f"org-{letter}" for letter in "abcdefgh")


@dataclass(frozen=True, kw_only=True)
class Town:
    """Eight organisations after a night, and what everybody around them has seen."""

    stages: Mapping[str, Stage]
    server: VendorServer
    root: Path
    log: str
    environments: str
    database: bytes
    shown: Mapping[str, str]


def canary(name: str) -> str:
    """The word of an organisation, which stands in its memory and in all that it is told."""
    return f"kestrel{name[-1] * 5}"


def secret(name: str) -> str:
    """What an organisation is reached with."""
    return f"secret-of-{name[-1] * 9}"


def organisation(served: Served, root: Path, server: VendorServer, name: str) -> Stage:
    """Host a memory full of its word, and leave sessions, summaries and a pull request with it; write its file."""
    word, folder = canary(name), root / name
    folder.mkdir()
    files = {
        **MEMORY,
        "MEMORY.md": f"# Memory of {word}\n\n- [Web](services/web-{word}.md)\n",
        f"services/web-{word}.md": f"# Web\n\n- It is {word}.\n",
        "services/ledger.md": f"# Ledger of {word}\n\nIt is kept.\n",
    }
    made = stage_of(served, folder, files, hosted_as=name, name=name)
    converse(made, 1, CALM.quote, "Noted.")
    converse(made, 2, f"The ledger of this shop is called {word}.", f"I see, {word}.")
    made.summarise({"lasting": f"The {word} thread was long.", "title": f"{word} title", "person": f"{word}-person"})
    pull = {
        "repo": "acme/web",
        "number": 41,
        "title": f"Mend {word}",
        "state": "merged",
        "author": "devin-ai-integration[bot]",
        "merged_at": "2026-10-21T10:00:00Z",
        "commits": [{"sha": "1" * 40, "author": "devin-ai-integration[bot]", "message": word}],
    }
    (folder / "pulls.json").write_text(json.dumps([pull]))
    made.extra = {"pull_requests": [{"kind": "recorded", "path": str(folder / "pulls.json")}]}
    asks(made, server, key=secret(name))
    document = made.organisation.model_dump(mode="json")
    (root / "organisations" / f"{name}.yaml").write_text(json.dumps(document))
    return made


@contextmanager
def watched_git(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Put a git before git that writes down what environment it was given."""
    folder, seen = root / "bin", root / "environments"
    folder.mkdir()
    program = folder / "git"
    program.write_text(f'#!/bin/sh\nenv >> {seen}\nPATH="${{PATH#*:}}" exec git "$@"\n')
    program.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(folder), prepend=":")
        yield seen


@contextmanager
def heard_prefect(stream: Any) -> Iterator[None]:
    """Have Prefect's own lines written to `stream`, in whatever form they are."""
    consoles = [one for one in prefect_consoles() if isinstance(one, PrefectConsoleHandler)]
    before = [(one.console.file, one.formatter) for one in consoles]
    for one in consoles:
        one.console.file = stream
    try:
        yield
    finally:
        for one, (file, formatter) in zip(consoles, before, strict=True):
            one.console.file = file
            one.setFormatter(formatter)


async def shown_by_prefect() -> dict[str, str]:
    """Return what Prefect's API tells of everything, once the last event has got there: some time after its night."""
    await APILogHandler.aflush()
    landed = {"filter": {"event": {"name": ["dream.night.landed"]}, "order": "ASC"}}
    async with get_client() as client:
        for _ in range(240):
            events = (await client.request("POST", "/events/filter", json=landed)).text
            if all(f"dream.organisation.{name}" in events for name in NAMES):
                break
            await asyncio.sleep(0.5)
        told = [
            (await client.request("POST", path, json={"limit": 200})).text
            for path in ("/artifacts/filter", "/flow_runs/filter", "/task_runs/filter", "/logs/filter")
        ]
    return dict(zip(("artifacts", "flow_runs", "task_runs", "logs", "events"), [*told, events], strict=True))


@pytest.fixture
def town(
    served: Served,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prefect: None,  # noqa: ARG001
) -> Iterator[Town]:
    (tmp_path / "organisations").mkdir()
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(tmp_path / "organisations"))
    monkeypatch.setenv("DREAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DREAM_STORE", str(tmp_path / "kept"))
    monkeypatch.setenv("DREAM_LOG_FORMAT", "json")
    for name in NAMES:
        monkeypatch.setenv(f"{name.upper().replace('-', '_')}_KEY", secret(name))
    with ExitStack() as stack:
        server = stack.enter_context(vendor_server(ECHO))
        stages = {name: organisation(served, tmp_path, server, name) for name in NAMES}
        stream = stack.enter_context(logged())
        seen = stack.enter_context(watched_git(tmp_path, monkeypatch))
        stack.enter_context(heard_prefect(stream))
        open_installation()
        state: Any = asyncio.run(_ended(nightly(night=NIGHT.isoformat(), return_state=True)))
        assert (state.name, state.message) == ("Completed", f"{len(NAMES)} organisations, 0 failed")
        shown = asyncio.run(shown_by_prefect())
        place = Path(PREFECT_SERVER_DATABASE_CONNECTION_URL.value().rpartition(":///")[2])
        database = b"".join(path.read_bytes() for path in place.parent.iterdir() if path.is_file())
        yield Town(
            stages=stages,
            server=server,
            root=tmp_path,
            log=stream.getvalue(),
            environments=seen.read_text(),
            database=database,
            shown=shown,
        )
    structlog.reset_defaults()


async def _ended(run: Any) -> Any:
    return await run


def held(town: Town, name: str) -> bytes:
    """Every byte that is kept of one organisation: its remote, its mirror, its folders, unpacked where it is packed."""
    hosted = town.stages[name].hosted.path
    home, kept = town.root / "home" / name, town.root / "kept" / name
    objects = [git_bytes(path, "cat-file", "--batch-all-objects", "--batch") for path in (hosted, home / "memory.git")]
    files = [path for folder in (home, kept) for path in folder.rglob("*") if path.is_file()]
    return b"\n".join(
        [*objects, *(_unpacked(path.read_bytes()) for path in files), *(str(one).encode() for one in files)]
    )


def _unpacked(data: bytes) -> bytes:
    for unpack in (gzip.decompress, zlib.decompress):
        try:
            return unpack(data)
        except (OSError, zlib.error):
            continue
    return data


def words_in(data: bytes) -> set[str]:
    """Whose words and secrets are in some bytes."""
    return {name for name in NAMES if canary(name).encode() in data or secret(name).encode() in data}


def test_b75_eight_organisations_that_dream_at_once_see_nothing_of_one_another(town: Town) -> None:
    assert {name: words_in(held(town, name)) for name in NAMES} == {name: {name} for name in NAMES}
    for name, stage in town.stages.items():
        files = stage.files()
        assert f"is called {canary(name)}".encode() in files["services/ledger.md"]
        assert f"Mend {canary(name)}".encode() in files["daily/2026-10-21.md"]
        asked = [one for one in town.server.questions if secret(name) in one.headers["authorization"]]
        assert words_in("\n".join(one.system + one.text for one in asked).encode()) == {name}
        assert len(asked) > 18  # nobody is spared a question because another has asked it
    assert words_in(town.environments.encode()) == set()
    # everybody who may open Prefect's page sees all of this
    assert words_in(town.database) == set()
    for text in town.shown.values():
        assert words_in(text.encode()) == set()
    for name in NAMES:
        assert f"night-{name}" in town.shown["artifacts"]
        assert f"dream.organisation.{name}" in town.shown["events"]
    assert "task.planned" in town.shown["logs"]
    # what is logged is JSON, names whose it is, and tells nobody of another
    lines = [json.loads(line) for line in town.log.splitlines()]
    ours = [line for line in lines if line["event"] in {"night.opened", "task.planned", "night.landed"}]
    assert {line["organisation"] for line in ours} == set(NAMES)
    assert [line for line in ours if line["night"] != NIGHT.isoformat()] == []
    assert [line for line in ours if "task" not in line] == []
    for line in lines:
        assert words_in(json.dumps(line).encode()) <= {line.get("organisation")}
    # and nobody else on the machine gets in
    for folder in (town.root / "home", town.root / "kept"):
        assert {path.name for path in folder.iterdir()} == set(NAMES)
        inside = [folder, *(path for name in NAMES for path in (folder / name, *(folder / name).iterdir()))]
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in inside}
        open_to_others = {name for name, mode in modes.items() if mode & 0o077}
        assert open_to_others == set()
