"""Taking back the same night of many organisations: one that is broken, or down, fails only itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import structlog

from config.loading import Organisations
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError
from dream.memory.undone import effect_paths
from dream.report.taking_back import Row, RowState
from flows.clock import Clock
from flows.figures import public_reason
from flows.revert import NoSuchNightError, Wanted, revert_night
from flows.taken_back import RevertResult
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
    looked = _each(settings, found.organisations, lambda one: look_at(one, wanted, clock=clock))
    return _sorted([*looked, *broken_rows(found)])


def land_all(
    settings: Settings, found: Organisations, wanted: Wanted, *, clock: Clock, looked: Sequence[Looked], exactly: bool
) -> tuple[Looked, ...]:
    """Take it back wherever `looked` has found something to take back, and return how each ended.

    With `exactly`, where a branch has moved so that it comes to something else, nothing of that organisation lands.
    """
    digests: Mapping[str, str] = {one.row.organisation: one.digest for one in looked if one.digest}
    landed = _each(
        settings,
        [one for one in found.organisations if one.organisation in digests],
        lambda one: land_one(one, wanted, clock=clock, shown=digests[one.name] if exactly else None),
    )
    return _sorted([*landed, *(one for one in looked if not one.digest)])


def broken_rows(found: Organisations) -> list[Looked]:
    """Return the rows of those whose files cannot be read."""
    return [Looked(row=_failed(one.name, one.error)) for one in found.broken]


def _each(
    settings: Settings, organisations: Sequence[Organisation], work: Callable[[Workplace], Looked]
) -> list[Looked]:
    with ThreadPoolExecutor(settings.nightly.concurrency) as pool:
        workplaces = [Workplace(organisation=one, settings=settings) for one in organisations]
        return list(pool.map(work, workplaces))


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
