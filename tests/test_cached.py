from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from dream.cached import cached_property


class Night:
    def __init__(self, both: Barrier | None = None) -> None:
        self.both = both
        self.computed = 0

    @cached_property
    def judge(self) -> str:
        """Who judges."""
        self.computed += 1
        if self.both:
            self.both.wait(timeout=30)  # breaks where one night waits for the other
        return "fit"


def test_two_nights_of_one_process_compute_theirs_at_the_same_time() -> None:
    both = Barrier(2)
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(lambda night: night.judge, [Night(both), Night(both)])) == ["fit", "fit"]


def test_a_value_is_computed_once_for_each_instance() -> None:
    night, other = Night(), Night()
    assert (night.judge, night.judge, night.computed, other.computed) == ("fit", "fit", 1, 0)
    assert Night.judge.__doc__ == "Who judges."
