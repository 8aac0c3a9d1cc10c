"""The account of a night's inputs: what came in is written, not written for a reason, or pending."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from dream.memory.records import NightRecord, TaskRecord

Task = TypeVar("Task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Where the inputs of a task, or of a whole night, ended; `refusals` counts operations, not inputs."""

    inputs: int = 0
    written: int = 0
    not_written: Mapping[str, int] = field(default_factory=dict)
    pending: int = 0
    refusals: Mapping[str, int] = field(default_factory=dict)

    @property
    def adds_up(self) -> bool:
        """Whether every input is accounted for."""
        return self.inputs == self.written + sum(self.not_written.values()) + self.pending

    def __str__(self) -> str:
        """Read `14 in = 9 written + 4 not written + 1 pending`, or say that it does not add up."""
        not_written = sum(self.not_written.values())
        sign = "=" if self.adds_up else "≠"
        account = f"{self.inputs} in {sign} {self.written} written + {not_written} not written + {self.pending} pending"
        return account if self.adds_up else f"{account}: this account does not add up"


def account_of(task: TaskRecord) -> Account:
    """Return the account that a task's record holds."""
    return Account(
        inputs=task.inputs,
        written=task.written,
        not_written=task.not_written,
        pending=task.pending,
        refusals=task.refusals,
    )


def total_of(accounts: Iterable[Account]) -> Account:
    """Return the account of all tasks together."""
    listed = list(accounts)
    return Account(
        inputs=sum(one.inputs for one in listed),
        written=sum(one.written for one in listed),
        not_written=_summed(one.not_written for one in listed),
        pending=sum(one.pending for one in listed),
        refusals=_summed(one.refusals for one in listed),
    )


def night_account(record: NightRecord) -> Account:
    """Return the account of a whole night."""
    return total_of(account_of(task) for task in record.tasks.values())


def counted(counts: Mapping[str, int]) -> str:
    """Return `3 near-duplicate, 1 secret`, most first; empty for nothing."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {name}" for name, count in ordered)


def in_order(tasks: Mapping[str, Task], order: Sequence[str]) -> dict[str, Task]:
    """Return `tasks` in the order of a night; a record has them by name."""
    places = {name: place for place, name in enumerate(order)}
    return dict(sorted(tasks.items(), key=lambda item: places.get(item[0], len(places))))


def many(count: int, noun: str) -> str:
    """Return `1 file` or `2 files`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def spoken(task: str) -> str:
    """Return a task's name as people say it."""
    return task.replace("_", " ")


def _summed(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))
