from __future__ import annotations

from decimal import Decimal

import pytest

from dream.models.budget import Budget, Spent
from dream.models.ledger import Ledger
from dream.models.metering import MeteredModel
from dream.models.port import Model, Reason, Replied, Reply, Unanswered, Usage
from dream.models.prices import PriceTable
from dream.models.prompt import Prompt
from tests.models.answering import Answering, Said, question, said


def metered(model: Model, ledger: Ledger, *, most_output: int = 1_000) -> MeteredModel:
    ticks = iter(range(1_000))
    return MeteredModel(model, ledger=ledger, most_output=most_output, now=lambda: float(next(ticks)))


def test_a_question_is_charged_with_what_the_vendor_counted() -> None:
    ledger = Ledger(Budget(), PriceTable())
    assert metered(Answering(said()), ledger).ask(question(), Said) == said()
    assert ledger.spent(now=0) == Spent(tokens=12, calls=1, seconds=1)


def test_what_was_paid_for_no_reply_is_charged_all_the_same() -> None:
    ledger = Ledger(Budget(), PriceTable())
    cut = Unanswered(reason=Reason.TRUNCATED, usage=Usage(input=50, output=1_000, calls=2))
    assert metered(Answering(cut), ledger).ask(question(), Said) == cut
    assert ledger.spent(now=0).tokens == 1_050


def test_a_request_is_a_call_whether_anybody_counted_it_or_not() -> None:
    ledger = Ledger(Budget(calls=2), PriceTable())
    model = metered(Answering(*[Unanswered(reason=Reason.OUTAGE)] * 2), ledger)
    reasons = [model.ask(question(), Said) for _ in range(3)]
    assert [one.reason for one in reasons if isinstance(one, Unanswered)] == [
        Reason.OUTAGE,
        Reason.OUTAGE,
        Reason.OVER_BUDGET,
    ]


def test_no_question_is_asked_whose_longest_answer_would_pass_the_ceiling() -> None:
    ledger = Ledger(Budget(tokens=1_000), PriceTable())
    model = Answering()
    assert metered(model, ledger).ask(question(), Said) == Unanswered(
        reason=Reason.OVER_BUDGET, detail="the ceiling of 1,000 tokens a night leaves no room for another question"
    )
    assert model.asked == []


def test_a_long_question_counts_before_it_is_asked() -> None:
    ledger = Ledger(Budget(tokens=2_000), PriceTable())
    answer = metered(Answering(), ledger).ask(question("x" * 8_000), Said)
    assert isinstance(answer, Unanswered)
    assert answer.reason is Reason.OVER_BUDGET


class Breaking:
    """A model with a defect."""

    name = "openai/test"

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        raise RuntimeError(prompt.name, reply)


def test_a_defect_in_a_model_is_charged_as_if_it_had_answered_at_length() -> None:
    ledger = Ledger(Budget(dollars=Decimal(5)), PriceTable())
    with pytest.raises(RuntimeError):
        metered(Breaking(), ledger).ask(question("x" * 33), Said)
    assert ledger.spent(now=0) == Spent(tokens=10 + 1_000, calls=1, seconds=1)
