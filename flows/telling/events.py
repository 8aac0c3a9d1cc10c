"""How a night ended, as events of Prefect that automations can act on: names, counts and next steps, never a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from dream.night.result import NightResult
from dream.report.alarms.alarm import Alarm
from flows.telling.figures import Figures

LANDED = "dream.night.landed"
FAILED = "dream.night.failed"
DEGRADED = "dream.night.degraded"
PAUSED = "dream.night.paused"
SHADOW = "dream.night.shadow"

HELD = frozenset({"paused", "shadow"})
"""How nights end that people keep from landing."""

ALARMED = frozenset({"landed", "shadow", "not-landed"})
"""How nights end after which alarms are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightEvent:
    """Something that happened to an organisation's night; `payload` holds names, counts and next steps alone."""

    name: str
    organisation: str
    night: date
    payload: Mapping[str, Any] = field(default_factory=dict)

    @property
    def resource(self) -> dict[str, str]:
        """The organisation, by which automations tell events apart."""
        return {
            "prefect.resource.id": f"dream.organisation.{self.organisation}",
            "prefect.resource.name": self.organisation,
            "dream.night": self.night.isoformat(),
        }

    @property
    def related(self) -> list[dict[str, str]]:
        """The night, which all its events have in common."""
        night = f"dream.night.{self.organisation}.{self.night.isoformat()}"
        return [{"prefect.resource.id": night, "prefect.resource.role": "night"}]


def night_events(
    result: NightResult, *, figures: Figures, alarms: Sequence[Alarm] = (), reason: str = "", way_out: str = ""
) -> tuple[NightEvent, ...]:
    """Return what is to be told of a run; nothing of a dry one, nor of one that found nothing to do.

    `reason` and `way_out` are why it failed or is paused, in words that may be shown to everybody.
    """
    if result.status == "dry-run":
        return ()
    told = {
        "organisation": result.organisation,
        "night": result.night.isoformat(),
        "status": result.status,
        "exit": result.exit_code,
        "reason": reason or why_of(result),
        "way_out": way_out or next_step(result),
        "failed": list(result.failed),
        **figures,
    }
    names = [name for name, holds in _happened(result).items() if holds]
    events = [_event(name, result, told) for name in names]
    if alarms and result.status in ALARMED:
        events.append(_event(DEGRADED, result, {**told, **_degraded(result, alarms)}))
    return tuple(events)


def _happened(result: NightResult) -> dict[str, bool]:
    return {
        LANDED: result.status == "landed",
        FAILED: bool(result.exit_code),
        PAUSED: result.status == "paused",
        SHADOW: result.status == "shadow",
    }


def _event(name: str, result: NightResult, payload: Mapping[str, Any]) -> NightEvent:
    return NightEvent(name=name, organisation=result.organisation, night=result.night, payload=payload)


def _degraded(result: NightResult, alarms: Sequence[Alarm]) -> dict[str, Any]:
    """Return the alarms, the first of them on top; their reasons are in the report and in `dream status`."""
    return {
        "reason": ", ".join(sorted({alarm.kind for alarm in alarms})),
        "since": min(alarm.since for alarm in alarms).isoformat(),
        "way_out": f"dream status {result.organisation}",
        "alarms": [
            {"kind": alarm.kind, "since": alarm.since.isoformat(), "task": alarm.task, "way_out": alarm.way_out}
            for alarm in alarms
        ],
    }


def why_of(result: NightResult) -> str:
    """Return why a night failed or landed nowhere; what a pause says was written for whoever is on call."""
    if result.failed:
        return f"failed: {', '.join(result.failed)}"
    return result.reason if result.status in HELD else ""


def next_step(result: NightResult) -> str:
    """Return the command to go on with after a night."""
    if result.status in HELD and result.way_out:
        return result.way_out
    night = f"{result.organisation} --night {result.night.isoformat()}"
    if result.failed:
        return f"dream report {night}; dream run {night} tries the failed tasks again"
    return f"dream status {result.organisation}" if result.exit_code else f"dream report {night}"
