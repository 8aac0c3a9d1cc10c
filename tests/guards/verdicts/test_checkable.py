"""What is no statement about now, or too long to be shown, is not for a verdict."""

from __future__ import annotations

import time

import pytest

from dream.guards.verdicts.checkable import LONGEST, objection_to_entry
from dream.guards.verdicts.questions import _PICKS
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import target


def test_an_entry_longer_than_a_model_is_shown_is_not_checkable() -> None:
    fits = f"- orders-api runs 5 replicas {'x' * (LONGEST - 30)}"
    assert objection_to_entry(target(f"# orders-api\n\n{fits}\n")) is None
    assert objection_to_entry(target(f"# orders-api\n\n{fits}{'x' * 30}\n")) == Refusal(
        "not-checkable", "it is longer than 2000 characters"
    )


@pytest.mark.parametrize("filler", ["a", "\n", " ", ".", "-a", "`", "[", "/_", "a_", "\t|"])
def test_t14_what_is_made_to_be_slow_is_told_at_once(filler: str) -> None:
    entry = target(f"# orders-api\n\n- orders-api runs 5 replicas {(filler * 250_000)[:250_000]}\n")
    began = time.process_time()
    objection_to_entry(entry)
    _PICKS.search(filler * 20_000)
    assert time.process_time() - began < 2
