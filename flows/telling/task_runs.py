"""The steps of a night as Prefect shows them: a task run for each."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any

import structlog
from prefect import Task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Failed as FailedState
from structlog.contextvars import bound_contextvars

from dream.memory.outcomes import Failed
from dream.night.steps import PlannedTask
from flows.telling.reasons import public_reason
from flows.telling.step_logs import tell_step

log = structlog.get_logger()


async def show_task_run(name: str, ended: Future[Any]) -> None:
    """Show a step that runs elsewhere as a task run; a task of the night that failed is shown as failed.

    Why is not shown, but where it is told: what a step says or raises may quote a note, and Prefect keeps it.
    """

    async def run() -> State[Any] | None:
        try:
            value = await asyncio.wrap_future(ended)
        except Exception as error:  # noqa: BLE001  # the night has it too, and Prefect must not see it
            return FailedState(message=public_reason(error))
        with bound_contextvars(task=name):
            tell_step(value)
        if isinstance(value, PlannedTask) and isinstance(value.outcome, Failed):
            return FailedState(message=f"{name} failed: its report says why")
        return None

    task = Task(fn=run, name=name, task_run_name=name, retries=0, persist_result=False, cache_policy=NO_CACHE)
    try:
        await task(return_state=True)  # type: ignore[misc]  # typed as if what a coroutine returns came at once
    except Exception as error:  # noqa: BLE001  # Prefect shows, and guards nothing: the night goes on
        log.warning("step.not_shown", step=name, error=type(error).__name__)
