"""What Prefect shows of a run that fails before any night begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dream.errors import DreamError, FatalError, UsageError
from flows.telling.beginning import shown_in_public

SECRET = "ghp_canary"


async def fail(error: Exception) -> str:
    raise error from ValueError(f"the answer of somebody else: {SECRET}")


def shown(error: Exception) -> tuple[str, str, object]:
    state = asyncio.run(shown_in_public(fail(error), name="acme", way_out="dream doctor acme"))
    return state.name, state.message, state.data


def test_what_is_wrong_is_said_with_the_next_step() -> None:
    known = UsageError("no organisation 'acne'", way_out="did you mean acme?")
    assert shown(known) == ("Failed", "no organisation 'acne'; did you mean acme?", known)
    silent = FatalError("the clock is wrong")
    assert shown(silent) == ("Failed", "the clock is wrong; dream doctor acme", silent)


def test_the_words_of_others_are_not_said_and_a_defect_by_where_its_report_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DREAM_HOME", str(tmp_path))
    name, message, data = shown(RuntimeError(SECRET))
    (crash,) = (tmp_path / "crashes").iterdir()
    assert (name, message) == ("Failed", f"a defect: RuntimeError; report it with {crash}")
    assert isinstance(data, FatalError)

    class OfAMemoryError(DreamError):
        pass

    _, message, _ = shown(OfAMemoryError(SECRET, way_out=f"move {SECRET} away"))
    assert message == "OfAMemoryError; its words are not told here, as they may quote a memory; dream doctor acme"


def test_what_a_run_comes_to_is_handed_on() -> None:
    async def well() -> str:
        return "landed"

    assert asyncio.run(shown_in_public(well(), name="acme", way_out="")) == "landed"
