"""The figures can be taken; what they come to is for people to read."""

from __future__ import annotations

import pytest

from bench.figures.__main__ import FIGURES


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_can_be_taken(name: str) -> None:
    rows = list(FIGURES[name](short=True))
    assert rows
    assert all(row.what and row.cold for row in rows)
