"""A night whose clock moves while it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from flows.night import dream_night
from flows.opening import Request
from tests.support.served import serve
from tests.support.stage import NIGHT, stage_of


def test_a_clock_that_goes_back_during_a_night_takes_nothing_away_from_its_day(tmp_path: Path) -> None:
    (tmp_path / "hosted").mkdir()
    with serve(tmp_path / "hosted") as served:
        stage = stage_of(served, tmp_path)
        stage.summarise({})
        expected = stage.dream(dry_run=True, home="elsewhere").tip
        looks: Iterator[int] = iter(range(1_000))
        clock = replace(stage.clock(), now=lambda: stage.now - timedelta(days=365 * (next(looks) > 0)))
        result = asyncio.run(dream_night(stage.workplace(), Request(night=NIGHT), clock=clock))
    assert result.tip == expected
