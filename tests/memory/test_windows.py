"""Which night it is, and which finished local days it looks at."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dream.memory.windows import current_night, night_window, scheduled_instant, window_end

UTC_ZONE = ZoneInfo("UTC")
NIGHT = date(2026, 10, 22)
SCHEDULED = datetime(2026, 10, 22, 4, tzinfo=UTC)
LOOK_BACK = timedelta(days=14)


def test_the_night_is_due_at_four_utc() -> None:
    assert scheduled_instant(NIGHT) == SCHEDULED


@pytest.mark.parametrize(
    ("now", "night"),
    [
        (datetime(2026, 10, 22, 3, 59, 59, tzinfo=UTC), date(2026, 10, 21)),
        (datetime(2026, 10, 22, 4, tzinfo=UTC), NIGHT),
        (datetime(2026, 10, 22, 23, 59, tzinfo=UTC), NIGHT),
    ],
)
def test_the_current_night_is_the_newest_that_is_due(now: datetime, night: date) -> None:
    assert current_night(now) == night


@pytest.mark.parametrize(
    ("zone", "end"),
    [
        ("UTC", datetime(2026, 10, 22, tzinfo=UTC)),
        ("Pacific/Kiritimati", datetime(2026, 10, 21, 10, tzinfo=UTC)),
        ("Pacific/Pago_Pago", datetime(2026, 10, 21, 11, tzinfo=UTC)),
        ("America/New_York", datetime(2026, 10, 22, 4, tzinfo=UTC)),
        ("Asia/Kolkata", datetime(2026, 10, 21, 18, 30, tzinfo=UTC)),
    ],
)
def test_the_window_ends_at_the_last_local_midnight_before_the_night_is_due(zone: str, end: datetime) -> None:
    assert window_end(SCHEDULED, ZoneInfo(zone)) == end


@pytest.mark.parametrize(
    ("scheduled", "hours"),
    [(datetime(2026, 3, 30, 4, tzinfo=UTC), 23), (datetime(2026, 10, 26, 4, tzinfo=UTC), 25)],
)
def test_a_day_with_a_clock_change_is_one_whole_local_day(scheduled: datetime, hours: int) -> None:
    window = night_window(
        scheduled=scheduled, timezone=ZoneInfo("Europe/Berlin"), covered=None, began=None, look_back=LOOK_BACK
    )
    assert window.end - window.start == timedelta(hours=hours)
    assert window.days == (scheduled.date() - timedelta(days=1),)


def test_a_first_night_covers_one_day() -> None:
    window = night_window(scheduled=SCHEDULED, timezone=UTC_ZONE, covered=None, began=None, look_back=LOOK_BACK)
    assert window.days == (date(2026, 10, 21),)


def test_the_window_is_the_same_at_whatever_hour_the_night_runs() -> None:
    covered = datetime(2026, 10, 21, tzinfo=UTC)
    window = night_window(scheduled=SCHEDULED, timezone=UTC_ZONE, covered=covered, began=covered, look_back=LOOK_BACK)
    assert window.days == (date(2026, 10, 21),)


def test_missed_nights_are_caught_up_however_many() -> None:
    covered = datetime(2026, 9, 20, tzinfo=UTC)
    began = datetime(2026, 9, 1, tzinfo=UTC)
    window = night_window(scheduled=SCHEDULED, timezone=UTC_ZONE, covered=covered, began=began, look_back=LOOK_BACK)
    assert (window.days[0], window.days[-1], len(window.days)) == (date(2026, 9, 20), date(2026, 10, 21), 32)


def test_days_before_the_first_night_are_never_looked_at() -> None:
    began = datetime(2026, 10, 19, tzinfo=UTC)
    covered = datetime(2026, 10, 21, tzinfo=UTC)
    window = night_window(scheduled=SCHEDULED, timezone=UTC_ZONE, covered=covered, began=began, look_back=LOOK_BACK)
    assert window.days == (date(2026, 10, 19), date(2026, 10, 20), date(2026, 10, 21))


def test_a_leap_day_is_a_day() -> None:
    window = night_window(
        scheduled=datetime(2028, 3, 1, 4, tzinfo=UTC), timezone=UTC_ZONE, covered=None, began=None, look_back=LOOK_BACK
    )
    assert window.days == (date(2028, 2, 29),)
