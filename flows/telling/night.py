"""Telling Prefect how a night ended, once it has; what it does not take neither fails the night nor holds it up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import structlog
from prefect.artifacts import acreate_markdown_artifact
from prefect.events import emit_event
from structlog.contextvars import bind_contextvars

from config.loading import BrokenOrganisation
from dream.errors import DreamError
from dream.memory.windows import current_night
from dream.night.result import NightResult, not_landed
from dream.report.alarms.alarm import Alarm
from flows.calling import Call
from flows.clock import Clock
from flows.dreaming import build_models
from flows.night import dream_night
from flows.opening import Request
from flows.publishing import publish_failure, report_path
from flows.telling.artifacts import artifact_key, night_markdown
from flows.telling.board import following
from flows.telling.events import ALARMED, NightEvent, night_events
from flows.telling.figures import figures_of
from flows.telling.following import counted, followed
from flows.telling.progress_artifact import shown_in_prefect
from flows.telling.reasons import expected, public_reason, way_out_of
from flows.workplace import Workplace

log = structlog.get_logger()

MOST_SECONDS = 15
"""So long is a server waited for that does not take what is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a night ended, by which `error` where nothing landed, and why and what next where it failed.

    `reason` and `way_out` may be read by everybody who can open Prefect's page.
    """

    result: NightResult
    error: DreamError | None = None
    reason: str = ""
    way_out: str = ""


NightWork = Callable[[Call], Coroutine[Any, Any, NightResult]]
"""A night that waits for how its steps are run."""

NightRun = Callable[[NightWork], Awaitable[NightResult]]
"""Runs a night to its end, or gives it up."""


async def dream_and_tell(workplace: Workplace, request: Request, *, clock: Clock, run: NightRun) -> Told:
    """Let `run` dream one night, tell Prefect how far it is and how it ended, and return that; failures are results.

    Every line that is logged from here on names the organisation and the night.
    """
    due, began = request.night or current_night(clock.now()), clock.monotonic()
    bind_contextvars(organisation=workplace.name, night=due.isoformat())
    try:
        with following(workplace.name) as progress:
            async with shown_in_prefect(progress):
                models = counted(build_models, progress)
                result = await run(
                    lambda call: dream_night(
                        workplace, request, clock=clock, call=followed(call, progress), models=models
                    )
                )
        error = None
    except Exception as failure:  # noqa: BLE001  # Prefect would keep its text, which may quote a note
        error = expected(failure, workplace.home, ["night", workplace.name])
        if error is not failure:
            log.error("night.broke", error=type(failure).__name__, crash=error.data["crash"])  # noqa: TRY400
        result = not_landed(workplace.name, due, error)
        publish_failure(workplace, due, failure)
    reason = public_reason(error) if error else ""
    way_out = way_out_of(workplace.name, error) if error else ""
    await tell_night(workplace, result, seconds=clock.monotonic() - began, reason=reason, way_out=way_out)
    reason = reason or (f"failed: {', '.join(result.failed)}" if result.failed else "")
    return Told(result=result, error=error, reason=reason, way_out=way_out)


async def tell_night(
    workplace: Workplace,
    result: NightResult,
    *,
    seconds: float = 0,
    reason: str = "",
    way_out: str = "",
    patience: float = MOST_SECONDS,
) -> None:
    """Show a night that has ended as an artifact, and send its events; it took `seconds`.

    `reason` and `way_out` are why it did not land, in words for everybody. Nothing is raised: what Prefect does not
    take within `patience` seconds is logged, and is in the report and in `dream status` anyway.
    """
    figures = figures_of(result, seconds=seconds)
    alarms = standing_alarms(workplace, result)
    _send(night_events(result, figures=figures, alarms=alarms, reason=reason, way_out=way_out))
    try:
        shown = night_markdown(workplace, result, figures=figures, reason=reason, way_out=way_out)
        async with asyncio.timeout(patience):
            await acreate_markdown_artifact(
                shown,
                key=artifact_key(result.organisation),
                description=f"The night {result.night.isoformat()} of {result.organisation}: {result.status}",
            )
    except Exception as error:  # noqa: BLE001  # as above
        log.warning("artifact.not_made", error=type(error).__name__)


def tell_broken(broken: Iterable[BrokenOrganisation], night: date) -> None:
    """Send the event of a night that failed for each organisation whose file cannot be read; nothing is raised."""
    for one in broken:
        result = not_landed(one.name, night, one.error)
        reason, way_out = public_reason(one.error), way_out_of(one.name, one.error)
        _send(night_events(result, figures=figures_of(result), reason=reason, way_out=way_out))


def _send(events: Iterable[NightEvent]) -> None:
    for event in events:
        try:
            emit_event(event.name, resource=event.resource, related=event.related, payload=dict(event.payload))
        except Exception as error:  # noqa: BLE001  # whatever Prefect raises, the night has ended
            log.warning("event.not_sent", event_name=event.name, error=type(error).__name__)


def standing_alarms(workplace: Workplace, result: NightResult) -> tuple[Alarm, ...]:
    """Return the alarms that stood when a night had ended, as its report has them; none where it has not landed."""
    path = report_path(workplace.home, result.night).with_suffix(".json")
    try:
        degraded = json.loads(path.read_bytes()).get("degraded", [])
        return tuple(_alarm(one) for one in degraded) if result.status in ALARMED else ()
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()


def _alarm(document: dict[str, str]) -> Alarm:
    return Alarm(**{**document, "since": date.fromisoformat(document["since"])})  # type: ignore[arg-type]
