"""A served remote and an organisation on it, for every public failure that is the story of a night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.observer import watch_tips
from tests.support.served import Served
from tests.support.stage import Stage, stage_of
from tests.support.town import Town, settle


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    watch_tips(made.hosted)
    return made


@pytest.fixture
def town(stage: Stage) -> Iterator[Town]:
    with settle(stage) as settled:
        yield settled
