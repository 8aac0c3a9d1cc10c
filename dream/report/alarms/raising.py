"""Every alarm there is, asked in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime

from dream.memory.records import NightRecord
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.growing import growth_alarms, unchecked_alarms
from dream.report.alarms.history import History
from dream.report.alarms.judging import judge_alarms
from dream.report.alarms.landing import landing_alarms
from dream.report.alarms.limits import AlarmLimits
from dream.report.alarms.quiet import quiet_alarms, silent_alarms
from dream.report.alarms.refusing import cap_alarms, rule_alarms
from dream.report.alarms.repeating import repeating_alarms
from dream.report.alarms.spending import spend_alarms
from dream.report.attempts import Attempt

ALARMS: tuple[Callable[[History], Iterable[Alarm]], ...] = (
    landing_alarms,
    judge_alarms,
    quiet_alarms,
    silent_alarms,
    rule_alarms,
    cap_alarms,
    repeating_alarms,
    unchecked_alarms,
    growth_alarms,
    spend_alarms,
)
"""What is asked, in the order in which it is told."""


def alarms_of(
    organisation: str,
    records: Sequence[NightRecord],
    attempts: Mapping[date, Sequence[Attempt]],
    *,
    limits: AlarmLimits,
    now: datetime,
) -> tuple[Alarm, ...]:
    """Return why the nights of an organisation are degraded at `now`; empty where they are not, or cannot be told.

    Args:
        organisation: whose nights they are.
        records: what landed, oldest first; those of nights after the one that is due at `now` are not looked at.
        attempts: how this installation's runs ended, by night, oldest first.
        limits: when an alarm is raised.
        now: the instant as of which they are asked for.
    """
    known = sorted({record.night: record for record in records}.values(), key=lambda record: record.night)
    history = History(organisation=organisation, records=known, attempts=attempts, limits=limits, now=now)
    return tuple(alarm for ask in ALARMS for alarm in ask(history))
