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
from structlog.contextvars import bound_contextvars

from dream.memory.outcomes import Failed
from dream.memory.windows import current_night
from dream.night.result import result_payload
from dream.night.steps import PlannedTask
from flows.clock import system_clock
from flows.figures import public_reason
from flows.installation import open_installation, open_workplace
from flows.opening import Request, parse_night
from flows.step_logs import tell_step
from flows.telling import dream_and_tell

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
    told = await dream_and_tell(workplace, request, clock=clock, call=call_as_task)
    payload = result_payload(told.result)
    if told.result.exit_code:
        return FailedState(message=f"{organisation}: {told.reason}", data=payload)
    return payload


async def call_as_task(name: str, step: Callable[[], T]) -> T:
    """Run `step` in a thread, shown as a task run; a task of the night that failed is shown as failed.

    Why is not shown, but where it is told: what a step says or raises may quote a note, and Prefect keeps it.
    """
    returned: list[T] = []
    raised: list[Exception] = []

    async def run() -> State[Any] | None:
        with bound_contextvars(task=name):
            try:
                value = await asyncio.to_thread(step)
            except Exception as error:  # noqa: BLE001  # raised again below, where Prefect does not see it
                raised.append(error)
                return FailedState(message=public_reason(error))
            tell_step(value)
        returned.append(value)
        if isinstance(value, PlannedTask) and isinstance(value.outcome, Failed):
            return FailedState(message=f"{name} failed: its report says why")
        return None

    task = Task(fn=run, name=name, task_run_name=name, retries=0, persist_result=False, cache_policy=NO_CACHE)
    state = await task(return_state=True)  # type: ignore[misc]  # typed as if what a coroutine returns came at once
    if returned:
        return returned[0]
    if raised:
        raise raised[0]
    await state.result(raise_on_failure=True)
    message = f"the step {name} returned nothing"
    raise RuntimeError(message)


def scheduled_night() -> date | None:
    """Return the night that the running flow was scheduled for, however late it runs; None outside of a flow run."""
    scheduled = flow_run.scheduled_start_time
    return current_night(scheduled) if scheduled else None
