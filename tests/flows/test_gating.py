from __future__ import annotations

from datetime import date

import pytest

from config import limits as configured
from dream.guards.statements.gates import Candidate
from dream.guards.statements.judging import Verdict
from dream.guards.statements.quotes import Quote
from dream.memory.operations import Refusal
from dream.models.port import Reason, Unanswered
from dream.models.scripted import ScriptedModel
from flows.gating import Court
from tasks.subjects import Subject
from tests.guards.statements.spoken import RECORD, thread

SAID = "The checkout API listens on port 8443"
SUBJECT = Subject(
    source="thread_7c2e",
    digest="d",
    last=thread(("person", SAID))[0].at,
    utterances=thread(("person", SAID)),
    record=RECORD,
)


def court(verdict: str, **limits: float) -> Court:
    def answer(*_: object) -> Verdict:
        return Verdict.model_validate({"reasoning": "", "verdict": verdict})

    return Court(
        model=ScriptedModel(answer),
        night=date(2026, 10, 22),
        rejected=frozenset(),
        examined={},
        limits=configured.Gates.model_validate(limits),
    )


def ruled(one: Court) -> str:
    found = one.gates(SUBJECT).admit(Candidate(statement=SAID, resource="checkout", quotes=(Quote("m1", SAID),)))
    return found.reason if isinstance(found, Refusal) else ""


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({}, ""),
        ({"least_words": 9}, "statement-empty"),
        ({"most_characters": 20}, "statement-too-long"),
        ({"most_quote": 20}, "quote-too-long"),
    ],
)
def test_the_gates_go_by_the_configured_numbers(limits: dict[str, float], reason: str) -> None:
    assert ruled(court("supported", **limits)) == reason


def test_a_judge_is_examined_by_the_configured_numbers() -> None:
    assert "judge-credulous, 8 of 8 true, 8 of 8 false" in court("supported").unfit
    assert court("supported", allowed_false=8).unfit == ""
    assert "judge-strict, 0 of 8 true" in court("unsure").unfit
    assert court("unsure", least_true=0.0).unfit == ""


@pytest.mark.parametrize(("reason", "silences"), [(Reason.OVER_BUDGET, 1), (Reason.STOPPED, 1), (Reason.OUTAGE, 3)])
def test_a_judge_that_was_kept_from_its_examination_has_not_failed_it(reason: Reason, silences: int) -> None:
    court = Court(
        model=ScriptedModel(lambda *_: Unanswered(reason=reason), name="openai/large"),
        night=date(2026, 10, 22),
        rejected=frozenset(),
        examined={},
        limits=configured.Gates(),
    )
    assert court.unfit == (
        f"the judge openai/large could not be examined: judge-{reason.value}, "
        f"0 of 8 true, 0 of 8 false, {silences} unanswered"
    )
