"""The short version of every fault test."""

from __future__ import annotations

import pytest

from bench.faults.suite import TESTS
from bench.faults.tally import FaultTest, take

SEED = 20261022


@pytest.mark.parametrize("test", [one for one in TESTS if not one.is_long], ids=lambda test: test.id)
def test_what_must_hold_holds_after_every_fault(test: FaultTest) -> None:
    tally = take(test, seed=SEED, short=True)
    assert tally.problems == []
    assert tally.passed == tally.tries > 0
