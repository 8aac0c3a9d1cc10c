"""What Prefect shows of a run that fails before any night of it begins: why, in words for everybody, and what next."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import structlog
from prefect.states import Failed as FailedState

from config.settings import load_settings
from dream.errors import DreamError
from flows.telling.reasons import expected, public_reason, public_way_out

log = structlog.get_logger()


async def shown_in_public(run: Awaitable[Any], *, name: str, way_out: str) -> Any:
    """Return what `run` comes to, and for what it raises a failed state that says why and the next step.

    The error is the data of that state. Prefect would show its text without its way out, and keep the traceback with
    every error that led to it, which may quote what not everybody there may read. `way_out` is for one that names none.
    """
    try:
        return await run
    except Exception as failure:  # noqa: BLE001  # as above
        error = expected(failure, _home(), [name])
        reason = public_reason(error)
        log.error("run.broke", error=type(failure).__name__)  # noqa: TRY400  # as above
        return FailedState(message=f"{reason}; {public_way_out(error) or way_out}", data=error)


def _home() -> Path:
    try:
        return load_settings().home
    except DreamError:
        return Path(tempfile.gettempdir())
