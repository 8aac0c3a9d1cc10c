"""The same output again: what a task wrote or took away in one night, it writes or takes away in the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from dream.memory.entries import EntryStyle, leading_date, read_entry
from dream.memory.records import Change, Effect
from dream.report.accounts import many, spoken
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History

_Line = tuple[str, str]
"""A path and what is said there, or a path alone that was taken away."""


def repeating_alarms(history: History) -> Iterator[Alarm]:
    """Yield the tasks that changed one line, or took away one note, in each of the last nights.

    A line counts wherever it was added or removed, so that what is put back and taken out in turn is found as well;
    one that only got another date or other sources was not changed. What was reverted does not count.
    """
    nights = history.every_night()
    for task in nights[-1].tasks if nights else ():
        touched = [set(_touched(effect for effect in one.effects if effect.task == task)) for one in nights]
        again = set.intersection(*touched)
        if not again:
            continue
        paths = sorted({path for path, _ in again})
        where = paths[0] if len(paths) == 1 else f"{len(paths)} notes"
        lines, night = many(len(again), "line"), nights[-1].night.isoformat()
        yield Alarm(
            kind="same-output",
            why=f"{spoken(task)} changed the same {lines} of {where} in {len(nights)} nights in a row",
            since=nights[0].night,
            way_out=f"dream revert {history.organisation} --night {night} --task {task} --dry-run",
            task=task,
        )


def _touched(effects: Iterable[Effect]) -> Iterator[_Line]:
    for effect in effects:
        if effect.reverted:
            continue
        yield from ((path, "") for path in effect.deleted)
        for change in effect.changes:
            yield from ((change.path, line) for line in _changed(change))


def _changed(change: Change) -> Iterator[str]:
    """Yield what is said on one side of a change and not on the other."""
    added, removed = Counter(map(_said, change.added)), Counter(map(_said, change.removed))
    for said in {*added, *removed}:
        if added[said] != removed[said] and any(map(str.isalnum, said)):
            yield said


def _said(line: str) -> str:
    style = EntryStyle.DATED if leading_date(line) else EntryStyle.ITEM
    return read_entry([line], 0, 1, style).key
