from __future__ import annotations

import pytest

from dream.report.durations import spoken_seconds


@pytest.mark.parametrize(
    ("seconds", "spoken"),
    [
        (1, "1 seconds"),
        (90, "90 seconds"),
        (60, "1 minute"),
        (300, "5 minutes"),
        (3600, "1 hour"),
        (10_800, "3 hours"),
        (5400, "90 minutes"),
        (1000, "17 minutes"),
    ],
)
def test_seconds_as_people_say_them(seconds: float, spoken: str) -> None:
    assert spoken_seconds(seconds) == spoken
