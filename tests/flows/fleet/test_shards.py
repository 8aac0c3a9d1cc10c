"""Organisations' nights as runs on a work pool: waited for, started again, and what they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    DeploymentFilter,
    DeploymentFilterId,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.flow_engine import run_flow_async
from prefect.states import Cancelled, Cancelling, Completed, Crashed, Late, Pending, Running, Scheduled

from config.fleet import Nightly
from flows.fleet.shards import judge_shard, read_labels, write_labels
from flows.nightly import nightly
from flows.shard import dream_shard
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT

LIMITS = Nightly(shard_seconds=1000, pending_seconds=100)


@pytest.mark.parametrize(
    ("state", "seconds", "verdict"),
    [
        (Scheduled(), 999, "wait"),
        (Late(), 999, "wait"),
        (Late(), 1001, "stuck"),
        (Pending(), 99, "wait"),
        (Pending(), 101, "stuck"),
        (Running(), 999, "wait"),
        (Running(), 1001, "stuck"),
        (Cancelling(), 101, "stuck"),
        (Cancelled(), 0, "ended"),
        (Crashed(), 5000, "ended"),
        (Completed(), 5000, "ended"),
        (None, 999, "wait"),
    ],
)
def test_how_long_a_shard_is_waited_for(state: State[Any] | None, seconds: float, verdict: str) -> None:
    assert judge_shard(state, seconds=seconds, limits=LIMITS) == verdict


def test_what_a_shard_leaves_is_read_back_without_what_not_everybody_may_read() -> None:
    told = {"reason": "the remote refuses", "way_out": "dream run acme"}
    left = write_labels(
        [
            {
                "organisation": "acme",
                "night": "2026-10-22",
                "status": "not-landed",
                "exit": 3,
                "reason": "a note that is quoted",
                "way_out": "another",
                "tip": "",
                "tries": 0,
                "tasks": {"tidy": {"findings": ["a note"]}},
                "again": True,
                "outage": True,
                "told": told,
            },
            {"organisation": "birch", "status": "not-landed", "exit": 3, "reason": "x" * 900},
        ]
    )
    assert read_labels({**left, "prefect.flow.id": "1", "dream.organisation.cedar": "no json"}) == {
        "acme": {
            "organisation": "acme",
            "night": "2026-10-22",
            "status": "not-landed",
            "exit": 3,
            "tip": "",
            "tries": 0,
            "again": True,
            "outage": True,
            **told,
        },
        "birch": {"organisation": "birch", "status": "not-landed", "exit": 3, "reason": "x" * 500, "way_out": ""},
    }


class Worker:
    """A worker of a pool: it takes each run of a deployment in turn, and does to it what is planned."""

    def __init__(self, deployment: UUID, plan: list[str]) -> None:
        self._deployment = deployment
        self._plan = plan
        self.took: list[tuple[str, dict[str, Any], str]] = []

    async def work(self) -> None:
        scheduled = FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.SCHEDULED]))
        mine = DeploymentFilter(id=DeploymentFilterId(any_=[self._deployment]))
        while True:
            async with get_client() as client:
                found = await client.read_flow_runs(
                    deployment_filter=mine, flow_run_filter=FlowRunFilter(state=scheduled)
                )
            for run in found:
                await self._take(run)
            await asyncio.sleep(0.2)

    async def _take(self, run: FlowRun) -> None:
        self.took.append((run.name, dict(run.parameters), run.idempotency_key or ""))
        async with get_client() as client:
            match self._plan[min(len(self.took), len(self._plan)) - 1]:
                case "crash":
                    await client.set_flow_run_state(run.id, Crashed(message="killed"), force=True)
                case "never begin":
                    await client.set_flow_run_state(run.id, Pending(), force=True)
                case _:
                    await run_flow_async(dream_shard, flow_run=run, parameters=run.parameters, return_type="state")


async def ended(run: Awaitable[State[Any]]) -> State[Any]:
    return await run


@pytest.mark.usefixtures("prefect")
def test_a_shard_that_crashed_or_was_never_begun_is_started_again_and_its_organisations_land(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "organisations"
    folder.mkdir()
    hosted = {name: host(served, name, MEMORY) for name in ("acme", "birch")}
    for name, one in hosted.items():
        (folder / f"{name}.yaml").write_text(f'organisation: {name}\nmemory: {{url: "{one.url}"}}\n')
    for key, value in {
        "ORGANISATIONS": folder,
        "HOME": tmp_path / "home",
        "NIGHTLY__SHARD_DEPLOYMENT": "dream-shard/played",
        "NIGHTLY__POLL_SECONDS": 1,
        "NIGHTLY__PENDING_SECONDS": 1,
    }.items():
        monkeypatch.setenv(f"DREAM_{key}", str(value))

    async def play() -> tuple[State[Any], Worker]:
        async with get_client() as client:
            deployment = await client.create_deployment(await client.create_flow(dream_shard), name="played")
        worker = Worker(deployment, ["crash", "never begin", "dream"])
        working = asyncio.create_task(worker.work())
        try:
            return await ended(nightly(night=NIGHT.isoformat(), return_state=True)), worker
        finally:
            working.cancel()

    state, worker = asyncio.run(play())
    payload: Any = state.result()
    assert [(one["organisation"], one["status"], one["exit"], one["ring"]) for one in payload["organisations"]] == [
        ("acme", "landed", 0, 1),
        ("birch", "landed", 0, 1),
    ]
    assert [name for name, _, _ in worker.took] == ["shard 1 of 1", "shard 1 of 1 again 2", "shard 1 of 1 again 3"]
    assert [parameters["organisations"] for _, parameters, _ in worker.took] == [["acme", "birch"]] * 3
    keys = [key.split(":") for _, _, key in worker.took]
    assert [(night, attempt) for night, _, attempt in keys] == [(NIGHT.isoformat(), str(one)) for one in (1, 2, 3)]
