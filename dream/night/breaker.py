"""The breaker: a task that people keep taking back is paused by itself, until a person lets it go on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from dream.memory.records import HELD, NightRecord
from dream.memory.state import Tombstone

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerLimits:
    """How often is too often: `reverts` of the last `nights` with effects, a night counting from `share` of them on."""

    reverts: int = 2
    nights: int = 7
    share: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A task that the breaker pauses, and the nights whose being taken back tells why, oldest first."""

    task: str
    nights: tuple[date, ...]

    @property
    def why(self) -> str:
        """Why, as the reason of the skipped task."""
        nights = " and ".join(filter(None, (", ".join(map(str, self.nights[:-1])), str(self.nights[-1]))))
        return f"{HELD}what it did in the nights of {nights} was taken back"

    def way_out(self, organisation: str) -> str:
        """Return the command that lets it go on."""
        return f"dream resume {organisation} --task {self.task}"


def held_tasks(
    records: Sequence[NightRecord],
    tombstones: Collection[Tombstone],
    *,
    forgiven: Mapping[str, date],
    limits: BreakerLimits,
) -> dict[str, Held]:
    """Return the tasks that the next night is to leave out, by name.

    An effect is taken back where its record (`records`, oldest first) says so, as after `dream revert`, or one of
    `tombstones` does, as after a plain git revert or a hand's edit. Nights up to that which is `forgiven` a task do not
    count. A task that the breaker has held stays held, though what tells why is forgotten after some days.
    """
    tasks = {effect.task for record in records for effect in record.effects} | {
        name for record in records for name in record.tasks
    }
    undone = frozenset(stone.effect for stone in tombstones)
    held = {}
    for task in sorted(tasks):
        counting = [one for one in records if task not in forgiven or one.night > forgiven[task]]
        nights = _taken_back(counting, undone, task, limits) or _held_before(counting, task)
        if nights:
            held[task] = Held(task=task, nights=nights)
    return held


def _taken_back(
    records: Sequence[NightRecord], undone: Collection[str], task: str, limits: BreakerLimits
) -> tuple[date, ...]:
    """Return the nights of `records` that count against `task`, or none where they are too few."""
    shares = [(record.night, _share_undone(record, undone, task)) for record in records]
    lately = [(night, share) for night, share in shares if share is not None][-limits.nights :]
    nights = tuple(night for night, share in lately if share and share >= limits.share)
    return nights if len(nights) >= limits.reverts else ()


def _share_undone(record: NightRecord, undone: Collection[str], task: str) -> float | None:
    """Return how much of what `task` did was taken back; None where it did nothing."""
    counts = Counter(one.reverted or one.id in undone for one in record.effects if one.task == task)
    return counts[True] / counts.total() if counts else None


def _held_before(records: Sequence[NightRecord], task: str) -> tuple[date, ...]:
    """Return why the newest of `records` that knows the task says that it was held; nothing where it was not."""
    newest = next((one for one in reversed(records) if task in one.tasks), None)
    if newest is None or newest.tasks[task].outcome != "skipped" or not newest.tasks[task].reason.startswith(HELD):
        return ()
    nights = []
    for found in _DATE.findall(newest.tasks[task].reason.partition(";")[0]):  # an organisation's name may hold a date
        with suppress(ValueError):
            nights.append(date.fromisoformat(found))
    return tuple(nights) or (newest.night,)
