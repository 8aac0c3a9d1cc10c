"""Zero yield: inputs came in for a week, and nothing of them was written, or a model found nothing in any of them."""

from __future__ import annotations

from collections.abc import Iterator

from dream.memory.records import TaskRecord
from dream.report.accounts import account_of, counted, spoken, total_of
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import SPAN, History
from dream.report.alarms.reasons import HONEST, NOTHING_TO_SAY

_READING = "distil"
"""The task for which a model reads every conversation, and of which most weeks write something."""


def quiet_alarms(history: History) -> Iterator[Alarm]:
    """Yield the tasks that had input on each of the last nights that had any, and wrote nothing of it.

    Only tasks whose inputs come by the day, since a look at notes that finds nothing wrong is as it should be; nights
    without input do not count.
    """
    records = history.lately(SPAN * history.limits.nights)
    for task in records[-1].windows if records else ():
        nights = [(record.night, record.tasks[task]) for record in records if task in record.tasks]
        lately = [(night, one) for night, one in nights if one.inputs > _uneventful(one)]
        lately = lately[-history.limits.nights :]
        if len(lately) < history.limits.nights or any(one.written for _, one in lately):
            continue
        total = total_of(account_of(one) for _, one in lately)
        reasons = counted({**total.not_written, "pending": total.pending} if total.pending else total.not_written)
        yield Alarm(
            kind="zero-yield",
            why=f"{spoken(task)}: {len(lately)} nights with input and nothing written ({reasons})",
            since=lately[0][0],
            way_out=history.report(lately[-1][0]),
            task=task,
        )


def silent_alarms(history: History) -> Iterator[Alarm]:
    """Yield that the dreamer found nothing worth keeping in any of the last conversations, over weeks of them.

    One conversation, or a day of them, may be about nothing; so many in a row are a model that does not read them.
    """
    records = history.lately(SPAN * history.limits.nights)
    nights = [(record.night, record.tasks[_READING]) for record in records if _READING in record.tasks]
    heard = [(night, _heard(one), _silent(one)) for night, one in nights if _heard(one)]
    count = sum(silent for _, _, silent in heard)
    if len(heard) < history.limits.nights or count < history.limits.silent_least:
        return
    if any(silent < conversations for _, conversations, silent in heard):
        return
    yield Alarm(
        kind="found-nothing",
        why=f"{spoken(_READING)}: {len(heard)} nights, {count} conversations, and the model found nothing in any",
        since=heard[0][0],
        way_out=f"dream doctor {history.organisation}",
        task=_READING,
    )


def _heard(record: TaskRecord) -> int:
    """Return how many inputs held something, by the words of anybody but the model."""
    return record.inputs - _uneventful(record) + _silent(record)


def _silent(record: TaskRecord) -> int:
    return record.not_written.get(NOTHING_TO_SAY, 0)


def _uneventful(record: TaskRecord) -> int:
    """Return how many inputs came to nothing as they should: they held nothing, nothing new, or people decided."""
    return sum(count for reason, count in record.not_written.items() if reason in HONEST)
