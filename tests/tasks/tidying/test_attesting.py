from __future__ import annotations

from collections import Counter

import pytest

from dream.guards.sameness.attesting import attestation
from dream.models.port import Reason
from tasks.tidying.attesting import attest, packaged_controls
from tests.tasks.tidying.judges import EquivalenceJudge, attester

ONE = ("The timeout of orders-api is 30 s.", "orders-api cuts a stalled caller loose after 30 s.")
TWO = ("Sessions of cart-store rest in memory.", "Sessions of cart-store rest on a disk.")


def honest(one: str, other: str) -> str:
    return "supported" if {one, other} == {*ONE} else "contradicted"


def test_the_packaged_cases_are_of_both_sorts_and_each_has_an_id() -> None:
    cases = packaged_controls()
    assert len({case.id for case in cases}) == len(cases)
    counts = Counter(case.same for case in cases)
    assert counts[True] >= 8
    assert counts[False] >= 2 * counts[True]


def test_a_fit_judge_attests_what_follows_both_ways_for_either_that_stays() -> None:
    judge = EquivalenceJudge(says=honest)
    found = attest([ONE, TWO], attester(judge))
    name = "scripted/judge"
    assert found.lines == {
        ONE: attestation(*ONE, judge=name),
        (ONE[1], ONE[0]): attestation(ONE[1], ONE[0], judge=name),
    }
    assert (found.silent, found.unfit, found.distrusted) == (set(), "", 0)


def test_what_follows_one_way_alone_is_not_attested() -> None:
    judge = EquivalenceJudge(says=lambda one, _: "supported" if one == ONE[0] else "unsure")
    assert attest([ONE], attester(judge)).lines == {}


def test_a_judge_that_says_yes_to_everything_fails_and_is_asked_about_nothing_else() -> None:
    judge, examined = EquivalenceJudge(is_honest=False), dict[str, str]()
    found = attest([ONE, TWO], attester(judge, examined=examined))
    assert found.lines == {}
    assert found.silent == {ONE, TWO}
    assert found.unfit.startswith("the judge scripted/judge may not say which statements are one: it took ")
    assert not any(ONE[0] in str(prompt.parts) for prompt in judge.asked)
    asked = len(judge.asked)
    assert attest([ONE], attester(judge, examined=examined)).unfit == found.unfit
    assert len(judge.asked) == asked


def test_a_judge_that_says_no_to_everything_fails_too() -> None:
    judge = EquivalenceJudge(says=lambda _one, _other: "unsure", is_honest=False)
    assert "it knew 0 of 8 pairs" in attest([ONE], attester(judge)).unfit


def test_a_judge_that_was_found_unfit_for_anything_tonight_attests_nothing() -> None:
    judge = EquivalenceJudge(says=honest)
    found = attest([ONE], attester(judge, examined={"scripted/judge": "it did not pass its examination"}))
    assert (found.lines, found.unfit, judge.asked) == ({}, "it did not pass its examination", [])


def test_a_judge_that_turns_careless_after_its_examination_is_found_out_by_what_is_put_in() -> None:
    examined = dict[str, str]()
    assert attest([ONE], attester(EquivalenceJudge(says=honest), examined=examined)).lines
    careless = EquivalenceJudge(is_honest=False)
    found = attest([ONE, TWO], attester(careless, examined=examined))
    assert (found.lines, found.distrusted) == ({}, 1)


@pytest.mark.parametrize("reason", [Reason.OUTAGE, Reason.RATE_LIMITED])
def test_a_silent_judge_leaves_the_pairs_for_another_night(reason: Reason) -> None:
    judge = EquivalenceJudge(says=honest, fails=[reason] * 20)
    found = attest([ONE], attester(judge))
    assert (found.lines, found.silent) == ({}, {ONE})
    assert "could not be examined" in found.unfit


def test_a_question_that_is_not_answered_is_asked_in_halves() -> None:
    examined = {"scripted/judge of statements in other words": ""}
    judge = EquivalenceJudge(says=honest, fails=[Reason.TRUNCATED])
    assert ONE in attest([ONE, TWO], attester(judge, examined=examined)).lines
    assert len(judge.asked) == 3


def test_nothing_to_attest_asks_nothing() -> None:
    judge = EquivalenceJudge()
    assert attest([], attester(judge)).lines == {}
    assert judge.asked == []
