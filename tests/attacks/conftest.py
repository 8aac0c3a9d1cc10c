"""A served remote and an organisation on it, for every attack that is the story of a night."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.observer import watch_tips
from tests.support.served import Served
from tests.support.stage import Stage, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    watch_tips(made.hosted)
    return made
