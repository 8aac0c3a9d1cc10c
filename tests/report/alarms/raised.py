"""The alarms of an organisation whose nights have these records, as of its newest night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime

from dream.memory.records import NightRecord
from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.limits import AlarmLimits
from dream.report.alarms.raising import alarms_of
from dream.report.attempts import Attempt
from tests.report.records import NIGHT

LIMITS = AlarmLimits()


def raised(
    records: Sequence[NightRecord],
    attempts: Mapping[date, Sequence[Attempt]] | None = None,
    *,
    limits: AlarmLimits = LIMITS,
    now: datetime | None = None,
) -> tuple[Alarm, ...]:
    """Return the alarms at `now`, by default as its newest night falls due."""
    return alarms_of("acme", records, attempts or {}, limits=limits, now=now or scheduled_instant(NIGHT))


def kinds(alarms: Sequence[Alarm]) -> list[str]:
    """Return what kinds of alarms these are."""
    return [alarm.kind for alarm in alarms]
