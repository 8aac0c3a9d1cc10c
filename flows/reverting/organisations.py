"""Taking back the same night of many organisations: one that is broken, down, or hangs, fails only itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from config.loading import Organisations
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError, TransientError
from dream.memory.undoing.undone import effect_paths
from dream.report.durations import spoken_seconds
from dream.report.taking_back import Row, RowState
from flows.clock import Clock
from flows.reverting.night import NoSuchNightError, RevertRequest, revert_night
from flows.reverting.result import RevertResult
from flows.telling.reasons import public_reason
from flows.threads import start_thread
from flows.workplace import Workplace

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """One organisation's row, and what tells whether it still comes to the same; empty where nothing would land."""

    row: Row
    digest: str = ""


Work = Callable[[], Coroutine[Any, Any, Looked]]
"""What is to be done for one organisation."""

Show = Callable[[str, Work], Awaitable[Looked]]
"""Does the work for the organisation that is named, and shows somebody that it is done."""


async def unshown(_name: str, work: Work) -> Looked:
    """Do `work` and show it to nobody."""
    return await work()


def look_at(workplace: Workplace, request: RevertRequest, *, clock: Clock) -> Looked:
    """Return what taking it back would do to one organisation; raises nothing."""
    return _guarded(workplace, request, partial(revert_night, dry_run=True, clock=clock))


def land_one(workplace: Workplace, request: RevertRequest, *, clock: Clock, shown: str | None) -> Looked:
    """Take it back in one organisation, as it was `shown` or not at all; raises nothing."""
    return _guarded(workplace, request, partial(revert_night, dry_run=False, clock=clock, shown=shown))


async def look_at_all(
    settings: Settings, found: Organisations, request: RevertRequest, *, clock: Clock, show: Show = unshown
) -> tuple[Looked, ...]:
    """Return what taking it back would do to every organisation, by name; as many at once as nights dream."""
    looked = await each_within_time(
        settings, found.organisations, request, partial(look_at, request=request, clock=clock), lands=False, show=show
    )
    return _sorted([*looked, *_broken(found)])


async def land_all(
    settings: Settings,
    found: Organisations,
    request: RevertRequest,
    *,
    clock: Clock,
    looked: Sequence[Looked],
    exactly: bool = True,
    show: Show = unshown,
) -> tuple[Looked, ...]:
    """Take it back wherever `looked` has found something to take back, and return how each ended.

    With `exactly`, where a branch has moved so that it comes to something else, nothing of that organisation lands.
    """
    digests: Mapping[str, str] = {one.row.organisation: one.digest for one in looked if one.digest}
    landed = await each_within_time(
        settings,
        [one for one in found.organisations if one.organisation in digests],
        request,
        lambda one: land_one(one, request, clock=clock, shown=digests[one.name] if exactly else None),
        lands=True,
        show=show,
    )
    return _sorted([*landed, *(one for one in looked if not one.digest)])


async def _within_time(
    workplace: Workplace, work: Callable[[], Looked], request: RevertRequest, *, lands: bool
) -> Looked:
    """Return what `work` comes to, in a thread of its own that is given up where it takes longer than a night may.

    Whether one that `lands` does so after it was given up, nobody knows.
    """
    name, seconds = workplace.name, workplace.settings.nightly.night_seconds
    try:
        return await asyncio.wait_for(start_thread(work, name=name), seconds)
    except TimeoutError:
        log.warning("revert.given_up", organisation=name, seconds=seconds)
    told = "; whether anything was taken back is not known" if lands else ""
    see = f", then: dream log {name} --night {request.night.isoformat()} --operations" if lands else ""
    error = TransientError(f"given up after {spoken_seconds(seconds)}{told}", way_out=f"dream doctor {name}{see}")
    return Looked(row=_failed(name, error))


async def each_within_time(
    settings: Settings,
    organisations: Sequence[Organisation],
    request: RevertRequest,
    work: Callable[[Workplace], Looked],
    *,
    lands: bool,
    show: Show = unshown,
) -> list[Looked]:
    """Return what `work` comes to for each, as many at once as nights dream; one that hangs holds up none for ever."""
    at_once = asyncio.Semaphore(settings.nightly.concurrency)

    async def run(workplace: Workplace) -> Looked:
        async with at_once:
            within_time = partial(_within_time, workplace, partial(work, workplace), request, lands=lands)
            return await show(workplace.name, within_time)

    places = [Workplace(organisation=one, settings=settings) for one in organisations]
    return list(await asyncio.gather(*map(run, places)))


def _broken(found: Organisations) -> list[Looked]:
    """Return the rows of those whose files cannot be read."""
    return [Looked(row=_failed(one.name, one.error)) for one in found.broken]


def _guarded(
    workplace: Workplace, request: RevertRequest, revert: Callable[[Workplace, RevertRequest], RevertResult]
) -> Looked:
    name = workplace.name
    try:
        result = revert(workplace, request)
    except NoSuchNightError as error:
        return Looked(row=Row(organisation=name, state="nothing to do", reason=str(error), public="no such night"))
    except Exception as error:  # noqa: BLE001  # this is the boundary of one organisation
        log.warning("revert.failed", organisation=name, error=type(error).__name__)
        return Looked(row=_failed(name, error))
    return Looked(row=_row(result, request), digest=result.digest if result.commits else "")


def _row(result: RevertResult, request: RevertRequest) -> Row:
    state: RowState = "nothing to do"
    if result.commits:
        state = "would be taken back" if result.dry_run else "taken back"
    elif result.conflicts:
        state = "conflicts only"
    asked = f" --task {request.task}" if request.task else ""
    command = f"dream revert {result.organisation} --night {request.night.isoformat()}{asked} --dry-run"
    return Row(
        organisation=result.organisation,
        state=state,
        operations=len(result.edits),
        conflicts=len(result.conflicts),
        paths=tuple(sorted({path for one in result.effects for path in effect_paths(one)})),
        way_out=f"which conflict, and why: {command}" if result.conflicts else "",
    )


def _failed(name: str, error: Exception) -> Row:
    way_out = error.way_out if isinstance(error, DreamError) else f"see more with: dream status {name}"
    reason = str(error) if isinstance(error, DreamError) else f"{type(error).__name__}: {error}"
    return Row(organisation=name, state="did not land", reason=reason, public=public_reason(error), way_out=way_out)


def _sorted(looked: Sequence[Looked]) -> tuple[Looked, ...]:
    return tuple(sorted(looked, key=lambda one: one.row.organisation))
