"""The night of a fleet, once for each way to run it, and what each took."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from bench.fleet.reading import (
    NIGHTLY,
    STEPS,
    Waiting,
    problems_of_memories,
    problems_of_runs,
    read_waiting,
)
from bench.fleet.town import Town
from bench.fleet.watching import Watch, is_below, watching
from tests.support.prefect_api import PrefectApi
from tests.support.prefect_server import POOL, ROOT, PrefectStack

_LONGEST_SECONDS = 4 * 3600
_DEPLOYMENTS = ROOT / "deploy" / "prefect.yaml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a fleet is spread: processes that run shards, and how many organisations dream at once in each."""

    workers: int
    at_once: int
    shards: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What one way to run a fleet's night took."""

    name: str
    organisations: int
    seconds: float
    watch: Watch
    requests: int = 0
    database_bytes: int = 0
    served_seconds: float = 0.0
    waiting: Waiting | None = None
    problems: Sequence[str] = ()


def shard_deployment(file: Path = _DEPLOYMENTS) -> str:
    """Return the name of the deployment that dreams a shard; empty where there is none."""
    deployments = YAML(typ="safe").load(file)["deployments"]
    return next((one["name"] for one in deployments if one["entrypoint"].endswith(".dream_shard")), "")


def run_pool(stack: PrefectStack, town: Town, shape: Shape) -> Ran:
    """Dream the night as a run of the `nightly` deployment that was due at 04:00 UTC today, on workers of the pool."""
    stack.deploy(names=[name for name in ("nightly", shard_deployment()) if name])
    told = {"DREAM_NIGHTLY__CONCURRENCY": str(shape.at_once), **_sharding(stack.api, town, shape)}
    for _ in range(shape.workers):
        stack.start_worker(limit=8, told={**town.told, **told})
    at = datetime(town.night.year, town.night.month, town.night.day, 4, tzinfo=UTC)
    before, served = _database_bytes(stack), _served_seconds()
    with watching(lambda pid, command: _role(stack, pid, command)) as watch:
        begun = time.monotonic()
        nightly = stack.api.start(NIGHTLY, at=at)
        stack.api.wait(nightly, seconds=_LONGEST_SECONDS)
        seconds = time.monotonic() - begun
    ran = Ran(
        name="on the pool",
        organisations=len(town.hosted),
        seconds=seconds,
        watch=watch,
        requests=town.questions,
        served_seconds=_served_seconds() - served,
    )
    _wait_for_task_runs(stack.api, len(town.hosted) * len(STEPS))
    problems = [*problems_of_runs(stack.api, town, nightly, at=at), *problems_of_memories(town)]
    grown = _database_bytes(stack) - before
    return replace(ran, database_bytes=grown, waiting=read_waiting(stack.api, nightly), problems=problems)


def run_plain(stack: PrefectStack, *, organisations: int, shape: Shape) -> Ran:
    """Run as many flow runs with as many task runs that do nothing, in as many shards, on the same workers."""
    file = stack.folder / "plain.yaml"
    pull = [{"prefect.deployments.steps.set_working_directory": {"directory": "/"}}]
    plain = {"name": "plain", "entrypoint": "bench.fleet.plain.plain_shard", "work_pool": {"name": POOL}}
    file.write_text(json.dumps({"name": "plain", "pull": pull, "deployments": [{**plain, "schedules": []}]}))
    stack.deploy(file)
    names = [f"plain-{number}" for number in range(organisations)]
    shards = [names[number :: shape.shards] for number in range(shape.shards)]
    tasks_before, before = _task_runs(stack.api), _database_bytes(stack)
    with watching(lambda pid, command: _role(stack, pid, command)) as watch:
        begun = time.monotonic()
        runs = [
            stack.api.start("plain-shard/plain", organisations=one, tasks=len(STEPS), concurrency=shape.at_once)
            for one in shards
            if one
        ]
        ended = [stack.api.wait(run, seconds=_LONGEST_SECONDS) for run in runs]
        seconds = time.monotonic() - begun
    _wait_for_task_runs(stack.api, tasks_before + organisations * len(STEPS))
    return Ran(
        name="runs that do nothing",
        organisations=organisations,
        seconds=seconds,
        watch=watch,
        database_bytes=_database_bytes(stack) - before,
        problems=[f"a plain run is {one['state_type']}" for one in ended if one["state_type"] != "COMPLETED"],
    )


def run_embedded(town: Town, *, at_once: int) -> Ran:
    """Dream the night with `dream nightly` alone, as a machine without a Prefect server does."""
    with tempfile.TemporaryDirectory(prefix="dream-embedded-", ignore_cleanup_errors=True) as folder:
        home = Path(folder)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "LC_ALL": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "DO_NOT_TRACK": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            "PREFECT_HOME": str(home / "prefect"),
            "DREAM_NIGHTLY__CONCURRENCY": str(at_once),
            **town.told,
        }
        served, begun = _served_seconds(), time.monotonic()
        with (home / "said").open("w+b") as said, (home / "log").open("wb") as log:
            process = subprocess.Popen(
                [Path(sys.executable).parent / "dream", "nightly", "--json"],
                cwd=folder,
                env=environment,
                stdout=said,
                stderr=log,
                stdin=subprocess.DEVNULL,
            )
            with watching(lambda pid, command: _embedded_role(pid, command, process.pid)) as watch:
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - begun
            said.seek(0)
            answer = said.read()
        problems = [f"dream nightly ended with {process.returncode}"] if process.returncode else []
        if process.returncode:
            problems.append((home / "log").read_text(errors="replace")[-500:])
        size = sum(file.stat().st_size for file in (home / "prefect").rglob("*.db*"))
    document = json.loads(answer or b"{}")
    told: list[Mapping[str, Any]] = document.get("organisations", [])
    problems += [str(document[key]) for key in ("error", "reason") if document.get(key)]
    problems += [f"{one['organisation']}: {one.get('reason')}" for one in told if one["exit"]]
    return Ran(
        name="embedded",
        organisations=len(town.hosted),
        seconds=seconds,
        watch=watch,
        requests=town.questions,
        database_bytes=size,
        served_seconds=_served_seconds() - served - usage.ru_utime - usage.ru_stime,
        problems=[*problems, *problems_of_memories(town)],
    )


def latest_night(now: datetime) -> datetime:
    """Return the last 04:00 UTC that has been."""
    return (now - timedelta(hours=4)).replace(hour=4, minute=0, second=0, microsecond=0)


def _sharding(api: PrefectApi, town: Town, shape: Shape) -> dict[str, str]:
    """Return what has the night fan out over the pool; nothing where no deployment dreams a shard."""
    name = shard_deployment()
    if not name:
        return {}
    deployments = api.post("/deployments/filter", {"deployments": {"name": {"any_": [name]}}})
    flow = api.get(f"/flows/{deployments[0]['flow_id']}")["name"]
    return {
        "DREAM_NIGHTLY__SHARD_DEPLOYMENT": f"{flow}/{name}",
        "DREAM_NIGHTLY__SHARD_ORGANISATIONS": str(-(-len(town.hosted) // shape.shards)),
    }


def _role(stack: PrefectStack, pid: int, command: bytes) -> str:
    if pid == os.getpid():
        return "git server and model"
    if command.startswith((b"git", b"/usr/lib/git-core", b"prefect: ")):
        return ""
    if is_below(pid, stack.database.process.pid):
        return "PostgreSQL"
    if not stack.owns(pid):
        return ""
    if b"\0server\0start" in command:
        return "Prefect server"
    return "worker" if b"\0worker\0start" in command else "flow run"


def _embedded_role(pid: int, command: bytes, dreaming: int) -> str:
    if pid == os.getpid():
        return "git server and model"
    if pid == dreaming:
        return "flow run"
    return "Prefect server" if b"uvicorn" in command and is_below(pid, dreaming) else ""


def _wait_for_task_runs(api: PrefectApi, count: int) -> None:
    """Wait until the server, which writes task runs down some time after they were, has them all; at most minutes."""
    for _ in range(300):
        if _task_runs(api) >= count:
            break
        time.sleep(1)
    time.sleep(3)


def _task_runs(api: PrefectApi) -> int:
    return int(api.post("/task_runs/count", {}))


def _database_bytes(stack: PrefectStack) -> int:
    with stack.database.connect() as connection:
        found = connection.execute("SELECT pg_database_size('prefect')").fetchone()
    return int(found[0]) if found else 0


def _served_seconds() -> float:
    """Return the CPU seconds of the git programs that serve the repositories."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
