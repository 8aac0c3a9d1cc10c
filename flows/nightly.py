"""Every organisation's night: the fan-out that the 04:00 UTC schedule starts."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from prefect import flow
from prefect.runtime import flow_run
from prefect.states import Cancelled as CancelledState
from prefect.states import Completed as CompletedState
from prefect.states import Failed as FailedState

from config.settings import Settings
from dream.errors import DreamError
from dream.memory.windows import current_night
from flows.cancelling import wait_until_cancelled
from flows.clock import system_clock
from flows.due import find_due
from flows.fleet.again import waits
from flows.fleet.document import fleet_document, fleet_failure, fleet_told
from flows.fleet.fan_out import FanOut, Fleet, Runner, Stop
from flows.fleet.here import HereRunner
from flows.fleet.rings import broken_rings, rings_of
from flows.fleet.shards import PoolRunner
from flows.installation import open_installation, some_organisations
from flows.opening import parse_night
from flows.organisation import FOUND
from flows.pausing import EVERYONE, read_pause
from flows.telling.beginning import shown_in_public
from flows.telling.night import tell_broken


def name_run() -> str:
    """Return what the run is called: `nightly 2026-11-30`."""
    asked = flow_run.parameters.get("night")
    return f"nightly {asked or max(current_night(flow_run.scheduled_start_time), current_night(system_clock().now()))}"


@flow(name="nightly", flow_run_name=name_run, retries=0, persist_result=False)
async def nightly(night: str | None = None, all_rings: bool = False) -> Any:  # noqa: FBT001, FBT002  # shown in Prefect
    """Dream the night of every organisation and return one JSON document.

    Rings dream one after another, and the rest is not begun after one that is not sound, unless `all_rings`. One
    organisation that fails does not touch the others; this run fails when more than the configured share did, or a ring
    was not sound.
    """
    return await shown_in_public(_dream(night, all_rings=all_rings), name="nightly", way_out="dream doctor")


async def _dream(night: str | None, *, all_rings: bool) -> Any:
    settings = open_installation()
    found = some_organisations(settings)
    FOUND.set(found)
    due = parse_night(night) or await find_due(flow_run.scheduled_start_time, clock=system_clock())
    tell_broken(found.broken, due)
    gated = not all_rings and not _is_paused(settings)
    stop = Stop()
    watching = asyncio.create_task(_watch(stop, every=settings.nightly.poll_seconds))
    try:
        fleet = Fleet(_runner(settings, due, by_clock=not night), _limits(settings, due), stop=stop)
        rings = await fleet.dream(rings_of(found.organisations), gated=gated, broken=broken_rings(found.broken))
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
    document = fleet_document(found, due, fleet.documents, rings)
    if stop.why:
        return CancelledState(message=stop.why, data=document)
    why = fleet_failure(document, failed_percent=settings.nightly.failed_percent, gated=gated)
    if why:
        return FailedState(message=why, data=document)
    return CompletedState(message=fleet_told(document), data=document)


def _runner(settings: Settings, night: date, *, by_clock: bool) -> Runner:
    told = settings.nightly
    if told.shard_deployment:
        return PoolRunner(told, night=night, clock=system_clock(), by_clock=by_clock)
    return HereRunner(night=night, concurrency=told.concurrency, by_clock=by_clock)


def _limits(settings: Settings, night: date) -> FanOut:
    told = settings.nightly
    tomorrow = (night + timedelta(days=1)).isoformat()
    return FanOut(
        size=told.shard_organisations if told.shard_deployment else 1,
        spread=0 if told.shard_deployment else told.spread_seconds,  # a shard spreads its own
        waits=waits(first=told.first_wait_seconds, longest=told.longest_wait_seconds, total=told.again_seconds),
        then=f"tomorrow's night ({tomorrow}) takes it up",
        failed_percent=told.failed_percent,
    )


def _is_paused(settings: Settings) -> bool:
    """Whether people paused everyone: then no ring can land, and none of them is a reason to wake anybody."""
    try:
        return read_pause(settings, EVERYONE, now=system_clock().now()) is not None
    except DreamError:
        return False  # each night asks for itself, and says what is wrong


async def _watch(stop: Stop, *, every: float) -> None:
    run = flow_run.id
    if run:
        await wait_until_cancelled(run, every=every)
        stop.stop("cancelled in Prefect: no more nights were begun; dream nightly goes on")
