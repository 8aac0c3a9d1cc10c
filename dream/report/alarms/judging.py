"""A judge that does not pass its examination: nothing that a model proposes is written."""

from __future__ import annotations

from collections.abc import Iterator

from dream.memory.records import JUDGE_UNFIT, TaskRecord
from dream.report.accounts import spoken
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History

_STOPPED = frozenset({"over-budget", "stopped"})
"""Why a question is not asked once a ceiling is reached, or after an answer that ends a night's questions."""


def judge_alarms(history: History) -> Iterator[Alarm]:
    """Yield the tasks whose judge failed its examination in the newest night.

    Such a night is no failure, and nothing that a model proposes is written until somebody names a judge that can tell
    true from false. A judge that a ceiling or a failure kept from being examined is another matter, told elsewhere.
    """
    nights = history.lately()
    for name, task in nights[-1].tasks.items() if nights else ():
        if not was_unfit(task):
            continue
        since = nights[-1].night
        for record in reversed(nights):
            if name not in record.tasks or not was_unfit(record.tasks[name]):
                break
            since = record.night
        yield Alarm(
            kind="judge-unfit",
            why=f"{spoken(name)} wrote nothing: the judge did not pass its examination",
            since=since,
            way_out=history.report(nights[-1].night),
            task=name,
        )


def was_unfit(task: TaskRecord) -> bool:
    """Whether inputs of `task` wait because its judge was examined and failed."""
    return any(left.reason == JUDGE_UNFIT for left in task.left_out) and not _went_unexamined(task)


def _went_unexamined(task: TaskRecord) -> bool:
    judge = task.spend.get("judge")
    return task.outcome == "failed" or (judge is not None and not _STOPPED.isdisjoint(judge.unanswered))
