"""Showing on Prefect's page how far a night is, where it takes long."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog

from flows.telling.board import Progress

log = structlog.get_logger()

FIRST_SECONDS = 30.0
"""A night that has ended by then shows no progress."""

EVERY_SECONDS = 60.0
"""So much lies between two looks at how far a night is: a hundred nights at once that tell it every few seconds take up
a whole server."""

MOST_SECONDS = 15.0
"""So long is a server waited for that does not take it."""


@asynccontextmanager
async def shown_in_prefect(
    progress: Progress, *, first: float = FIRST_SECONDS, every: float = EVERY_SECONDS
) -> AsyncIterator[None]:
    """Show `progress` as an artifact of the run that is under way, from `first` seconds on and `every` so many.

    A server that does not take it costs the night nothing: that is logged once, and tried no more.
    """
    showing = asyncio.create_task(_show(progress, first, every))
    try:
        yield
    finally:
        showing.cancel()
        with suppress(asyncio.CancelledError):
            await showing


async def _show(progress: Progress, first: float, every: float) -> None:
    from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact  # noqa: PLC0415

    await asyncio.sleep(first)
    key, shown = f"progress-{progress.organisation}", progress.told
    try:
        async with asyncio.timeout(MOST_SECONDS):
            artifact = await acreate_progress_artifact(progress.percent, key=key, description=shown)
        while True:
            await asyncio.sleep(every)
            if progress.told != shown:
                shown = progress.told
                async with asyncio.timeout(MOST_SECONDS):
                    await aupdate_progress_artifact(artifact, progress.percent, description=shown)
    except Exception as error:  # noqa: BLE001  # whatever Prefect raises, the night goes on
        log.warning("progress.not_shown", error=type(error).__name__)
