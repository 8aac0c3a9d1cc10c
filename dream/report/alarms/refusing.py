"""Rules that let hardly anything pass: one that refuses nearly all, and a loss budget that is short every night."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dream.memory.records import NightRecord, TaskRecord
from dream.report.accounts import many, spoken
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History
from dream.report.alarms.reasons import DEFERRED, HONEST

_PROPOSED = re.compile(r"[a-z ]{1,40}: [0-9]+ (?:statement|candidate)s? proposed: (.*)", re.DOTALL)
_END = re.compile(r"([0-9]{1,9}) ([a-z-]{1,60})")
_TOLD_ELSEWHERE = "judge-un"
"""How the ends begin of what no judge ruled on: it was unfit, or gave no answer."""


def cap_alarms(history: History) -> Iterator[Alarm]:
    """Yield that the loss budget held something back in each of the last nights."""
    nights = history.every_night()
    held = [Counter(_deferred(record)) for record in nights]
    if not held or not all(held):
        return
    reasons = ", ".join(sorted({reason for one in held for reason in one}))
    newest = many(held[-1].total(), "operation")
    yield Alarm(
        kind="loss-cap",
        why=f"the loss budget held something back in {len(nights)} nights in a row, {newest} in the last ({reasons})",
        since=nights[0].night,
        way_out=history.report(nights[-1].night),
    )


def rule_alarms(history: History) -> Iterator[Alarm]:
    """Yield the tasks of which one rule refused nearly all that was proposed, over the last nights and in the newest.

    Operations count once however often they are proposed; statements before they are operations count apart, as their
    own gates rule on them. What is known already or was taken back by people is refused as it should be.
    """
    nights = history.lately()
    for task in nights[-1].tasks if nights else ():
        for noun, proposed in (("operation", _operations(nights, task)), ("statement", _statements(nights, task))):
            total = sum((ends for _, ends in proposed), Counter[str]())
            reason = _refuses_all(total, history) if total.total() >= history.limits.refused_least else ""
            if not reason or _refuses_all(proposed[-1][1], history) != reason:
                continue
            record = next(record for record, ends in proposed if ends[reason])
            yield Alarm(
                kind="one-rule",
                why=f"{spoken(task)}: {reason} refused {total[reason]} of {many(total.total(), noun)}",
                since=record.night,
                way_out=history.report(proposed[-1][0].night),
                task=task,
            )


def _refuses_all(ends: Counter[str], history: History) -> str:
    """Return the one rule that refused nearly all of what ended so, or nothing."""
    for reason, count in ends.most_common(1):
        is_sound = not reason or reason in HONEST or reason.startswith((DEFERRED, _TOLD_ELSEWHERE))
        if not is_sound and 100 * count >= history.limits.refused_percent * ends.total():
            return reason
    return ""


def _operations(nights: Sequence[NightRecord], task: str) -> list[tuple[NightRecord, Counter[str]]]:
    """Return the nights that proposed operations, each with how those ended that no night before it had; "" landed."""
    seen: set[tuple[str, str, str]] = set()
    found = []
    for record in nights:
        one = record.tasks.get(task)
        left = {(left.input, left.operation, left.reason) for left in one.left_out if left.operation} if one else set()
        ends = Counter(reason for _, _, reason in left - seen)
        seen |= left
        ends[""] = sum(effect.task == task for effect in record.effects)
        if ends.total():
            found.append((record, ends))
    return found


def _statements(nights: Sequence[NightRecord], task: str) -> list[tuple[NightRecord, Counter[str]]]:
    """Return the nights that proposed statements, each with how these ended as its findings tell."""
    found = []
    for record in nights:
        ends = _ends(record.tasks[task]) if task in record.tasks else Counter[str]()
        if ends.total():
            found.append((record, ends))
    return found


def _ends(task: TaskRecord) -> Counter[str]:
    ends = Counter[str]()
    for finding in task.findings:
        match = _PROPOSED.fullmatch(finding)
        for part in match[1].split(", ") if match else ():
            if end := _END.fullmatch(part):
                ends[end[2]] += int(end[1])
    for passed in ("admitted", "approved"):
        ends[""] += ends.pop(passed, 0)
    return ends


def _deferred(record: NightRecord) -> Iterator[str]:
    for task in record.tasks.values():
        for reason, count in task.refusals.items():
            if reason.startswith(DEFERRED):
                yield from [reason] * min(max(count, 0), 10_000)
