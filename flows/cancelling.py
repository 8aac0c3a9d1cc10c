"""Seeing that a person has cancelled a run: Prefect ends a process for that, and knows none for a run within a run."""

from __future__ import annotations

import asyncio
from uuid import UUID

import structlog
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType

from flows.clock import Wait

log = structlog.get_logger()

_CANCELLED = {StateType.CANCELLING, StateType.CANCELLED}


async def wait_until_cancelled(run: UUID, *, every: float, pause: Wait = asyncio.sleep) -> None:
    """Return once the flow run `run` is being cancelled, looking `every` so many seconds; a server that is down is no.

    Prefect 3.9 lets an in-process flow run that was cancelled go on, refuses the state in which it ends, and shows it
    as Cancelling for five minutes.
    """
    while True:
        await pause(every)
        try:
            async with get_client() as client:
                found = await client.read_flow_run(run)
        except Exception as error:  # noqa: BLE001  # whatever it is, the night goes on
            log.info("run.not_seen", error=type(error).__name__)
            continue
        if found.state is not None and found.state.type in _CANCELLED:
            return
