from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources

import pytest

from dream.guards.statements.canary import CanaryCase, CanaryError, Fit, Score, Unfit, examine_judge, parse_canary
from dream.guards.statements.claims import Claim
from dream.guards.statements.entailment import check_claim
from dream.guards.statements.judging import Judge, Verdict, evidence_text
from dream.guards.statements.limits import CanaryLimits
from dream.memory.operations import Refusal
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt, Untrusted
from dream.models.scripted import ScriptedModel

DATA = resources.files("prompts").joinpath("judge/canary.json").read_bytes()
CASES = parse_canary(DATA)
FALSE_KINDS = {
    "number",
    "negation",
    "subject",
    "proposal-as-done",
    "question-as-fact",
    "withdrawn",
    "guess-as-confirmed",
    "cause-made-up",
}


class Scripted:
    """Rules as `rule` says, and counts the questions."""

    def __init__(self, rule: Callable[[CanaryCase], Refusal | None]) -> None:
        self._rule = rule
        self._cases = {case.claim.statement: case for case in CASES}
        self.asked = 0

    def rules_on(self, claim: Claim) -> Refusal | None:
        self.asked += 1
        return self._rule(self._cases[claim.statement])


def honest(case: CanaryCase) -> Refusal | None:
    return None if case.supported else Refusal("not-entailed")


def test_the_packaged_cases_are_half_true_and_cover_every_kind_of_falsehood() -> None:
    assert len(CASES) == 16
    assert sum(case.supported for case in CASES) == 8
    assert {case.kind for case in CASES if not case.supported} == FALSE_KINDS


def test_the_packaged_cases_speak_of_the_invented_organisation_alone() -> None:
    assert {case.claim.record.repository for case in CASES} == {"acme/web"}


def test_code_refuses_no_true_case() -> None:
    assert [case.id for case in CASES if case.supported and check_claim(case.claim)] == []


def test_an_honest_judge_is_fit() -> None:
    score = Score(true_supported=8, true_cases=8, false_supported=0, false_cases=8)
    assert examine_judge(Scripted(honest), CASES) == Fit(score)
    assert str(score) == "8 of 8 true, 0 of 8 false, 0 unanswered"


def test_b40_a_judge_that_always_says_yes_is_unfit() -> None:
    found = examine_judge(Scripted(lambda _case: None), CASES)
    assert found == Unfit(Score(true_supported=8, true_cases=8, false_supported=8, false_cases=8), "judge-credulous")


@pytest.mark.parametrize("kind", sorted(FALSE_KINDS))
def test_one_false_case_that_is_supported_is_one_too_many(kind: str) -> None:
    def rule(case: CanaryCase) -> Refusal | None:
        return None if not case.supported and case.kind == kind else honest(case)

    found = examine_judge(Scripted(rule), CASES)
    assert isinstance(found, Unfit)
    assert found.reason == "judge-credulous"
    assert isinstance(examine_judge(Scripted(rule), CASES, limits=CanaryLimits(allowed_false=1)), Fit)


def test_a_judge_that_always_says_no_is_unfit_too() -> None:
    found = examine_judge(Scripted(lambda _case: Refusal("judge-unsure")), CASES)
    assert found == Unfit(Score(true_supported=0, true_cases=8, false_supported=0, false_cases=8), "judge-strict")


def test_four_fifths_of_the_true_cases_are_enough() -> None:
    true_ids = [case.id for case in CASES if case.supported]

    def missing(count: int) -> Callable[[CanaryCase], Refusal | None]:
        return lambda case: Refusal("judge-unsure") if case.id in true_ids[:count] else honest(case)

    assert isinstance(examine_judge(Scripted(missing(1)), CASES), Fit)
    assert isinstance(examine_judge(Scripted(missing(2)), CASES), Unfit)
    assert isinstance(examine_judge(Scripted(missing(2)), CASES, limits=CanaryLimits(least_true=0.75)), Fit)


def ask(claim: Claim) -> Prompt:
    parts = (Untrusted(label="claim", text=claim.statement), Untrusted(label="lines", text=evidence_text(claim)))
    return Prompt(name="judge/entailment", version="0", system="Judge.", parts=parts)


@pytest.mark.parametrize(
    ("answer", "reason", "asked"),
    [
        ("certainly supported!", "judge-invalid", 3),
        (Unanswered(reason=Reason.UNAUTHORISED), "judge-unauthorised", 1),
        (Unanswered(reason=Reason.NO_MODEL), "judge-no-model", 1),
        (Unanswered(reason=Reason.OUTAGE), "judge-outage", 3),
    ],
)
def test_a_judge_that_is_silent_is_unfit_and_not_asked_for_long(
    answer: str | Unanswered, reason: str, asked: int
) -> None:
    model = ScriptedModel(lambda _prompt, _reply: answer)
    found = examine_judge(Judge(model, ask), CASES)
    assert isinstance(found, Unfit)
    assert found.reason == reason
    assert len(model.asked) == asked


def test_a_judge_that_is_silent_once_can_still_be_fit() -> None:
    answers = iter([Unanswered(reason=Reason.OUTAGE)])

    def reply(prompt: Prompt, _reply: object) -> Verdict | Unanswered:
        silence = next(answers, None)
        if silence:
            return silence
        statement = next(part.text for part in prompt.parts if isinstance(part, Untrusted))
        supported = next(case.supported for case in CASES if case.claim.statement == statement)
        return Verdict(reasoning="", verdict="supported" if supported else "contradicted")

    found = examine_judge(Judge(ScriptedModel(reply), ask), CASES)
    assert found == Fit(Score(true_supported=7, true_cases=8, false_supported=0, false_cases=8, unanswered=1))


@pytest.mark.parametrize(("silences", "is_fit"), [(1, True), (2, False), (8, False)])
@pytest.mark.parametrize("most", [3, 100])
def test_a_judge_that_is_silent_on_what_it_should_deny_has_not_been_examined(
    silences: int, *, is_fit: bool, most: int
) -> None:
    false_ids = [case.id for case in CASES if not case.supported]

    def rule(case: CanaryCase) -> Refusal | None:
        return Refusal("judge-rate-limited") if case.id in false_ids[-silences:] else honest(case)

    found = examine_judge(Scripted(rule), CASES, limits=CanaryLimits(most_silences=most))
    told = min(silences, most)
    score = Score(true_supported=8, true_cases=8, false_supported=0, false_cases=8, unanswered=told)
    assert found == (Fit(score) if is_fit else Unfit(score, "judge-rate-limited"))


def damaged(change: Callable[[dict[str, object]], None]) -> bytes:
    document = json.loads(DATA)
    change(document)
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b'{"cases": []}',
        b'{"cases": [], "cases": []}',
        b"[" * 200_000,
        damaged(lambda document: document.update(more=1)),
        damaged(lambda document: document["cases"][0].update(supported="yes")),  # type: ignore[index]
        damaged(lambda document: document["cases"][0].update(day="21 October")),  # type: ignore[index]
        damaged(lambda document: document["cases"][0].update(id="true-cause")),  # type: ignore[index]
        damaged(lambda document: document.update(cases=document["cases"][:8])),  # type: ignore[index]
    ],
)
def test_damaged_cases_stop_the_night_and_are_never_taken_for_a_pass(data: bytes) -> None:
    with pytest.raises(CanaryError):
        parse_canary(data)
