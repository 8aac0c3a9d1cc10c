"""Spend off its trend: night after night takes many times what its inputs took before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from dream.memory.records import NightRecord, TaskRecord
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import SPAN, History
from dream.report.spend import tasks_spend

_IN_A_ROW = 2
"""One night may have had much to do; a trend is what the next one goes on with."""

_MOST = 10**12
"""No night takes more tokens; a record that says so was damaged."""


def spend_alarms(history: History) -> Iterator[Alarm]:
    """Yield that the two newest nights each took many times the tokens of the nights before them.

    What more inputs of a task account for, by what one of them took before, is to be expected, and so is what a task
    takes that asked no model before. Nights that asked none are passed over.
    """
    nights = history.lately(SPAN * history.limits.nights)
    if not nights or not _tokens(nights[-1]):
        return
    asked = [record for record in nights if _tokens(record)][-history.limits.nights :]
    before, newest = asked[:-_IN_A_ROW], asked[-_IN_A_ROW:]
    if not before or len(asked) < history.limits.nights or not all(_is_off(one, before, history) for one in newest):
        return
    usual = median(map(_tokens, before))
    tokens = _tokens(newest[-1])
    yield Alarm(
        kind="spend",
        why=f"{len(newest)} nights in a row took many times what nights took before, "
        f"the last {tokens:,} tokens in place of {usual:,.0f}",
        since=newest[0].night,
        way_out=history.report(newest[-1].night),
    )


def _is_off(night: NightRecord, before: Sequence[NightRecord], history: History) -> bool:
    usual = max(median(map(_tokens, before)), _expected(night, before))
    return _tokens(night) >= max(history.limits.spend_tokens, history.limits.spend_times * usual)


def _expected(night: NightRecord, before: Sequence[NightRecord]) -> float:
    """Return what the inputs of `night` would have taken in the nights before it, task by task."""
    expected = 0.0
    for name, task in night.tasks.items():
        told = [one.tasks[name] for one in before if name in one.tasks and _taken(one.tasks[name])]
        rates = [_taken(one) / max(one.inputs, 1) for one in told]
        expected += min(max(task.inputs, 1), _MOST) * median(rates) if rates else _taken(task)
    return expected


def _tokens(record: NightRecord) -> int:
    return sum(map(_taken, record.tasks.values()))


def _taken(task: TaskRecord) -> int:
    return min(max(tasks_spend([task]).tokens, 0), _MOST)
