"""Taking back a night under Prefect: an artifact shows it, a task run for each organisation, landed only if asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from prefect import Task, flow
from prefect.artifacts import acreate_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Failed as FailedState

from config.loading import Organisations
from config.settings import Settings
from dream.errors import UsageError
from dream.report.taking_back import Row, exit_of, rows_markdown
from flows.clock import Clock, system_clock
from flows.installation import all_organisations, open_installation
from flows.opening import parse_night
from flows.reverting.night import Wanted
from flows.reverting.organisations import Looked, broken_rows, land_one, look_at, within_time
from flows.workplace import Workplace


@flow(name="take-back", flow_run_name="take back {night}", retries=0, persist_result=False)
async def take_back(
    night: str,
    organisation: str | None = None,
    task: str | None = None,
    operations: list[str] | None = None,
    *,
    land: bool = False,
) -> Any:
    """Show what taking back a night, a task of it or single operations does, and with `land` do it.

    Of one organisation, or without one of all. The run fails where something conflicts, cannot be read or did not land;
    its document, with counts and paths and no text of a note, is then the state's data. Starting it again is safe.
    """
    wanted = _wanted(night, organisation, task, operations)
    settings = open_installation()
    found = all_organisations(settings)
    if organisation:
        found.get(organisation)  # names what is wrong with it
        chosen = tuple(one for one in found.organisations if one.organisation == organisation)
        found = replace(found, organisations=chosen, broken=())
    clock = system_clock()
    looked = await _look(settings, found, wanted, clock)
    await _show(wanted, looked, title="what would be taken back", key="shown")
    if land:
        looked = await _land(settings, found, wanted, clock, looked)
        await _show(wanted, looked, title="taken back", key="landed")
    rows = [one.row for one in looked]
    payload = {"night": wanted.night.isoformat(), "landed": land, "organisations": [_document(row) for row in rows]}
    if exit_of(rows):
        told = [f"{row.organisation}: {row.public or f'{row.conflicts} conflicts'}" for row in rows if _failed(row)]
        return FailedState(message=f"{len(told)} of {len(rows)}: {'; '.join(told)}"[:2_000], data=payload)
    return payload


def _wanted(night: str, organisation: str | None, task: str | None, operations: Sequence[str] | None) -> Wanted:
    due = parse_night(night)
    if due is None:
        message = "which night is to be taken back?"
        raise UsageError(message, way_out="give its date as `night`, such as 2026-10-22")
    if operations and not organisation:
        message = "an operation is one of a single organisation's"
        raise UsageError(message, way_out="give `organisation` as well, or no `operations`")
    wanted = Wanted(night=due, task=task or None, operations=tuple(operations or ()))
    wanted.check()
    return wanted


async def _look(settings: Settings, found: Organisations, wanted: Wanted, clock: Clock) -> list[Looked]:
    places = [Workplace(organisation=one, settings=settings) for one in found.organisations]
    works = [(place, partial(look_at, place, wanted, clock=clock)) for place in places]
    return [*await _each(works, wanted, lands=False), *broken_rows(found)]


async def _land(
    settings: Settings, found: Organisations, wanted: Wanted, clock: Clock, looked: Sequence[Looked]
) -> list[Looked]:
    digests = {one.row.organisation: one.digest for one in looked if one.digest}
    places = [Workplace(organisation=one, settings=settings) for one in found.organisations]
    works = [
        (place, partial(land_one, place, wanted, clock=clock, shown=digests[place.name]))
        for place in places
        if place.name in digests
    ]
    landed = await _each(works, wanted, lands=True)
    return sorted([*landed, *(one for one in looked if not one.digest)], key=lambda one: one.row.organisation)


async def _each(
    works: Sequence[tuple[Workplace, Callable[[], Looked]]], wanted: Wanted, *, lands: bool
) -> list[Looked]:
    """Run the work of every organisation in a thread of its own, shown as a task run; as many at once as dream."""
    at_once = asyncio.Semaphore(works[0][0].settings.nightly.concurrency if works else 1)

    async def run(place: Workplace, work: Callable[[], Looked]) -> Looked:
        async with at_once:
            name = f"{'take back' if lands else 'look at'} {place.name}"
            return await _as_task(name, partial(within_time, place, work, wanted, lands=lands))

    return list(await asyncio.gather(*(run(place, work) for place, work in works)))


async def _as_task(name: str, work: Callable[[], Coroutine[Any, Any, Looked]]) -> Looked:
    ended: list[Looked] = []

    async def run() -> State[Any] | None:
        looked = await work()
        ended.append(looked)
        if _failed(looked.row):
            return FailedState(message=looked.row.public or f"{looked.row.conflicts} conflicts")
        return None

    shown = Task(fn=run, name=name, task_run_name=name, retries=0, persist_result=False, cache_policy=NO_CACHE)
    state = await shown(return_state=True)  # type: ignore[misc]  # typed as if what a coroutine returns came at once
    if not ended:
        await state.result(raise_on_failure=True)
    return ended[0]


async def _show(wanted: Wanted, looked: Sequence[Looked], *, title: str, key: str) -> None:
    rows = sorted((one.row for one in looked), key=lambda row: row.organisation)
    await acreate_markdown_artifact(
        markdown=rows_markdown(wanted.night, rows, title=title),
        key=f"take-back-{wanted.night.isoformat()}-{key}",
        description=f"{title}: counts and paths",
    )


def _failed(row: Row) -> bool:
    return bool(exit_of([row]))


def _document(row: Row) -> dict[str, Any]:
    """Return what Prefect may keep: in place of a remote's words those that are told in public."""
    return {**row.payload(), "reason": row.public}
