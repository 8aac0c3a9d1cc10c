"""A35, B22, B52: nights that ask models, started over and over, killed on the way, or answered by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.models.port import Reason, Unanswered
from flows.spending import read_spent
from tests.flows.test_dreaming import ask, night
from tests.support.answering import MODELS, Vendor, asking
from tests.support.observer import KilledError, killed_at
from tests.support.stage import NIGHT, Stage

QUESTIONS = ("refunds stop at five hundred euros", "carts are emptied after a week")


@pytest.fixture
def dreaming(stage: Stage) -> Stage:
    stage.extra = {"models": MODELS}
    return stage


def test_b22_a_night_that_is_started_ninety_four_times_spends_no_more_than_one(tmp_path: Path) -> None:
    vendor = Vendor()
    for run in range(94):
        models = night(tmp_path, vendor, limits={"spend": {"calls": 20}})
        ask(models, f"another question of run {run}", f"and one more of run {run}")
    assert len(vendor.asked) + len(vendor.checked) == 20
    assert read_spent(tmp_path / "acme", NIGHT).calls == 20


def test_b22_a_second_trigger_for_a_night_that_has_landed_asks_nothing(dreaming: Stage) -> None:
    dreaming.dream(models=Vendor().models, steps=asking("daily_note", QUESTIONS))
    again = Vendor()
    assert dreaming.dream(models=again.models, steps=asking("daily_note", QUESTIONS)).status == "nothing-to-do"
    assert (again.asked, again.checked) == ([], [])


def test_b22_a_night_that_was_killed_after_its_questions_pays_for_none_of_them_again(dreaming: Stage) -> None:
    first, second = Vendor(), Vendor()
    with pytest.raises(KilledError):
        dreaming.dream(models=first.models, steps=asking("daily_note", QUESTIONS), call=killed_at("tidy"))
    result = dreaming.dream(models=second.models, steps=asking("daily_note", QUESTIONS))
    assert (first.asked, second.asked, result.exit_code) == (list(QUESTIONS), [], 0)
    assert dreaming.record().tasks["daily_note"].spend["dreamer"].calls == 2


@pytest.mark.parametrize("reason", [Reason.RATE_LIMITED, Reason.OUTAGE, Reason.INVALID, Reason.TRUNCATED])
def test_b52_what_nobody_answered_is_asked_again_the_next_night(dreaming: Stage, reason: Reason) -> None:
    silent = Vendor(says=lambda _: Unanswered(reason=reason))
    dreaming.dream(models=silent.models, steps=asking("daily_note", QUESTIONS))
    assert dreaming.record().tasks["daily_note"].pending == 2
    assert dreaming.record().tasks["daily_note"].done == ()
    vendor = Vendor()
    dreaming.next_night(models=vendor.models, steps=asking("daily_note", QUESTIONS))
    assert vendor.asked == list(QUESTIONS)


def test_a35_two_organisations_at_one_store_never_read_each_others_answers(tmp_path: Path) -> None:
    kept = {"store": str(tmp_path / "kept")}
    vendor = Vendor()
    for name in ("acme", "other", "acme"):
        ask(night(tmp_path / "home", vendor, organisation=name, **kept), "what is the passphrase?")
    assert vendor.asked == ["what is the passphrase?"] * 2
