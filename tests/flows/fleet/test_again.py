from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flows.fleet.again import waits

SECONDS = st.floats(1, 100_000)


def test_pauses_grow_up_to_the_longest_and_end_when_the_time_is_used_up() -> None:
    assert waits(first=300, longest=3600, total=21_600) == (300, 600, 1200, 2400, 3600, 3600, 3600, 3600, 2700)
    assert waits(first=300, longest=60, total=120) == (60, 60)
    assert waits(first=300, longest=3600, total=0) == ()


@given(SECONDS, SECONDS, st.floats(0, 100_000))
def test_the_waits_come_to_the_time_given_and_only_the_last_is_shorter_than_one_before(
    first: float, longest: float, total: float
) -> None:
    found = waits(first=first, longest=longest, total=total)
    assert sum(found) == pytest.approx(total)
    assert all(wait <= longest for wait in found)
    assert list(found[:-1]) == sorted(found[:-1])
