"""When nights that end well are degraded nevertheless, in numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmLimits:
    """Every number of the alarms, as the configuration has them; each alarm looks back over `nights` nights."""

    nights: int = 7
    landed_hours: int = 26
    silent_least: int = 20
    refused_percent: int = 90
    refused_least: int = 20
    unchecked_percent: int = 20
    unchecked_least: int = 25
    grown_percent: int = 25
    grown_least: int = 50
    spend_times: float = 3
    spend_tokens: int = 20_000
