"""No night has landed for longer than a day: whatever should have run it, or whatever keeps it from landing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from dream.memory.windows import scheduled_instant
from dream.report.alarms.alarm import Alarm
from dream.report.alarms.history import History
from dream.report.attempts import Attempt

NOT_LANDED = "not-landed"

_SOUND = frozenset({"landed", "paused", "shadow"})
"""How runs end that are as they should be, whether or not they were to land."""


def landing_alarms(history: History) -> Iterator[Alarm]:
    """Yield that nothing has landed for too long, counted from when the newest landed night was due, or from its run.

    A run that was paused, or dreamt in the shadow, was to land nothing. An organisation of which nothing is known, no
    record and no run, has not begun.
    """
    runs = [(night, run) for night, some in history.attempts.items() for run in some]
    runs = [(night, run) for night, run in runs if night <= history.due and run.at <= history.now]
    sound = [(night, run.at) for night, run in runs if run.status in _SOUND]
    landed = [record.night for record in history.records if record.night <= history.due]
    sound += [(night, scheduled_instant(night)) for night in landed]
    if not sound and not runs:
        return
    last = max(at for _, at in sound) if sound else min(run.at for _, run in runs)
    if history.now - last <= timedelta(hours=history.limits.landed_hours):
        return
    newest = max((night for night, _ in sound), default=None)
    since = newest + timedelta(days=1) if newest else min(night for night, _ in runs)
    failure = _last_failure(runs, since)
    needs_a_person = failure is not None and failure.needs == "a person"
    yield Alarm(
        kind=NOT_LANDED,
        why=f"{_what(newest)}: {(failure.reason or failure.status) if failure else 'no later run is known here'}",
        since=since,
        way_out=f"dream {'doctor' if needs_a_person else 'run'} {history.organisation}",
    )


def _what(newest: date | None) -> str:
    return f"no night has landed after that of {newest.isoformat()}" if newest else "no landing of it is known here"


def _last_failure(runs: list[tuple[date, Attempt]], since: date) -> Attempt | None:
    """Return how the last run ended of the nights from `since` on, None where there was none."""
    later = [run for night, run in runs if night >= since and run.status not in _SOUND]
    return max(later, key=lambda run: run.at, default=None)
