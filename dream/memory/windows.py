"""Which night it is, and which days it looks at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SCHEDULED_HOUR = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A stretch of finished local days: from `start` up to `end` (both UTC), and those days' dates."""

    start: datetime
    end: datetime
    days: tuple[date, ...]


def scheduled_instant(night: date, *, hour: int = SCHEDULED_HOUR) -> datetime:
    """Return the instant at which `night` is due."""
    return datetime.combine(night, time(hour), tzinfo=UTC)


def current_night(now: datetime, *, hour: int = SCHEDULED_HOUR) -> date:
    """Return the newest night that is due at `now`."""
    return (now.astimezone(UTC) - timedelta(hours=hour)).date()


def local_midnight(day: date, timezone: ZoneInfo) -> datetime:
    """Return the instant (UTC) at which `day` begins in `timezone`."""
    return datetime.combine(day, time(), tzinfo=timezone).astimezone(UTC)


def window_end(scheduled: datetime, timezone: ZoneInfo) -> datetime:
    """Return the last local midnight that is not after `scheduled`."""
    today = scheduled.astimezone(timezone).date()
    midnight = local_midnight(today, timezone)
    return midnight if midnight <= scheduled else local_midnight(today - timedelta(days=1), timezone)


def window_since(start: datetime, end: datetime, timezone: ZoneInfo) -> Window:
    """Return the window of the local days that are over at `end`, from the one that holds `start` on."""
    first = start.astimezone(timezone).date()
    last = end.astimezone(timezone).date()
    days = tuple(first + timedelta(days=number) for number in range((last - first).days))
    return Window(start=min(local_midnight(first, timezone), end), end=end, days=days)


def night_window(
    *, scheduled: datetime, timezone: ZoneInfo, covered: datetime | None, began: datetime | None, look_back: timedelta
) -> Window:
    """Return what a task looks at: everything not yet `covered`, and `look_back` for what arrived late.

    A first night (`covered` is None) covers one day; nothing before `began`, the start of the first night's window, is
    ever looked at.
    """
    end = window_end(scheduled, timezone)
    if covered is None:
        yesterday = end.astimezone(timezone).date() - timedelta(days=1)
        return window_since(began or local_midnight(yesterday, timezone), end, timezone)
    start = min(covered, end - look_back)
    return window_since(max(start, began) if began else start, end, timezone)
