"""Why nobody begins a shard: what its work pool tells of it, and whether waiting can help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowFilter,
    FlowFilterName,
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    WorkPoolFilter,
    WorkPoolFilterName,
)
from prefect.client.schemas.objects import FlowRun, StateType, WorkPoolStatus

from dream.errors import TransientError

Hold = Literal["pool-is-paused", "no-worker", "pool-is-full", "held-by-nightly"]

_ACTIVE = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
_WAITS = "nightly"
"""The flow that holds a place of a pool while it does nothing but wait for shards."""


class NoRoomError(TransientError):
    """The runs that wait for shards hold every place in which one could begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolUse:
    """How a pool is used: the runs that are under way on it, and how many of these wait for shards themselves."""

    name: str
    paused: bool
    ready: bool
    runs: int
    waiting: int

    def hold(self) -> Hold:
        """Return why a run does not begin that has waited for much longer than a worker takes to look.

        A worker that is alive begins a run at once where it has room, so where nothing but `nightly` is under way, it
        holds all the room there is, by the limit of the pool or by that of its workers.
        """
        if self.paused:
            return "pool-is-paused"
        if not self.ready:
            return "no-worker"
        return "held-by-nightly" if self.runs and self.runs == self.waiting else "pool-is-full"

    def error(self) -> NoRoomError:
        """Return that waiting cannot help, and what does."""
        runs = "the run of nightly itself holds" if self.waiting == 1 else f"{self.waiting} runs of nightly hold"
        return NoRoomError(
            f"no shard can begin: {runs} every place of the work pool {self.name}",
            way_out=f"start a worker more or raise its --limit and that of the pool (prefect work-pool inspect "
            f"{self.name}), then: dream nightly",
        )


async def use_of(run: FlowRun) -> PoolUse | None:
    """Return how the pool is used in which `run` waits, None where it waits in none; raises what Prefect's API does."""
    if not run.work_pool_name:
        return None
    active = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=_ACTIVE)))
    here = WorkPoolFilter(name=WorkPoolFilterName(any_=[run.work_pool_name]))
    waits = FlowFilter(name=FlowFilterName(any_=[_WAITS]))
    async with get_client() as client:
        pool = await client.read_work_pool(run.work_pool_name)
        runs = await client.read_flow_runs(flow_run_filter=active, work_pool_filter=here)
        waiting = await client.read_flow_runs(flow_run_filter=active, work_pool_filter=here, flow_filter=waits)
    return PoolUse(
        name=pool.name,
        paused=pool.is_paused,
        ready=pool.status is not WorkPoolStatus.NOT_READY,
        runs=len(runs),
        waiting=len(waiting),
    )
