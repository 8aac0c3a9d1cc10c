"""The automations of deploy/ on a real server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from prefect.client.orchestration import get_client
from ruamel.yaml import YAML

from deploy.automations import run

FILE = Path(__file__).parents[2] / "deploy" / "automations.yaml"
DOCUMENT: list[dict[str, Any]] = YAML(typ="safe").load(FILE)["automations"]


@pytest.mark.usefixtures("prefect")
def test_installing_twice_leaves_one_of_each_and_who_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    async def installed() -> dict[str, tuple[int, set[str], bool]]:
        async with get_client() as client:
            found = {one["name"]: await client.read_automations_by_name(one["name"]) for one in DOCUMENT}
        return {
            name: (len(ones), {action.type for action in ones[0].actions}, ones[0].enabled)
            for name, ones in found.items()
        }

    async def switch_off(name: str) -> None:
        async with get_client() as client:
            (one,) = await client.read_automations_by_name(name)
            await client.pause_automation(one.id)

    asyncio.run(run(DOCUMENT, address="", notify=""))
    first = capsys.readouterr().out
    assert first.count("created dream: ") == len(DOCUMENT)
    assert "Nobody is told of them" in first
    asyncio.run(switch_off("dream: no worker"))
    asyncio.run(run(DOCUMENT, address="http://127.0.0.1:9/hook", notify=""))
    assert capsys.readouterr().out.count("updated dream: ") == len(DOCUMENT)
    told = {"call-webhook"}
    assert asyncio.run(installed()) == {
        one["name"]: (
            1,
            told | ({"change-flow-run-state"} if "died" in one["name"] else set()),
            one["name"] != "dream: no worker",
        )
        for one in DOCUMENT
    }
    with pytest.raises(SystemExit, match=r"There is no block 'slack-webhook/on-call'\. Make it on"):
        asyncio.run(run(DOCUMENT, address="", notify="slack-webhook/on-call"))
