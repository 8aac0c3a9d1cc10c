"""Putting a question again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from pydantic import BaseModel

from dream.models.limits import RetryPolicy
from dream.models.port import CONSEQUENCES, Consequence, Reason, Replied, Unanswered, Usage
from dream.models.prompt import Prompt
from dream.models.scripted import ScriptedModel
from dream.models.waiting import PatientModel

PROMPT = Prompt(name="distil/propose", version="0123456789ab", system="Answer.", parts=("What?",))
POLICY = RetryPolicy(tries=4, deadline_seconds=100.0, longest_wait_seconds=30.0, first_wait_seconds=2.0)


class Word(BaseModel):
    word: str


@dataclass
class Waits:
    """A clock that only sleeping and asking move."""

    now: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def outage(reason: Reason = Reason.OUTAGE, *, retry_after: float | None = None) -> Unanswered:
    return Unanswered(reason=reason, detail="status 503", usage=Usage(input=7, calls=1), retry_after=retry_after)


def asked(
    answers: Sequence[Unanswered | str], *, policy: RetryPolicy = POLICY, draw: float = 0.0, seconds: float = 0.0
) -> tuple[Replied[Word] | Unanswered, list[float]]:
    waits = Waits()
    left = list(answers)

    def answer(_prompt: Prompt, _reply: type[BaseModel]) -> str | Unanswered:
        waits.now += seconds
        return left.pop(0)

    model = PatientModel(ScriptedModel(answer), policy, sleep=waits.sleep, clock=lambda: waits.now, draw=lambda: draw)
    return model.ask(PROMPT, Word), waits.slept


def test_an_outage_is_waited_for_and_all_tries_are_paid_for() -> None:
    answer, slept = asked([outage(), outage(), '{"word": "yes"}'])
    assert answer == Replied(reply=Word(word="yes"), usage=Usage(input=18, output=4, calls=3))
    assert slept == [1.0, 2.0]


@pytest.mark.parametrize(("draw", "slept"), [(0.0, [1.0, 2.0, 4.0]), (0.5, [1.5, 3.0, 6.0])])
def test_waits_double_and_half_of_each_is_chance(draw: float, slept: list[float]) -> None:
    answer, waited = asked([outage()] * 4, draw=draw)
    assert answer == Unanswered(reason=Reason.OUTAGE, detail="status 503", usage=Usage(input=28, calls=4))
    assert waited == slept


def test_no_wait_is_longer_than_the_longest() -> None:
    policy = RetryPolicy(tries=8, deadline_seconds=1_000.0, longest_wait_seconds=10.0, first_wait_seconds=2.0)
    assert asked([outage()] * 8, policy=policy, draw=1.0)[1] == [2.0, 4.0, 8.0, 10.0, 10.0, 10.0, 10.0]


def test_a_vendor_that_names_a_time_gets_that_time_and_a_little_more() -> None:
    answer, slept = asked([outage(Reason.RATE_LIMITED, retry_after=20.0), '{"word": "yes"}'], draw=0.5)
    assert answer == Replied(reply=Word(word="yes"), usage=Usage(input=11, output=4, calls=2))
    assert slept == [21.0]


def test_a_vendor_that_asks_for_an_hour_is_not_waited_for() -> None:
    asks = outage(Reason.RATE_LIMITED, retry_after=3_600.0)
    assert asked([asks, '{"word": "yes"}']) == (asks, [])


def test_the_deadline_counts_the_tries_and_the_wait_to_come() -> None:
    answer, slept = asked([outage()] * 4, seconds=49.0)
    assert answer == Unanswered(reason=Reason.OUTAGE, detail="status 503", usage=Usage(input=14, calls=2))
    assert slept == [1.0]


@pytest.mark.parametrize("reason", [reason for reason, what in CONSEQUENCES.items() if what is not Consequence.RETRY])
def test_what_waiting_cannot_better_is_asked_once(reason: Reason) -> None:
    assert asked([outage(reason, retry_after=1.0)]) == (outage(reason, retry_after=1.0), [])


def test_it_answers_by_the_name_of_its_model() -> None:
    assert PatientModel(ScriptedModel(lambda *_: "", name="openai/m")).name == "openai/m"
