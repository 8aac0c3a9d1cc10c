"""Spend off its trend: the newest night took many times what nights like it took before."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from dream.memory.records import NightRecord
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History
from dream.report.spend import night_spend


def spend_alarms(history: History) -> Iterator[Alarm]:
    """Yield that the newest night took many times the tokens of the nights before it, and each input that many times.

    So a day with many more sessions is no alarm. Nights that asked no model tell nothing of what they would have taken,
    and too few before it tell no trend.
    """
    nights = [record for record in history.lately() if _tokens(record) > 0]
    if not nights or nights[-1] is not history.lately()[-1] or len(nights) < _FEWEST:
        return
    *before, newest = nights
    usual = median(map(_tokens, before))
    tokens = _tokens(newest)
    times = history.limits.spend_times
    if tokens < max(history.limits.spend_tokens, times * usual):
        return
    if _per_input(newest) < times * median(map(_per_input, before)):
        return
    yield Alarm(
        kind="spend",
        why=f"the night took {tokens:,} tokens, {tokens / usual:.1f} times the {usual:,.0f} that nights took before",
        since=newest.night,
        way_out=history.report(newest.night),
    )


_FEWEST = 4
"""Nights with spend, the newest among them, below which there is no trend."""


def _tokens(record: NightRecord) -> int:
    return night_spend(record).tokens


def _per_input(record: NightRecord) -> float:
    """Return the tokens for each input of the tasks that asked a model."""
    inputs = sum(task.inputs for task in record.tasks.values() if any(one.calls for one in task.spend.values()))
    return _tokens(record) / max(inputs, 1)
