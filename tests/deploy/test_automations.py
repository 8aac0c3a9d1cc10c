"""What Prefect is told to watch: what it fires on is what is really sent, and what it says leads on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from prefect.events.schemas.automations import AutomationCore, EventTrigger
from ruamel.yaml import YAML

from deploy.automations import PAYLOAD, automation_of, read_address
from flows.organisation import TRIED_AGAIN
from flows.telling import events

FILE = Path(__file__).parents[2] / "deploy" / "automations.yaml"
DOCUMENT: list[dict[str, Any]] = YAML(typ="safe").load(FILE)["automations"]
OUR_EVENTS = {events.LANDED, events.FAILED, events.DEGRADED, events.PAUSED, events.SHADOW}
STATES = {
    *("Late", "Pending", "Running", "AwaitingConcurrencySlot"),
    *("Completed", "Failed", TRIED_AGAIN, "TimedOut", "Crashed", "Cancelling", "Cancelled"),
}


@pytest.mark.parametrize("raw", DOCUMENT, ids=[one["name"] for one in DOCUMENT])
def test_each_is_what_this_prefect_reads_and_fires_on_what_is_sent(raw: dict[str, Any]) -> None:
    automation = AutomationCore.model_validate(raw)
    trigger = automation.trigger
    assert isinstance(trigger, EventTrigger)
    assert set(raw) <= set(AutomationCore.model_fields)
    assert set(raw["trigger"]) <= set(EventTrigger.model_fields)
    known = {
        *OUR_EVENTS,
        *(f"prefect.flow-run.{state}" for state in STATES),
        "prefect.flow-run.heartbeat",
        "prefect.work-pool.not-ready",
    }
    assert trigger.expect | trigger.after <= known
    assert "Next: " in automation.description


def test_the_flows_that_are_watched_are_those_that_are_deployed() -> None:
    deployed = {one["entrypoint"] for one in YAML(typ="safe").load(FILE.with_name("prefect.yaml"))["deployments"]}
    names = {entrypoint.rpartition(".")[2].replace("_", "-") for entrypoint in deployed}
    watched = set()
    for raw in DOCUMENT:
        named = raw["trigger"].get("match_related", {}).get("prefect.resource.name", [])
        watched |= {named} if isinstance(named, str) else set(named)
    assert watched == names


def test_nobody_is_told_of_a_try_that_is_followed_by_another_and_it_is_not_taken_for_dead() -> None:
    event = f"prefect.flow-run.{TRIED_AGAIN}"
    about = [one["name"] for one in DOCUMENT if event in one["trigger"]["expect"]]
    assert about == ["dream: a run does not begin", "dream: a run has died"]  # these expect it, and fire without it
    assert {one["trigger"]["posture"] for one in DOCUMENT if one["name"] in about} == {"Proactive"}


def test_a_run_is_taken_for_dead_only_after_many_beats_that_did_not_come() -> None:
    from prefect.settings import get_current_settings  # noqa: PLC0415  # read where the session's settings stand

    (died,) = [one for one in DOCUMENT if one["name"] == "dream: a run has died"]
    beat = get_current_settings().flows.heartbeat_frequency
    assert beat is not None
    assert died["trigger"]["within"] >= 10 * beat


def test_the_message_says_what_is_wrong_for_whom_since_when_and_what_is_next() -> None:
    from prefect.server.utilities.user_templates import render_user_template  # noqa: PLC0415  # two seconds

    event = {
        "event": events.DEGRADED,
        "occurred": "2026-11-30T04:10:00Z",
        "resource": {"name": "acme", "prefect.state-message": "acme: the remote is down"},
        "payload": {},
    }
    automation = {"name": "dream: an organisation failed", "description": "One failed. Next: dream status"}
    said = asyncio.run(render_user_template(PAYLOAD, {"event": event, "automation": automation}))
    assert json.loads(said) == {
        "text": "dream: an organisation failed: acme: acme: the remote is down\n"
        "Since 2026-11-30T04:10:00Z. One failed. Next: dream status"
    }
    hostile = {**event, "payload": {"reason": 'x", "y": "{{ 7 * 7 }}\n', "way_out": "dream run acme"}}
    said = asyncio.run(render_user_template(PAYLOAD, {"event": hostile, "automation": automation}))
    assert json.loads(said)["text"].startswith('dream: an organisation failed: acme: x", "y": "{{ 7 * 7 }}\n')
    assert json.loads(said)["text"].endswith("As the night says: dream run acme")


def test_who_is_told_stays_told_when_nobody_is_named_again() -> None:
    hook = {"type": "call-webhook", "block_document_id": str(UUID(int=1)), "payload": PAYLOAD}
    for raw in DOCUMENT:
        told = automation_of(raw, given=[hook], before=automation_of(raw, given=[], before=None))
        again = automation_of({**raw, "description": "Newer. Next: dream status"}, given=[], before=told)
        assert again.actions == told.actions
        assert again.description.startswith("Newer")
        assert [action.type for action in told.actions if action.type != "change-flow-run-state"] == ["call-webhook"]
        other = {**hook, "block_document_id": str(UUID(int=2))}
        assert len(automation_of(raw, given=[other], before=told).actions) == len(told.actions)


def test_an_address_comes_from_a_file_and_a_missing_one_says_where_to_write_it(tmp_path: Path) -> None:
    file = tmp_path / "hook"
    with pytest.raises(SystemExit, match=r"cannot be read from .*hook: No such file .* Write it there"):
        read_address(file)
    file.write_text("on-call\n")
    with pytest.raises(SystemExit, match="holds no http address: write one"):
        read_address(file)
    file.write_text("https://hooks.example/1\n")
    assert read_address(file) == "https://hooks.example/1"
