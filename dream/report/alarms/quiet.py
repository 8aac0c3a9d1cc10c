"""Zero yield: inputs came in for a week, and nothing of them was written."""

from __future__ import annotations

from collections.abc import Iterator

from dream.memory.records import TaskRecord
from dream.report.accounts import account_of, counted, spoken, total_of
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import SPAN, History
from dream.report.alarms.reasons import HONEST


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


def _uneventful(record: TaskRecord) -> int:
    """Return how many inputs came to nothing as they should: they held nothing, nothing new, or people decided."""
    return sum(count for reason, count in record.not_written.items() if reason in HONEST)
