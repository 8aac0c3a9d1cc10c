"""Every organisation's night under a real Prefect API: names, tags, rings, and what a person cancels."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterName,
    FlowRunFilterParentFlowRunId,
    FlowRunFilterState,
    FlowRunFilterStateType,
    FlowRunFilterTags,
)
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.states import Cancelling

from flows.fleet.fan_out import Batch, Document
from flows.fleet.here import HereRunner
from flows.nightly import nightly
from tests.support.repositories import Hosted, host
from tests.support.served import ANY_STEP, Fault, Served, Step
from tests.support.stage import MEMORY, NIGHT

pytestmark = pytest.mark.usefixtures("prefect")

NAMES = ("acme", "birch")


@pytest.fixture
def hosted(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Hosted]:
    """An organisation in ring 0 and one in ring 1."""
    folder = tmp_path / "organisations"
    folder.mkdir()
    found = {name: host(served, name, MEMORY) for name in NAMES}
    for ring, name in enumerate(NAMES):
        written = f'organisation: {name}\nmemory: {{url: "{found[name].url}"}}\nring: {ring}\n'
        (folder / f"{name}.yaml").write_text(written)
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(folder))
    monkeypatch.setenv("DREAM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("DREAM_NIGHTLY__AGAIN_SECONDS", "0")
    return found


async def ended(run: Awaitable[State[Any]]) -> State[Any]:
    return await run


async def runs_of(parent: State[Any]) -> list[FlowRun]:
    """Return the runs within a run, by name."""
    wanted = FlowRunFilterParentFlowRunId(any_=[parent.state_details.flow_run_id or UUID(int=0)])
    async with get_client() as client:
        found = await client.read_flow_runs(flow_run_filter=FlowRunFilter(parent_flow_run_id=wanted))
    return sorted(found, key=lambda run: run.name)


def wait_for_push(served: Served) -> None:
    while Step.PUSH not in served.requests:
        time.sleep(0.05)


async def cancel(name: str, served: Served) -> None:
    """Cancel an organisation's run in Prefect while it pushes, as the button of Prefect's page does."""
    await asyncio.to_thread(wait_for_push, served)
    running = FlowRunFilterState(type=FlowRunFilterStateType(any_=[StateType.RUNNING]))
    wanted = FlowRunFilter(tags=FlowRunFilterTags(all_=[f"organisation:{name}"]), state=running)
    async with get_client() as client:
        (run,) = await client.read_flow_runs(flow_run_filter=wanted)
        await client.set_flow_run_state(run.id, Cancelling())


def ends(state: State[Any]) -> dict[str, tuple[str, int]]:
    payload: Any = state.result(raise_on_failure=False)
    return {one["organisation"]: (one["status"], one["exit"]) for one in payload["organisations"]}


def landed(hosted: Hosted) -> int:
    return sum(subject.startswith("state update") for subject in hosted.log())


def test_a_release_that_fails_in_its_first_ring_reaches_no_other(hosted: dict[str, Hosted], served: Served) -> None:
    served.fail(Fault.MISSING, on=ANY_STEP, times=None)
    state = asyncio.run(ended(nightly(night=NIGHT.isoformat(), return_state=True)))
    told = "ring 0 is not sound: 1 of 1 failed: acme; not begun: 1 organisation; 1 of 2 failed: acme"
    way_out = "dream status shows why; to dream the rest all the same: dream nightly --all-rings"
    assert (state.name, state.message) == ("Failed", f"{told}; {way_out}")
    payload: Any = state.result(raise_on_failure=False)
    assert (payload["failed"], payload["not_started"]) == (["acme"], ["birch"])
    assert payload["rings"] == [{"ring": 0, "organisations": 1, "sound": False, "why": "1 of 1 failed: acme"}]
    assert landed(hosted["birch"]) == 0


def test_a_night_that_is_cancelled_in_prefect_lands_nothing_and_gives_its_place_to_the_others(
    hosted: dict[str, Hosted], served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAM_NIGHTLY__CONCURRENCY", "1")
    monkeypatch.setenv("DREAM_NIGHTLY__POLL_SECONDS", "1")
    served.fail(Fault.HANG, on=Step.PUSH)

    async def play() -> tuple[State[Any], FlowRun]:
        cancelling = asyncio.create_task(cancel("acme", served))
        state = await ended(nightly(night=NIGHT.isoformat(), all_rings=True, return_state=True))
        await cancelling
        return state, (await runs_of(state))[0]

    state, run = asyncio.run(play())
    assert ends(state) == {"acme": ("not-landed", 3), "birch": ("landed", 0)}
    assert (run.state_name, run.state and run.state.message) == (
        "Cancelled",
        "acme: cancelled in Prefect in the step land; dream run acme --night 2026-10-22",
    )
    assert [landed(one) for one in hosted.values()] == [0, 1]


@pytest.mark.usefixtures("hosted")
def test_a_try_after_an_outage_is_a_run_of_its_own_that_says_what_happens_next(served: Served) -> None:
    served.fail(Fault.REFUSE, on=ANY_STEP, times=None)
    batch = Batch(names=("acme",), ring=0, attempt=2, then="it is tried again in 10 minutes", again=True)

    async def play() -> tuple[Document, FlowRun]:
        (document,) = await HereRunner(night=NIGHT, concurrency=1).run(batch)
        named = FlowRunFilter(name=FlowRunFilterName(any_=["acme again 2"]))
        async with get_client() as client:
            (run,) = await client.read_flow_runs(flow_run_filter=named)
        return document, run

    document, run = asyncio.run(play())
    assert (document["status"], document["again"], document["outage"]) == ("not-landed", True, True)
    next_step = "it is tried again in 10 minutes; sooner: dream run acme --night 2026-10-22"
    assert document["way_out"] == next_step
    assert (run.state_name, run.state_type) == ("TriedAgain", StateType.FAILED)
    assert ((run.state and run.state.message) or "").endswith(f"; {next_step}")
