from __future__ import annotations

from datetime import date

import pytest

from dream.night.identity import run_id

TOLD = {
    "organisation": "acme",
    "night": date(2026, 10, 22),
    "base": "a" * 40,
    "configuration": "{}",
    "prompts": "0" * 64,
    "version": "0.1.0",
}


def test_the_same_run_has_the_same_id() -> None:
    assert run_id(**TOLD) == run_id(**TOLD)  # type: ignore[arg-type]
    assert len(run_id(**TOLD)) == 16  # type: ignore[arg-type]


@pytest.mark.parametrize("name", list(TOLD))
def test_whatever_decides_what_a_night_does_makes_it_another_run(name: str) -> None:
    other = date(2026, 10, 23) if name == "night" else "other"
    assert run_id(**{**TOLD, name: other}) != run_id(**TOLD)  # type: ignore[arg-type]
