"""One organisation's night under Prefect: a flow run of its own, with one task run per task."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any
from uuid import UUID

import structlog
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run
from prefect.states import Cancelled as CancelledState
from prefect.states import Completed as CompletedState
from prefect.states import Failed as FailedState

from config.loading import Organisations
from config.settings import Settings
from dream.errors import DreamError, FatalError, RemoteError, TransientError
from dream.memory.records import NOT_ASKED
from dream.night.result import result_payload
from dream.report.durations import spoken_seconds
from flows.apart import Steps, dream_apart
from flows.cancelling import wait_until_cancelled
from flows.clock import system_clock
from flows.due import find_due
from flows.installation import open_installation, open_workplace
from flows.opening import Request, parse_night
from flows.telling.beginning import shown_in_public
from flows.telling.night import Told, dream_and_tell
from flows.telling.task_runs import show_task_run
from flows.workplace import Workplace

log = structlog.get_logger()

FOUND: ContextVar[Organisations | None] = ContextVar("found", default=None)
"""What the run around this one has read of the organisations, so that each of a thousand does not read all files."""

TRIED_AGAIN = "TriedAgain"
"""What Prefect calls a run that failed and is tried again this very night; nobody is told of those."""

_VENDOR_IS_DOWN = tuple(f"{NOT_ASKED}{reason}" for reason in ("outage", "rate-limited"))


@flow(name="dream-organisation", flow_run_name="{organisation}", retries=0, persist_result=False)
async def dream_organisation(
    organisation: str,
    night: str | None = None,
    *,
    only: list[str] | None = None,
    redo: list[str] | None = None,
    dry_run: bool = False,
    accept_history: bool = False,
    then: str = "",
    again: bool = False,
    by_clock: bool = False,
) -> Any:
    """Dream one night of one organisation and return its JSON document.

    The run fails if a task failed or nothing landed; the document is then its state's data. One that takes too long, or
    that a person cancels, is given up. `then` is what happens next where it fails for a reason that may pass, and
    `again` whether that is another try tonight; `by_clock`, that no person named the night.
    """
    request = Request(
        only=tuple(only or ()),
        redo=tuple(redo or ()),
        dry_run=dry_run,
        accept_history=accept_history,
        by_clock=by_clock or not night,
    )
    told = _dream(organisation, night, request, then=then, again=again)
    return await shown_in_public(told, name=organisation, way_out=f"dream doctor {organisation}")


async def _dream(organisation: str, night: str | None, request: Request, *, then: str, again: bool) -> Any:
    clock, settings, run = system_clock(), open_installation(), flow_run.id
    workplace = _open(settings, organisation)
    due = parse_night(night) or await find_due(flow_run.scheduled_start_time, clock=clock)
    await _tag(run, organisation, due)
    stops = [partial(_overdue, workplace, due)]
    if run:
        stops.append(partial(_cancelled, workplace, due, UUID(run)))
    apart = partial(dream_apart, show=show_task_run, stops=stops, name=organisation)
    told = await dream_and_tell(workplace, replace(request, night=due), clock=clock, run=apart)
    return _ended(told, then=then, again=again)


def _ended(told: Told, *, then: str, again: bool) -> Any:
    """Return the state of a run: its document, with what it tells of the release, and what happens next."""
    result, error = told.result, told.error
    passes = isinstance(error, TransientError) and "given_up" not in error.data
    command = f"dream run {result.organisation} --night {result.night.isoformat()}"
    way_out = f"{then}; sooner: {command}" if passes and then else told.way_out
    payload = {
        **result_payload(result),
        "again": passes,
        "outage": met_an_outage(told),
        "told": {"reason": told.reason, "way_out": way_out},
    }
    if passes and then:
        payload["way_out"] = way_out
    if not result.exit_code:
        shown = f"{result.status} at {result.tip[:12]}" if result.tip else result.status
        return CompletedState(message=shown, data=payload)
    next_step = way_out or f"dream report {result.organisation} --night {result.night.isoformat()}"
    message = f"{result.organisation}: {told.reason}; {next_step}"
    if error is not None and "cancelled" in error.data:
        return CancelledState(message=message, data=payload)
    return FailedState(name=TRIED_AGAIN if passes and again else "Failed", message=message, data=payload)


def met_an_outage(told: Told) -> bool:
    """Whether what failed of a night is only what nobody answered, which tells nothing of the release.

    A remote that answered and refused what was pushed may well have found what is wrong with it.
    """
    if isinstance(told.error, RemoteError):
        return "cause" in told.error.data
    result = told.result
    reasons = [result.record.tasks[name].reason for name in result.failed] if result.record else []
    return bool(reasons) and all(reason.startswith(_VENDOR_IS_DOWN) for reason in reasons)


def _open(settings: Settings, name: str) -> Workplace:
    found = FOUND.get()
    if found is None:
        return open_workplace(settings, name)
    return Workplace(organisation=found.get(name), settings=settings)


async def _overdue(workplace: Workplace, night: date, steps: Steps) -> DreamError:
    """Return why a night is given up, once it has taken too long."""
    seconds = workplace.settings.nightly.night_seconds
    await asyncio.sleep(seconds)
    message = f"given up after {spoken_seconds(seconds)} in the step {steps.name or 'open'}, which never ended"
    way_out = f"dream doctor {workplace.name}, then: dream run {workplace.name} --night {night.isoformat()}"
    return TransientError(message, way_out=way_out, given_up=1)


async def _cancelled(workplace: Workplace, night: date, run: UUID, steps: Steps) -> DreamError:
    """Return why a night is given up, once a person has cancelled its run."""
    await wait_until_cancelled(run, every=workplace.settings.nightly.poll_seconds)
    message = f"cancelled in Prefect in the step {steps.name or 'open'}"
    way_out = f"dream run {workplace.name} --night {night.isoformat()}"
    return FatalError(message, way_out=way_out, cancelled=1)


async def _tag(run: str | None, organisation: str, night: date) -> None:
    """Let the run be found in Prefect by organisation and night where nobody has tagged it so; raises nothing."""
    wanted = {f"organisation:{organisation}", f"night:{night.isoformat()}"}
    if not run or wanted <= set(flow_run.tags):
        return
    try:
        async with get_client() as client:
            await client.update_flow_run(UUID(run), tags=sorted({*flow_run.tags, *wanted}))
    except Exception as error:  # noqa: BLE001  # a server that is down keeps no night from landing
        log.warning("run.not_tagged", error=type(error).__name__)
