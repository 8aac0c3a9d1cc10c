from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

PREFECT_YAML = Path(__file__).parents[2] / "deploy" / "prefect.yaml"


@pytest.mark.usefixtures("prefect")
def test_a_server_takes_the_deployments_from_any_directory(tmp_path: Path) -> None:
    from prefect.client.orchestration import get_client  # noqa: PLC0415  # two seconds, and only where a server is needed
    from prefect.settings import PREFECT_API_URL  # noqa: PLC0415

    api = str(PREFECT_API_URL.value())
    for command in (
        ["work-pool", "create", "dreaming", "--type", "process"],
        ["deploy", "--all", "--prefect-file", str(PREFECT_YAML)],
    ):
        program = [sys.executable, "-m", "prefect", "--no-prompt", *command]
        environment = {**os.environ, "PREFECT_API_URL": api}
        answer = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stdout + answer.stderr

    async def deployed() -> dict[str, tuple[str | None, list[str], str | None]]:
        async with get_client() as client:
            return {
                found.name: (
                    found.entrypoint,
                    [getattr(one.schedule, "cron", "") for one in found.schedules],
                    found.work_pool_name,
                )
                for found in await client.read_deployments()
                if found.work_pool_name == "dreaming"
            }

    assert asyncio.run(deployed()) == {
        "nightly": ("flows.nightly.nightly", ["0 4 * * *"], "dreaming"),
        "dream-shard": ("flows.shard.dream_shard", [], "dreaming"),
        "take-back": ("flows.taking_back.take_back", [], "dreaming"),
        "dream-organisation": ("flows.organisation.dream_organisation", [], "dreaming"),
    }
    assert list(tmp_path.iterdir()) == []
