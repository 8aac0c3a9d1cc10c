"""Taking back the same night of many organisations: one that is broken, down, or hangs, fails only itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from config.loading import Organisations
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError, TransientError
from dream.memory.undoing.undone import effect_paths
from dream.report.durations import spoken_seconds
from dream.report.taking_back import Row, RowState
from flows.clock import Clock
from flows.reverting.night import NoSuchNightError, Wanted, revert_night
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


def look_at(workplace: Workplace, wanted: Wanted, *, clock: Clock) -> Looked:
    """Return what taking it back would do to one organisation; raises nothing."""
    return _guarded(workplace, wanted, lambda: _run(workplace, wanted, clock, dry_run=True, shown=None))


def land_one(workplace: Workplace, wanted: Wanted, *, clock: Clock, shown: str | None) -> Looked:
    """Take it back in one organisation, as it was `shown` or not at all; raises nothing."""
    return _guarded(workplace, wanted, lambda: _run(workplace, wanted, clock, dry_run=False, shown=shown))


def look_at_all(settings: Settings, found: Organisations, wanted: Wanted, *, clock: Clock) -> tuple[Looked, ...]:
    """Return what taking it back would do to every organisation, by name; as many at once as nights dream."""
    looked = each_within_time(
        settings, found.organisations, wanted, lambda one: look_at(one, wanted, clock=clock), lands=False
    )
    return _sorted([*looked, *broken_rows(found)])


def land_all(
    settings: Settings, found: Organisations, wanted: Wanted, *, clock: Clock, looked: Sequence[Looked], exactly: bool
) -> tuple[Looked, ...]:
    """Take it back wherever `looked` has found something to take back, and return how each ended.

    With `exactly`, where a branch has moved so that it comes to something else, nothing of that organisation lands.
    """
    digests: Mapping[str, str] = {one.row.organisation: one.digest for one in looked if one.digest}
    landed = each_within_time(
        settings,
        [one for one in found.organisations if one.organisation in digests],
        wanted,
        lambda one: land_one(one, wanted, clock=clock, shown=digests[one.name] if exactly else None),
        lands=True,
    )
    return _sorted([*landed, *(one for one in looked if not one.digest)])


def broken_rows(found: Organisations) -> list[Looked]:
    """Return the rows of those whose files cannot be read."""
    return [Looked(row=_failed(one.name, one.error)) for one in found.broken]


async def within_time(workplace: Workplace, work: Callable[[], Looked], wanted: Wanted, *, lands: bool) -> Looked:
    """Return what `work` comes to, in a thread of its own that is given up where it takes longer than a night may.

    Whether one that `lands` does so after it was given up, nobody knows.
    """
    name, seconds = workplace.name, workplace.settings.nightly.night_seconds
    try:
        return await asyncio.wait_for(start_thread(work, name=name), seconds)
    except TimeoutError:
        log.warning("revert.given_up", organisation=name, seconds=seconds)
    told = "; whether anything was taken back is not known" if lands else ""
    see = f", then: dream log {name} --night {wanted.night.isoformat()} --operations" if lands else ""
    error = TransientError(f"given up after {spoken_seconds(seconds)}{told}", way_out=f"dream doctor {name}{see}")
    return Looked(row=_failed(name, error))


def each_within_time(
    settings: Settings,
    organisations: Sequence[Organisation],
    wanted: Wanted,
    work: Callable[[Workplace], Looked],
    *,
    lands: bool,
) -> list[Looked]:
    """Return what `work` comes to for each, as many at once as nights dream; one that hangs holds up none for ever."""
    at_once = asyncio.Semaphore(settings.nightly.concurrency)

    async def run(workplace: Workplace) -> Looked:
        async with at_once:
            return await within_time(workplace, partial(work, workplace), wanted, lands=lands)

    async def run_all() -> list[Looked]:
        return list(
            await asyncio.gather(*(run(Workplace(organisation=one, settings=settings)) for one in organisations))
        )

    return asyncio.run(run_all())


def _run(workplace: Workplace, wanted: Wanted, clock: Clock, *, dry_run: bool, shown: str | None) -> RevertResult:
    return revert_night(
        workplace,
        night=wanted.night,
        task=wanted.task,
        retry=wanted.retry,
        operations=wanted.operations,
        dry_run=dry_run,
        clock=clock,
        shown=shown,
    )


def _guarded(workplace: Workplace, wanted: Wanted, run: Callable[[], RevertResult]) -> Looked:
    name = workplace.name
    try:
        result = run()
    except NoSuchNightError as error:
        return Looked(row=Row(organisation=name, state="nothing to do", reason=str(error), public="no such night"))
    except Exception as error:  # noqa: BLE001  # this is the boundary of one organisation
        log.warning("revert.failed", organisation=name, error=type(error).__name__)
        return Looked(row=_failed(name, error))
    return Looked(row=_row(result, wanted), digest=result.digest if result.commits else "")


def _row(result: RevertResult, wanted: Wanted) -> Row:
    state: RowState = "nothing to do"
    if result.commits:
        state = "would be taken back" if result.dry_run else "taken back"
    elif result.conflicts:
        state = "conflicts only"
    asked = f" --task {wanted.task}" if wanted.task else ""
    command = f"dream revert {result.organisation} --night {wanted.night.isoformat()}{asked} --dry-run"
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
