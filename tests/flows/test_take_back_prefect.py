"""The deployment that takes back a night shows first, lands only if asked to, and tells Prefect no text of a note."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.objects import State

from flows.taking_back import take_back
from tests.support.commands import configure
from tests.support.repositories import host
from tests.support.served import Served
from tests.support.stage import MEMORY, Stage, stage_of

pytestmark = pytest.mark.usefixtures("prefect")

NIGHT = "2026-10-22"
BACK = "Orders are archived after ninety days"


@pytest.fixture
def stages(served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Stage]:
    acme = stage_of(served, tmp_path)
    birch = replace(acme, hosted=host(served, "birch", MEMORY), name="birch", waits=[])
    for stage in (acme, birch):
        stage.summarise({})
        stage.dream()
        configure(stage)
    monkeypatch.setenv("DREAM_ORGANISATIONS", str(tmp_path))
    monkeypatch.setenv("DREAM_HOME", str(tmp_path / "home"))
    return {"acme": acme, "birch": birch}


def run(**parameters: Any) -> State[Any]:
    async def ended(started: Awaitable[State[Any]]) -> State[Any]:
        return await started

    return asyncio.run(ended(take_back(NIGHT, **parameters, return_state=True)))


def artifacts(state: State[Any]) -> list[str]:
    async def read() -> list[str]:
        run_id = state.state_details.flow_run_id
        assert run_id is not None
        async with get_client() as client:
            found = await client.read_artifacts(
                artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run_id]))
            )
        return sorted(str(one.data) for one in found)

    return asyncio.run(read())


def rows(state: State[Any]) -> dict[str, str]:
    payload: Any = state.result(raise_on_failure=False)
    return {one["organisation"]: one["state"] for one in payload["organisations"]}


def test_a_night_is_shown_then_taken_back_everywhere_and_then_nothing_is_left(stages: dict[str, Stage]) -> None:
    tips = {name: stage.hosted.tip() for name, stage in stages.items()}
    shown = run(task="tidy")
    assert (shown.name, rows(shown)) == ("Completed", dict.fromkeys(stages, "would be taken back"))
    assert {name: stage.hosted.tip() for name, stage in stages.items()} == tips
    (markdown,) = artifacts(shown)
    assert "| acme | would be taken back | 1 | 0 |" in markdown
    assert "- queues/invoices.md" in markdown
    assert BACK not in markdown
    landed = run(task="tidy", land=True)
    assert (landed.name, rows(landed)) == ("Completed", dict.fromkeys(stages, "taken back"))
    assert len(artifacts(landed)) == 2
    assert all(BACK.encode() in stage.files()["queues/invoices.md"] for stage in stages.values())
    assert rows(run(task="tidy", land=True)) == dict.fromkeys(stages, "nothing to do")


def test_a_run_fails_where_something_failed_and_says_who(stages: dict[str, Stage]) -> None:
    stages["birch"].person().delete("queues/invoices.md")
    state = run(task="tidy", land=True)
    assert (state.name, rows(state)) == ("Failed", {"acme": "taken back", "birch": "conflicts only"})
    assert state.message == "1 of 2: birch: 1 conflicts"


def test_single_operations_are_those_of_one_organisation(stages: dict[str, Stage]) -> None:
    merge = next(one for one in stages["acme"].record().effects if one.task == "tidy")
    assert rows(run(organisation="acme", operations=[merge.id[:9]], land=True)) == {"acme": "taken back"}
    refused = run(operations=[merge.id])
    assert refused.name == "Failed"
    assert "an operation is one of a single organisation's" in (refused.message or "")


@pytest.mark.usefixtures("stages")
def test_what_keeps_it_from_being_looked_at_is_told_with_the_next_step() -> None:
    state = run(operations=["1"])
    assert (state.name, state.message) == (
        "Failed",
        "an operation is one of a single organisation's; give `organisation` as well, or no `operations`",
    )
