"""Alarms of nights on a real memory: what the record tells, and where people are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dream.memory.outcomes import Item, Plan
from dream.memory.records import Figures
from flows.binding import ordered_steps
from flows.commands.reading import tell_report, tell_status
from tests.support.commands import configure
from tests.support.served import Served
from tests.support.stage import Stage, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    return stage_of(served, tmp_path, extra={"limits": {"alarms": {"nights": 2}}})


def withholding(told: Any, names: Sequence[str]) -> Sequence[Any]:
    """The steps of a night whose day holds a conversation of which nothing may be told."""
    item = Item(id=f"thread_{told.night:%d}", digest="d", reason="secret")
    return [
        replace(step, propose=lambda tree: Plan(items=(item,))) if step.name == "daily_note" else step  # noqa: ARG005
        for step in ordered_steps(told, names)
    ]


def told_now(stage: Stage) -> tuple[str, list[dict[str, Any]]]:
    """Return the status word of the organisation, and its alarms."""
    document = tell_status(configure(stage), "acme", clock=stage.clock()).document["organisations"][0]
    return document["status"], document["degraded"]


def test_a_record_tells_how_much_the_memory_holds_and_what_of_it_was_never_checked(stage: Stage) -> None:
    stage.dream()
    assert stage.record().figures == Figures(
        notes=3, statements=4, unchecked=0, unverified=len(stage.state().unverified)
    )


def test_nights_that_come_to_nothing_are_degraded_in_status_and_report_until_one_comes_to_something(
    stage: Stage,
) -> None:
    stage.dream(steps=withholding)
    assert told_now(stage) == ("sound", [])
    stage.next_night(steps=withholding)
    alarm = {
        "kind": "zero-yield",
        "why": "daily note: 2 nights with input and nothing written (2 secret)",
        "since": "2026-10-22",
        "way_out": "dream report acme --night 2026-10-23",
        "task": "daily_note",
    }
    assert told_now(stage) == ("degraded", [alarm])
    answer = tell_report(configure(stage), "acme", night=None, clock=stage.clock())
    assert answer.document["degraded"] == [alarm]
    assert (
        "- Needs a person\n- **Degraded** since 2026-10-22: daily note: 2 nights with input and nothing written "
        "(2 secret): `dream report acme --night 2026-10-23`"
    ) in answer.text
    stage.summarise({"started": "2026-10-23T10:00:00Z", "ended": "2026-10-23T10:30:00Z"})
    stage.next_night()
    assert told_now(stage) == ("sound", [])
