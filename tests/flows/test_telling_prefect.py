"""What Prefect is told, by a real API: progress of long nights; and a server that is silent holds up nothing."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from prefect import flow
from prefect.artifacts import Artifact
from prefect.client.orchestration import get_client
from prefect.settings import PREFECT_API_URL, temporary_settings
from structlog.testing import capture_logs

from config.loading import BrokenOrganisation
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import UsageError
from dream.night.result import NightResult
from flows.telling.board import Progress
from flows.telling.night import tell_broken, tell_night
from flows.telling.progress_artifact import shown_in_prefect
from flows.workplace import Workplace

pytestmark = pytest.mark.usefixtures("prefect")

NIGHT = date(2026, 10, 22)


@flow(name="a-long-night", persist_result=False)
async def dream_long(progress: Any, seconds: float) -> tuple[Any, Any]:
    """Let a night go on until it is shown, and return how it was shown before and after it went on."""
    async with shown_in_prefect(progress, first=0, every=0.05):
        before = await shown(progress, "tidy")
        progress.step, progress.done = "land", 10
        after = await shown(progress, "land", seconds)
    return before, after


async def shown(progress: Progress, step: str, seconds: float = 60) -> tuple[float, str | None]:
    """Wait until an artifact tells of a step."""
    async with asyncio.timeout(seconds):
        while True:
            found = await Artifact.aget(f"progress-{progress.organisation}")
            if found and step in (found.description or ""):
                return float(str(found.data)), found.description
            await asyncio.sleep(0.1)


def test_a_night_that_takes_long_shows_how_far_it_is() -> None:
    progress = Progress(organisation="slow", step="tidy", done=7)
    progress.asked = lambda: 40
    before, after = asyncio.run(_ended(dream_long(progress, 60.0)))
    assert before == (58.3, "tidy, step 8 of 12, 40 questions asked")
    assert after == (83.3, "land, step 11 of 12, 40 questions asked")


async def _ended(run: Any) -> Any:
    return await run


@contextmanager
def silent_server() -> Iterator[str]:
    """An address that takes every connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/api"


@pytest.mark.filterwarnings("ignore:Artifact creation outside:FutureWarning")
def test_a_server_that_is_silent_costs_a_night_that_has_landed_a_moment_and_a_warning(tmp_path: Path) -> None:
    organisation = Organisation.model_validate({"organisation": "acme", "memory": {"url": "https://git.example/x.git"}})
    workplace = Workplace(organisation=organisation, settings=Settings(home=tmp_path, organisations=tmp_path))
    result = NightResult(organisation="acme", night=NIGHT, status="nothing-to-do")
    with silent_server() as url, temporary_settings({PREFECT_API_URL: url}), capture_logs() as logs:
        asyncio.run(tell_night(workplace, result, patience=0.2))
    assert logs == [{"event": "artifact.not_made", "error": "TimeoutError", "log_level": "warning"}]


def test_an_organisation_whose_file_is_broken_is_a_night_that_failed(tmp_path: Path) -> None:
    error = UsageError("sesions: no such key", way_out="correct the file")
    tell_broken([BrokenOrganisation(name="broken-one", path=tmp_path, error=error)], NIGHT)
    event = asyncio.run(_event_of("dream.organisation.broken-one"))
    assert (event["event"], event["payload"]["exit"]) == ("dream.night.failed", 2)
    assert (event["payload"]["reason"], event["payload"]["way_out"]) == ("sesions: no such key", "correct the file")


async def _event_of(resource: str) -> dict[str, Any]:
    """Wait until the server has an event of a resource."""
    wanted = {"filter": {"resource": {"id": [resource]}}}
    async with asyncio.timeout(120), get_client() as client:
        while True:
            found = (await client.request("POST", "/events/filter", json=wanted)).json()["events"]
            if found:
                return dict(found[0])
            await asyncio.sleep(0.2)
