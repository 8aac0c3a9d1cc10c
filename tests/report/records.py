"""Night records for tests, with what they need and defaults for the rest."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dream.memory.records import LossRecord, NightRecord, TaskRecord
from dream.report.attempts import Attempt

NIGHT = date(2026, 10, 22)


def task(outcome: str = "changed", **fields: Any) -> TaskRecord:
    """A task's record."""
    return TaskRecord.model_validate({"outcome": outcome, **fields})


def record(
    tasks: Mapping[str, TaskRecord] | None = None,
    *,
    night: date = NIGHT,
    loss: LossRecord | None = None,
    consuming: tuple[str, ...] = (),
    **fields: Any,
) -> NightRecord:
    """The record of a night; `consuming` are the tasks whose inputs come by the day."""
    scheduled = datetime.combine(night, time(4), tzinfo=UTC)
    window = (scheduled - timedelta(days=1), scheduled)
    return NightRecord(
        night=night,
        scheduled=scheduled,
        run="0123456789abcdef",
        base="b" * 40,
        tasks=dict(tasks or {}),
        windows=dict.fromkeys(consuming, window),
        loss=loss or LossRecord(),
        **fields,
    )


def spend(role: str = "dreamer", model: str = "openai/large", **fields: Any) -> dict[str, Any]:
    """What one role of a task took."""
    return {role: {"model": model, "questions": 1, **fields}}


def nights_before(count: int, night: date = NIGHT) -> list[date]:
    """So many nights up to `night`, oldest first."""
    return [night - timedelta(days=back) for back in reversed(range(count))]


def attempt(status: str = "landed", *, night: date = NIGHT, hour: int = 4, **fields: Any) -> Attempt:
    """How a run of a night ended."""
    return Attempt(at=datetime.combine(night, time(hour, 1), tzinfo=UTC), status=status, **fields)
