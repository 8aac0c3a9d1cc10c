"""Which night a run dreams, however late it begins and however its machine's clock differs from the server's."""

from __future__ import annotations

import asyncio
from datetime import date, datetime, timedelta

import structlog

from dream.errors import UsageError
from dream.memory.windows import current_night, scheduled_instant
from flows.clock import Clock, Wait

log = structlog.get_logger()

MOST_SKEW = timedelta(minutes=10)
"""So far may a machine's clock be behind the one that scheduled its run."""


async def find_due(scheduled: datetime | None, *, clock: Clock, pause: Wait = asyncio.sleep) -> date:
    """Return the newest night that is due, never one before the night that the run was `scheduled` for.

    A run that begins days late dreams tonight's night, which catches up. Where this clock has not come to the scheduled
    night yet, that is waited for.

    Raises:
        UsageError: it is more than MOST_SKEW behind.
    """
    wanted = current_night(scheduled) if scheduled else None
    while wanted is not None and current_night(clock.now()) < wanted:
        early = scheduled_instant(wanted) - clock.now()
        if early > MOST_SKEW:
            message = (
                f"the night {wanted.isoformat()} was started, and by this machine's clock it is due in "
                f"{round(early.total_seconds() / 60)} minutes"
            )
            raise UsageError(message, way_out="correct this machine's clock or the server's: dream doctor shows it")
        log.info("night.awaited", seconds=round(early.total_seconds(), 1))
        await pause(early.total_seconds())
    return current_night(clock.now())
