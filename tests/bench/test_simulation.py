"""A few short sequences of the simulation, on a remote served over http."""

from __future__ import annotations

from pathlib import Path

from bench.simulation.running import simulate
from tests.support.served import serve


def test_what_must_hold_holds_after_every_step_of_a_sequence(tmp_path: Path) -> None:
    with serve(tmp_path, direct=True) as served:
        told = simulate(seed=20261022, sequences=5, steps=12, served=served)
    assert not told.violations, told.failure
    assert told.counted["sequences"] >= 5
