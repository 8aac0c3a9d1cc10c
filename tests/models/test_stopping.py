from __future__ import annotations

import pytest

from dream.models.port import CONSEQUENCES, Consequence, Reason, Unanswered
from dream.models.stopping import Switch

REFUSED = Unanswered(reason=Reason.UNAUTHORISED, detail="the key was revoked")


@pytest.mark.parametrize("reason", list(Reason))
def test_a_reason_closes_the_switch_exactly_if_the_night_must_stop_for_it(reason: Reason) -> None:
    switch = Switch()
    switch.heed(Unanswered(reason=reason))
    expected = CONSEQUENCES[reason] is Consequence.STOP and reason not in {Reason.NO_MODEL, Reason.STOPPED}
    assert (switch.refusal() is not None) == expected


def test_what_closed_it_first_is_remembered_and_told_to_everybody_without_its_detail() -> None:
    switch = Switch()
    switch.heed(REFUSED)
    switch.heed(Unanswered(reason=Reason.QUOTA))
    assert switch.closed_by == REFUSED
    assert switch.refusal() == Unanswered(reason=Reason.STOPPED, detail="this night asks no more: unauthorised")


def test_the_check_runs_once_before_the_first_question_and_not_before_there_is_one() -> None:
    checks: list[str] = []

    def check() -> Unanswered | None:
        checks.append("checked")
        return REFUSED

    switch = Switch(check)
    assert switch.closed_by is None
    assert checks == []
    assert switch.refusal() is not None
    assert switch.refusal() is not None
    assert checks == ["checked"]


def test_a_check_that_fails_for_the_moment_alone_stops_nothing() -> None:
    assert Switch(lambda: Unanswered(reason=Reason.OUTAGE)).refusal() is None
