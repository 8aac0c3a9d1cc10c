"""One organisation's night, step by step; the same whether Prefect runs it or this process does."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import structlog

from dream.errors import DreamError
from dream.night.result import NightResult
from dream.repository.garbage import collect_garbage
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.binding import ordered_steps
from flows.braking import Brakes
from flows.calling import Call, call_here
from flows.clock import Clock
from flows.course import NightCourse, StepMaker
from flows.day import Day, read_day
from flows.dreaming import ModelMaker, build_models
from flows.opening import Opened, Request, check_request, open_night
from flows.probes import open_probes
from flows.production import ProbeMaker, ask_production
from flows.publishing import publish
from flows.workplace import Workplace
from tasks.order import AFRESH
from tasks.state_update import done_inputs

log = structlog.get_logger()


async def dream_night(
    workplace: Workplace,
    request: Request,
    *,
    clock: Clock,
    call: Call = call_here,
    steps: StepMaker = ordered_steps,
    models: ModelMaker = build_models,
    probes: ProbeMaker = open_probes,
) -> NightResult:
    """Dream one night of one organisation and return how it ended.

    `steps` are what its tasks do, `models` who answers, `probes` what its real systems are asked by.

    Raises:
        DreamError: nothing landed, and why.
    """
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        brakes = Brakes(workplace, clock)
        opened = await call("open", lambda: _open(workplace, mirror, request, brakes=brakes, now=clock.now()))
        if isinstance(opened, NightResult):
            return publish(workplace, mirror, opened, at=clock.now())
        dreaming = models(workplace, night=opened.night, clock=clock)
        try:
            day = await call("read", lambda: _read(workplace, opened, clock))
            with ask_production(workplace, probes, code=day.code, clock=clock) as production:
                night = NightCourse(
                    workplace,
                    mirror,
                    opened,
                    request=request,
                    brakes=brakes,
                    day=day,
                    steps=steps,
                    models=dreaming,
                    production=production,
                )
                result = await _planned_and_landed(night, opened, clock=clock, call=call)
            result = publish(workplace, mirror, result, at=clock.now())
        finally:
            dreaming.end()
        _clean_up(mirror)
        return result


async def _planned_and_landed(night: NightCourse, opened: Opened, *, clock: Clock, call: Call) -> NightResult:
    """Plan the night's tasks, land them, and keep what the day told, which was read whether or not anything landed."""
    try:
        for name in opened.names:
            if name not in AFRESH:
                await call(name, lambda name=name: night.plan(name))  # type: ignore[misc]
        await call("index_rewrite", night.rewrite_index)
        await call("state_update", night.plant_on_base)
        result = await call("land", lambda: night.land(clock))
    except DreamError:
        await call("remember", night.remember)
        raise
    found = await call("remember", night.remember)
    return replace(result, findings=(*result.findings, *found))


def _open(
    workplace: Workplace, mirror: Mirror, request: Request, *, brakes: Brakes, now: datetime
) -> Opened | NightResult:
    """Open the night unless it is paused; of one that is, the remote is not so much as asked."""
    return brakes.stopped(check_request(request, now)) or open_night(workplace, mirror, request, now)


def _clean_up(mirror: Mirror) -> None:
    """Keep the mirror from growing; the night has ended, so what cannot be cleaned up now waits for the next one."""
    try:
        collect_garbage(mirror)
    except DreamError as error:
        log.warning("mirror.not_cleaned", path=str(mirror.path), cause=str(error))


def _read(workplace: Workplace, opened: Opened, clock: Clock) -> Day:
    """Read the night's window; what was said since then, up to now, is for a later night and no clock is wrong.

    A clock that has gone back since the night was opened makes no part of its day the future.
    """
    latest = max(clock.now(), opened.scheduled)
    counted = done_inputs(opened.survey.records, "pr_outcomes")
    return read_day(
        workplace.organisation,
        window=opened.reading_window,
        now=latest,
        home=workplace.home,
        counted=counted,
        sleep=clock.sleep,
    )
