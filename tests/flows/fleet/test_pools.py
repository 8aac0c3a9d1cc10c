"""Why nobody begins a shard."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import State
from prefect.settings import PREFECT_API_URL, PREFECT_CLIENT_MAX_RETRIES, temporary_settings
from prefect.states import Pending, Running

from config.fleet import Nightly
from flows.clock import system_clock
from flows.fleet.fan_out import Batch, Document
from flows.fleet.pools import Hold, PoolUse
from flows.fleet.shards import PoolRunner
from flows.nightly import nightly
from flows.shard import dream_shard
from tests.support.served import free_port
from tests.support.stage import NIGHT


@pytest.mark.parametrize(
    ("told", "hold"),
    [
        ({"runs": 1, "waiting": 1}, "held-by-nightly"),
        ({"runs": 2, "waiting": 2}, "held-by-nightly"),
        ({"runs": 2, "waiting": 1}, "pool-is-full"),
        ({"runs": 0, "waiting": 0}, "pool-is-full"),
        ({"runs": 1, "waiting": 1, "paused": True}, "pool-is-paused"),
        ({"runs": 1, "waiting": 1, "ready": False}, "no-worker"),
    ],
)
def test_why_a_run_does_not_begin(told: dict[str, Any], hold: Hold) -> None:
    assert PoolUse(**{"name": "dreaming", "paused": False, "ready": True, **told}).hold() == hold


async def unhurried(_: float) -> None:
    """Wait for nothing."""


@pytest.mark.usefixtures("prefect")
def test_a_deployment_of_another_version_is_to_be_deployed_again_and_not_tried_again() -> None:
    async def play() -> list[Document]:
        async with get_client() as client:
            await client.create_deployment(
                await client.create_flow(dream_shard),
                name="older",
                parameter_openapi_schema={"type": "object", "properties": {"attempt": {"type": "string"}}},
                enforce_parameter_schema=True,
            )
        limits = Nightly(shard_deployment="dream-shard/older")
        runner = PoolRunner(limits, night=NIGHT, clock=system_clock(), pause=unhurried)
        return list(await runner.run(Batch(names=("acme",), ring=0)))

    (told,) = asyncio.run(play())
    assert told["reason"] == "the deployment dream-shard/older is of another version than this"
    assert told["way_out"] == "prefect deploy --all --prefect-file deploy/prefect.yaml"
    assert not told["again"]


def test_a_batch_that_a_server_which_is_down_kept_back_is_tried_again() -> None:
    async def play() -> list[Document]:
        limits = Nightly(shard_deployment="dream-shard/dream-shard")
        runner = PoolRunner(limits, night=NIGHT, clock=system_clock(), pause=unhurried)
        nowhere = f"http://127.0.0.1:{free_port()}/api"
        with temporary_settings({PREFECT_API_URL: nowhere, PREFECT_CLIENT_MAX_RETRIES: 0}):
            return list(await runner.run(Batch(names=("acme",), ring=0)))

    (told,) = asyncio.run(play())
    assert (told["reason"], told["again"]) == ("Prefect could not run its shard: ConnectError", True)


@pytest.mark.usefixtures("prefect")
def test_a_shard_whose_place_nightly_itself_holds_is_given_up_at_once_and_says_so() -> None:
    """One place, and `nightly` waits in it for what can only begin in it."""
    hours = count()  # each look at a run takes one

    def monotonic() -> float:
        return 3600.0 * next(hours)

    async def play() -> list[Document]:
        async with get_client() as client:
            await client.create_work_pool(WorkPoolCreate(name="narrow", type="process", concurrency_limit=1))
            waits, _ = [
                await client.create_deployment(await client.create_flow(flow), name="narrow", work_pool_name="narrow")
                for flow in (nightly, dream_shard)
            ]
            await client.send_worker_heartbeat("narrow", "worker", heartbeat_interval_seconds=3600)
            parent = await client.create_flow_run_from_deployment(waits)
            states: tuple[State[Any], ...] = (Pending(), Running())
            for state in states:
                await client.set_flow_run_state(parent.id, state, force=True)
        limits = Nightly(shard_deployment="dream-shard/narrow")
        runner = PoolRunner(limits, night=NIGHT, clock=replace(system_clock(), monotonic=monotonic), pause=unhurried)
        return list(await runner.run(Batch(names=("acme",), ring=0)))

    (told,) = asyncio.run(play())
    assert told["reason"] == "no shard can begin: the run of nightly itself holds every place of the work pool narrow"
    assert told["way_out"] == (
        "start a worker more or raise its --limit and that of the pool (prefect work-pool inspect narrow), then: "
        "dream nightly"
    )
