"""A shard: some organisations' nights as one deployment run, for which a worker starts one process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

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
from flows.organisation import FOUND, TRIED_AGAIN
from flows.telling.beginning import shown_in_public

log = structlog.get_logger()

_WAITS = (10, 30, 60, 120)
"""Seconds between tries to tell a server that is down."""


@flow(name="dream-shard", retries=0, persist_result=False)
async def dream_shard(
    organisations: list[str],
    night: str | None = None,
    attempt: int = 1,
    then: str = "",
    *,
    again: bool = False,
    by_clock: bool = False,
) -> Any:
    """Dream the night of each of `organisations` once and leave what came of them in the labels of this run.

    Who tries again is the run that started it, so that nobody holds a worker while it waits for a remote. `then` is
    what happens next where a night fails for a reason that may pass, and `again` whether that is another try tonight;
    `by_clock`, that no person named the night. The run fails where more than the configured share of them did.
    """
    limits = FanOut(then=then, again=again, attempt=attempt)
    told = _dream(organisations, night, limits, by_clock=by_clock or not night)
    return await shown_in_public(told, name="dream-shard", way_out="dream doctor")


async def _dream(organisations: Sequence[str], night: str | None, limits: FanOut, *, by_clock: bool) -> Any:
    settings = open_installation()
    found = all_organisations(settings)
    FOUND.set(found)
    due = parse_night(night) or await find_due(flow_run.scheduled_start_time, clock=system_clock())
    percent = settings.nightly.failed_percent
    spread = settings.nightly.spread_seconds if limits.attempt == 1 else 0
    runner = HereRunner(night=due, concurrency=settings.nightly.concurrency, by_clock=by_clock)
    fleet = Fleet(runner, replace(limits, spread=spread, failed_percent=percent), stop=Stop())
    mine = [one for one in found.organisations if one.organisation in organisations]
    left = tuple(sorted({*organisations} - {one.organisation for one in mine}))
    rings = rings_of(mine)
    if left:  # each of them says itself what is wrong with its file, or that there is none
        rings[0] = (*rings.get(0, ()), *left)
    await fleet.dream(rings, gated=False)
    documents = [fleet.documents[name] for name in sorted(fleet.documents)]
    await _leave(documents)
    failed = [one for one in documents if one["exit"]]
    told = told_counts(len(documents), [str(one["organisation"]) for one in failed])
    if len(failed) * 100 <= len(documents) * percent:
        return CompletedState(message=told, data=documents)
    lasting = [one for one in failed if not (limits.again and one.get("again"))]
    if len(lasting) * 100 <= len(documents) * percent:
        return FailedState(name=TRIED_AGAIN, message=f"{told}; {limits.then}", data=documents)
    return FailedState(message=f"{told}; dream status", data=documents)


async def _leave(documents: list[Any]) -> None:
    """Write the labels, for some minutes again and again: without them all of the shard is begun once more."""
    run = flow_run.id
    for wait in (*_WAITS, None) if run else ():
        try:
            async with get_client() as client:
                await client.update_flow_run_labels(UUID(run), write_labels(documents))
        except Exception as error:  # noqa: BLE001  # whatever it is, the nights have ended as they did
            log.warning("shard.not_told", error=type(error).__name__)
            await asyncio.sleep(wait or 0)
        else:
            return
