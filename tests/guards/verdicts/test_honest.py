"""Honest verdicts pass: a rule that refuses everything would be worthless."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.checkable import keeps_a_record
from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.rulings import Correction
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite
from tests.guards.verdicts.honest import honest_cases
from tests.guards.verdicts.later import later_cases
from tests.guards.verdicts.unseen import unseen_cases


def test_at_least_four_of_five_honest_corrections_pass_and_say_what_was_proposed() -> None:
    cases = honest_cases()
    rulings = [(case, check_correction(case.target, case.statement, cite(case.line), (case.output,))) for case in cases]
    passed = [(case, ruling) for case, ruling in rulings if isinstance(ruling, Correction)]
    assert len(cases) >= 60
    assert len(passed) >= 0.8 * len(cases)
    assert [ruling.new_statement for _, ruling in passed] == [case.statement for case, _ in passed]


def test_what_an_honest_verdict_corrects_is_not_confirmed() -> None:
    rulings = [check_true(case.target, cite(case.line), (case.output,)) for case in honest_cases()]
    assert all(isinstance(ruling, Refusal) for ruling in rulings)


def test_of_the_corrections_in_words_that_no_rule_was_made_for_four_of_five_pass_and_none_says_more() -> None:
    cases = unseen_cases()
    rulings = [(case, check_correction(case.target, case.statement, cite(case.line), (case.output,))) for case in cases]
    passed = [(case, ruling) for case, ruling in rulings if isinstance(ruling, Correction)]
    assert len(cases) >= 80
    assert len(passed) >= 0.8 * len(cases)
    assert [ruling.new_statement for _, ruling in passed] == [case.statement for case, _ in passed]


def test_of_the_corrections_written_when_the_rules_were_done_six_of_ten_pass_and_none_says_more() -> None:
    cases = later_cases()
    rulings = [(case, check_correction(case.target, case.statement, cite(case.line), (case.output,))) for case in cases]
    passed = [(case, ruling) for case, ruling in rulings if isinstance(ruling, Correction)]
    assert len(cases) == 40
    assert len(passed) >= 0.6 * len(cases)
    assert [ruling.new_statement for _, ruling in passed] == [case.statement for case, _ in passed]


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("services/session-cache.md", False),
        ("queues/release-events.md", False),
        ("services/orders-incidents.md", True),
        ("services/incident.md", True),
        ("incidents/orders-api.md", True),
        ("services/history/orders-api.md", True),
        ("notes/session-cache.md", True),
        ("services/orders-2026-01.md", True),
    ],
)
def test_a_thing_may_be_called_like_a_record(path: str, *, kept: bool) -> None:
    assert keeps_a_record(path) == kept
