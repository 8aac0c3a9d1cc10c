"""The flows under a real Prefect API: a run for each organisation, a task run for each task, and honest states."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId, FlowRunFilterParentFlowRunId
from prefect.client.schemas.objects import FlowRun, State

from flows.nightly import nightly
from flows.organisation import dream_organisation
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT

pytestmark = pytest.mark.usefixtures("prefect", "installed")

_LOOKS = 240
_PAUSE_SECONDS = 0.5


@pytest.fixture
def installed(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three organisations that can dream, and a file that is none."""
    folder = tmp_path / "organisations"
    folder.mkdir()
    for name in ("acme", "birch", "cedar"):
        hosted = host(served, name, MEMORY)
        (folder / f"{name}.yaml").write_text(f'organisation: {name}\nmemory: {{url: "{hosted.url}"}}\n')
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(folder))
    monkeypatch.setenv("DREAM_HOME", str(tmp_path / "home"))
    return folder


async def ended(run: Awaitable[State[Any]]) -> State[Any]:
    """Wait for a flow run."""
    return await run


async def task_runs(flow_run: UUID, *, last: str) -> list[str]:
    """Return the names of a flow run's task runs, oldest first, once the one called `last` has ended.

    The server writes task runs down from events, some time after the flow that made them has ended.
    """
    mine = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run]))
    async with get_client() as client:
        for _ in range(_LOOKS):
            runs = await client.read_task_runs(flow_run_filter=mine)
            if any(run.name == last for run in runs) and all(run.end_time for run in runs):
                break
            await asyncio.sleep(_PAUSE_SECONDS)
    return [run.name for run in sorted(runs, key=lambda run: str(run.start_time))]


async def family(parent: State[Any]) -> list[FlowRun]:
    """Return a run and those within it by name."""
    mine = parent.state_details.flow_run_id or UUID(int=0)
    within = FlowRunFilter(parent_flow_run_id=FlowRunFilterParentFlowRunId(any_=[mine]))
    async with get_client() as client:
        found = await client.read_flow_runs(flow_run_filter=within)
        return [await client.read_flow_run(mine), *sorted(found, key=lambda run: run.name)]


def test_an_organisations_run_has_a_task_run_for_each_task_in_order() -> None:
    state = asyncio.run(ended(dream_organisation("acme", night=NIGHT.isoformat(), return_state=True)))
    payload: Any = state.result()
    assert (payload["status"], payload["exit"]) == ("landed", 0)
    flow_run = state.state_details.flow_run_id
    assert flow_run is not None
    assert asyncio.run(task_runs(flow_run, last="remember")) == [
        "open",
        "read",
        "daily_note",
        "distil",
        "pr_outcomes",
        "learnings",
        "production_verification",
        "tidy",
        "index_rewrite",
        "state_update",
        "land",
        "remember",
    ]


def test_every_organisation_dreams_and_a_broken_one_fails_only_itself(installed: Path) -> None:
    (installed / "dahlia.yaml").write_text("organisation: dahlia\nmemory: {adress: nowhere}\n")
    state = asyncio.run(ended(nightly(night=NIGHT.isoformat(), return_state=True)))
    payload: Any = state.result(raise_on_failure=False)
    assert (state.name, state.message) == ("Failed", "1 of 4 failed: dahlia; dream status")  # more than a tenth
    parent, *runs = asyncio.run(family(state))
    assert [parent.name, *(run.name for run in runs)] == ["nightly 2026-10-22", "acme", "birch", "cedar"]
    assert [set(run.tags) for run in runs] == [
        {f"organisation:{run.name}", "night:2026-10-22", "ring:1"} for run in runs
    ]
    assert {one["organisation"]: one["exit"] for one in payload["organisations"]} == {
        "acme": 0,
        "birch": 0,
        "cedar": 0,
        "dahlia": 2,
    }
    assert {one["status"] for one in payload["organisations"] if one["exit"] == 0} == {"landed"}


def test_a_night_that_cannot_land_fails_its_run_and_says_why(served: Served) -> None:
    served.close()
    state = asyncio.run(ended(dream_organisation("acme", night=NIGHT.isoformat(), return_state=True)))
    payload: Any = state.result(raise_on_failure=False)
    assert state.name == "Failed"
    assert (payload["status"], payload["exit"]) == ("not-landed", 3)
    assert "127.0.0.1" in (state.message or "")


def test_a_run_of_nobody_says_who_is_there() -> None:
    state = asyncio.run(ended(dream_organisation("acne", return_state=True)))
    assert (state.name, (state.message or "").rpartition("; ")[2]) == ("Failed", "did you mean acme?")


def test_a_night_that_no_person_named_is_not_dreamed_weeks_after_the_newest_commit() -> None:
    """This machine's clock is always more than 35 days after the commits of these memories."""
    payload: Any = asyncio.run(ended(nightly(return_state=True))).result(raise_on_failure=False)
    told = [(one["exit"], one["way_out"].partition(" --night ")[0]) for one in payload["organisations"]]
    assert told == [(2, f"if the clock is right: dream run {name}") for name in ("acme", "birch", "cedar")]
