"""Taking back a night under Prefect: an artifact shows it, a task run for each organisation, landed only if asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog
from prefect import Task, flow
from prefect.artifacts import acreate_markdown_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.states import Failed as FailedState

from dream.errors import UsageError
from dream.report.taking_back import Row, exit_of, rows_markdown
from flows.clock import system_clock
from flows.installation import all_organisations, open_installation
from flows.opening import parse_night
from flows.reverting.night import RevertRequest
from flows.reverting.organisations import Looked, Work, land_all, look_at_all
from flows.telling.beginning import shown_in_public

log = structlog.get_logger()


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
    told = _take_back(night, organisation, task, operations, land=land)
    return await shown_in_public(told, name="take-back", way_out="dream doctor")


async def _take_back(
    night: str, organisation: str | None, task: str | None, operations: Sequence[str] | None, *, land: bool
) -> Any:
    request = _request(night, organisation, task, operations)
    settings = open_installation()
    found = all_organisations(settings)
    if organisation:
        found.get(organisation)  # names what is wrong with it
        chosen = tuple(one for one in found.organisations if one.organisation == organisation)
        found = replace(found, organisations=chosen, broken=())
    clock = system_clock()
    looked = await look_at_all(settings, found, request, clock=clock, show=partial(_as_task, "look at"))
    await _show(request, looked, title="what would be taken back", key="shown")
    if land:
        take = partial(_as_task, "take back")
        looked = await land_all(settings, found, request, clock=clock, looked=looked, show=take)
        await _show(request, looked, title="taken back", key="landed")
    rows = [one.row for one in looked]
    payload = {"night": request.night.isoformat(), "landed": land, "organisations": [_document(row) for row in rows]}
    if exit_of(rows):
        told = [f"{row.organisation}: {row.public or f'{row.conflicts} conflicts'}" for row in rows if _failed(row)]
        return FailedState(message=f"{len(told)} of {len(rows)}: {'; '.join(told)}"[:2_000], data=payload)
    return payload


def _request(night: str, organisation: str | None, task: str | None, operations: Sequence[str] | None) -> RevertRequest:
    due = parse_night(night)
    if due is None:
        message = "which night is to be taken back?"
        raise UsageError(message, way_out="give its date as `night`, such as 2026-10-22")
    if operations and not organisation:
        message = "an operation is one of a single organisation's"
        raise UsageError(message, way_out="give `organisation` as well, or no `operations`")
    request = RevertRequest(night=due, task=task or None, operations=tuple(operations or ()))
    request.check()
    return request


async def _as_task(verb: str, organisation: str, work: Work) -> Looked:
    ended: list[Looked] = []

    async def run() -> State[Any] | None:
        looked = await work()
        ended.append(looked)
        if _failed(looked.row):
            return FailedState(message=looked.row.public or f"{looked.row.conflicts} conflicts")
        return None

    name = f"{verb} {organisation}"
    shown = Task(fn=run, name=name, task_run_name=name, retries=0, persist_result=False, cache_policy=NO_CACHE)
    state = await shown(return_state=True)  # type: ignore[misc]  # typed as if what a coroutine returns came at once
    if not ended:
        await state.result(raise_on_failure=True)
    return ended[0]


async def _show(request: RevertRequest, looked: Sequence[Looked], *, title: str, key: str) -> None:
    """Show what came of it; a server that does not take that keeps nothing from being taken back."""
    try:
        await acreate_markdown_artifact(
            markdown=rows_markdown(request.night, [one.row for one in looked], title=title),
            key=f"take-back-{request.night.isoformat()}-{key}",
            description=f"{title}: counts and paths",
        )
    except Exception as error:  # noqa: BLE001  # whatever Prefect raises, the document tells it as well
        log.warning("artifact.not_made", error=type(error).__name__)


def _failed(row: Row) -> bool:
    return bool(exit_of([row]))


def _document(row: Row) -> dict[str, Any]:
    """Return what Prefect may keep: in place of a remote's words those that are told in public."""
    return {**row.payload(), "reason": row.public}
