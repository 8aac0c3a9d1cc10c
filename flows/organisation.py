"""One organisation's night under Prefect: a flow run of its own, with one task run per task."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any, TypeVar

from prefect import Task, flow
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Failed as FailedState

from dream.errors import DreamError
from dream.memory.outcomes import Failed
from dream.memory.windows import current_night
from dream.night.result import not_landed, result_payload
from dream.night.steps import PlannedTask
from flows.clock import system_clock
from flows.installation import open_installation, open_workplace
from flows.night import dream_night
from flows.opening import Request, parse_night
from flows.publishing import publish_failure

T = TypeVar("T")


@flow(name="dream-organisation", flow_run_name="{organisation}", retries=0, persist_result=False)
async def dream_organisation(
    organisation: str,
    night: str | None = None,
    *,
    only: list[str] | None = None,
    redo: list[str] | None = None,
    dry_run: bool = False,
    accept_history: bool = False,
) -> Any:
    """Dream one night of one organisation and return its JSON document.

    The run fails if a task failed or nothing landed; the document is then its state's data.
    """
    clock = system_clock()
    request = Request(
        night=parse_night(night) or scheduled_night(),
        only=tuple(only or ()),
        redo=tuple(redo or ()),
        dry_run=dry_run,
        accept_history=accept_history,
    )
    workplace = open_workplace(open_installation(), organisation)
    try:
        result = await dream_night(workplace, request, clock=clock, call=call_as_task)
    except DreamError as error:
        due = request.night or current_night(clock.now())
        result = not_landed(organisation, due, error)
        publish_failure(workplace, due, error)
    payload = result_payload(result)
    if result.exit_code:
        reason = result.reason or f"failed: {', '.join(result.failed)}"
        return FailedState(message=f"{organisation}: {reason}", data=payload)
    return payload


async def call_as_task(name: str, step: Callable[[], T]) -> T:
    """Run `step` in a thread, shown as a task run; a task of the night that failed is shown as failed."""
    returned: list[T] = []

    async def run() -> State[Any] | None:
        value = await asyncio.to_thread(step)
        returned.append(value)
        if isinstance(value, PlannedTask) and isinstance(value.outcome, Failed):
            return FailedState(message=value.outcome.reason)
        return None

    task = Task(fn=run, name=name, task_run_name=name, retries=0, persist_result=False, cache_policy=NO_CACHE)
    state = await task(return_state=True)  # type: ignore[misc]  # typed as if what a coroutine returns came at once
    if returned:
        return returned[0]
    await state.result(raise_on_failure=True)
    message = f"the step {name} returned nothing"
    raise RuntimeError(message)


def scheduled_night() -> date | None:
    """Return the night that the running flow was scheduled for, however late it runs; None outside of a flow run."""
    scheduled = flow_run.scheduled_start_time
    return current_night(scheduled) if scheduled else None
