"""A shard: some organisations' nights as one deployment run, for which a worker starts one process."""

from __future__ import annotations

from typing import Any

import structlog
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run
from prefect.states import Completed as CompletedState
from prefect.states import Failed as FailedState

from flows.clock import system_clock
from flows.due import find_due
from flows.fleet.document import told_counts
from flows.fleet.fan_out import FanOut, Fleet, Stop
from flows.fleet.here import HereRunner
from flows.fleet.rings import rings_of
from flows.fleet.shards import write_labels
from flows.installation import all_organisations, open_installation
from flows.opening import parse_night
from flows.organisation import FOUND

log = structlog.get_logger()


@flow(name="dream-shard", retries=0, persist_result=False)
async def dream_shard(organisations: list[str], night: str | None = None, attempt: int = 1, then: str = "") -> Any:
    """Dream the night of each of `organisations` once and leave what came of them in the labels of this run.

    Who tries again is the run that started it, so that nobody holds a worker while it waits for a remote. `then` is
    what happens next where a night fails for a reason that may pass. The run fails where more than the configured share
    of them did.
    """
    settings = open_installation()
    found = all_organisations(settings)
    FOUND.set(found)
    due = parse_night(night) or await find_due(flow_run.scheduled_start_time, clock=system_clock())
    limits = FanOut(
        spread=settings.nightly.spread_seconds if attempt == 1 else 0,
        then=then,
        failed_percent=settings.nightly.failed_percent,
        attempt=attempt,
    )
    runner = HereRunner(night=due, concurrency=settings.nightly.concurrency)
    fleet = Fleet(runner, limits, stop=Stop())
    mine = [one for one in found.organisations if one.organisation in organisations]
    left = tuple(sorted({*organisations} - {one.organisation for one in mine}))
    rings = rings_of(mine)
    if left:  # each of them says itself what is wrong with its file, or that there is none
        rings[0] = (*rings.get(0, ()), *left)
    await fleet.dream(rings, gated=False)
    documents = [fleet.documents[name] for name in sorted(fleet.documents)]
    await _leave(documents)
    failed = [str(one["organisation"]) for one in documents if one["exit"]]
    told = told_counts(len(documents), failed)
    if len(failed) * 100 > len(documents) * settings.nightly.failed_percent:
        return FailedState(message=f"{told}; dream status", data=documents)
    return CompletedState(message=told, data=documents)


async def _leave(documents: list[Any]) -> None:
    run = flow_run.id
    if run:
        async with get_client() as client:
            await client.update_flow_run_labels(run, write_labels(documents))
