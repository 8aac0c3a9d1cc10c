"""B22, B40, B50, B52, B54: whole nights over a served remote, whose vendor of models is not well."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from dream.models.port import Reason
from flows.clock import Clock
from flows.commands.reading import tell_status
from tests.support.commands import configure
from tests.support.model_faults import FAULTS, Fault
from tests.support.sensible import (
    KEY,
    Finding,
    Question,
    Sensible,
    asks,
    converse,
    fenced,
    statement,
    summary,
    verdict,
)
from tests.support.spoiled import CALM, CHECKOUT, DAY, LEDGER, STORMY, Place, Spoiled
from tests.support.stage import Stage
from tests.support.town import THREADS, Town, assert_accounted, assert_kept_to_itself, assert_taken_up
from tests.support.vendors import Answer, Request, Response, error, said, slowly

KEY_NO_MORE = error(401, code="invalid_api_key", message=f"Incorrect API key provided: {KEY}")
TRICKLE = Fault(reason=Reason.OUTAGE, answer=lambda request, good: slowly(said(request, good), pause_seconds=0.05))
NO_MONEY = error(429, code="insufficient_quota", message=f"You exceeded your quota, {KEY}")


def after(answers: int, then: Response) -> Answer:
    """Be well for so many questions, and answer `then` from there on."""
    mind, count = Sensible(findings=(CALM, STORMY)), [0]

    def answer(request: Request) -> Response:
        count[0] += 1
        return then if count[0] > answers else mind(request)

    return answer


@pytest.mark.parametrize(
    ("name", "wire", "waits"),
    [
        ("cut-at-the-limit", "chat", "failed-model-truncated"),
        ("cut-json", "messages", "failed-model-invalid"),
        ("429-with-retry-after", "responses", "model-rate-limited"),
        ("dropped-in-the-body", "messages", "model-outage"),
    ],
)
def test_b50_b52_a_conversation_without_a_whole_answer_is_taken_up_the_next_night_and_no_other(
    town: Town, name: str, wire: str, waits: str
) -> None:
    asks(town.stage, town.server, wire)
    result = town.dream(Spoiled(fault=FAULTS[name], place=Place.DREAMER))
    assert (result.status, result.exit_code) == ("landed", 0)
    distil = town.task()
    assert (distil.written, distil.pending) == (1, 1)
    assert [(one.input, one.reason) for one in distil.left_out] == [(THREADS[1], waits)]
    assert [one.id for one in distil.done] == [THREADS[0]]
    assert_accounted(town)
    assert "port 9443" not in town.note(CHECKOUT)
    assert 'ana asked "The checkout API listens' in town.note(DAY)
    assert THREADS[1] in town.report()
    assert_taken_up(town)


@pytest.mark.parametrize(
    ("answers", "then", "outcome", "exit_code"),
    [
        (0, KEY_NO_MORE, "failed", 1),
        (9, NO_MONEY, "failed", 1),
        (18, KEY_NO_MORE, "failed", 1),
        (21, KEY_NO_MORE, "changed", 0),
        (21, NO_MONEY, "changed", 0),
    ],
    ids=["key-at-once", "quota-at-the-canary", "key-at-the-daily-note", "key-at-distil", "quota-at-distil"],
)
def test_b52_a_key_that_is_revoked_at_twenty_past_four_leaves_the_rest_for_tomorrow(
    town: Town, answers: int, then: Response, outcome: str, exit_code: int
) -> None:
    result = town.dream(after(answers, then))
    assert (result.status, result.exit_code) == ("landed", exit_code)
    assert (town.task("daily_note").outcome, town.task().outcome) == ("changed", outcome)
    waiting = {one.input: one.reason for one in town.task().left_out}
    assert set(waiting) == ({*THREADS} if outcome == "failed" else {THREADS[1]})
    assert_accounted(town)
    reason = "quota" if then is NO_MONEY else "unauthorised"
    assert f"models were asked no more: {reason}" in town.report()
    assert reason in tell_status(configure(town.stage), "acme", clock=town.stage.clock()).text
    assert len(town.server.questions) == answers + 1
    assert_kept_to_itself(town)
    assert_taken_up(town)


def test_b52_a_vendor_that_is_down_all_night_fails_the_task_and_nothing_else(town: Town) -> None:
    result = town.dream(Spoiled(fault=FAULTS["529"]))
    assert (result.status, result.exit_code) == ("landed", 1)
    assert town.task().reason == "its model could not be asked: outage"
    assert {name for name in result.ran if town.task(name).outcome == "failed"} == {"distil"}
    assert 'ana asked "The ledger closes' in town.note(DAY)
    assert "its model could not be asked: outage" in town.report()
    assert_taken_up(town)


class Nonsense:
    """A vendor whose dreamer answers every question on a conversation with nonsense, and whose judge is well."""

    def __init__(self) -> None:
        self._mind = Sensible()

    def __call__(self, request: Request) -> Response:
        if self._mind.question(request) is Question.SUMMARY:
            return said(request, "I am a teapot")
        return self._mind(request)


@dataclass(kw_only=True)
class Slow(Stage):
    """A stage on whose clock an hour goes by whenever a model is asked."""

    hours: list[float] = field(default_factory=list)

    def clock(self) -> Clock:
        return replace(super().clock(), monotonic=lambda: sum(self.hours))


def test_b22_a_model_that_answers_after_an_hour_is_asked_no_more_and_the_night_ends_well(town: Town) -> None:
    hours: list[float] = []
    town.stage = Slow(
        hosted=town.stage.hosted, root=town.stage.root, now=town.stage.now, extra=town.stage.extra, hours=hours
    )
    mind = Sensible(findings=(CALM, STORMY))

    def answer(request: Request) -> Response:
        hours.append(3_600.0)
        return mind(request)

    result = town.dream(answer)
    assert (result.status, result.exit_code) == ("landed", 0)
    assert len(hours) <= 2
    assert (town.task().written, town.task().pending) == (0, 2)
    assert "60 minutes" in town.report()
    assert_accounted(town)
    assert_taken_up(town)


def test_b52_a_body_that_trickles_is_given_up(town: Town) -> None:
    town.stage.extra = {**town.stage.extra, "limits": {"calls": {"seconds": 1, "tries": 1}}}
    town.dream(Spoiled(fault=TRICKLE, place=Place.DREAMER))
    assert [one.reason for one in town.task().left_out] == ["model-outage"]
    assert_taken_up(town)


def half_right() -> Answer:
    """A judge that gets 7 of 15 cases right: it believes one in two of whatever it is asked."""
    mind, count = Sensible(findings=(CALM, STORMY)), [0]

    def answer(request: Request) -> Response:
        if mind.question(request) in {Question.JUDGE, Question.EXAMINATION}:
            count[0] += 1
            return said(request, verdict("supported" if count[0] % 2 else "unsure"))
        return mind(request)

    return answer


@pytest.mark.parametrize(
    ("judge", "why"),
    [
        (Spoiled(mind=Sensible(findings=(CALM, STORMY), examined=lambda _: "supported")), "judge-credulous"),
        (Spoiled(mind=Sensible(findings=(CALM, STORMY), examined=lambda _: "unsure")), "judge-strict"),
        (half_right(), "judge-credulous"),
        (Spoiled(fault=FAULTS["garbage"], place=Place.EXAMINATION), "judge-invalid"),
        (Spoiled(fault=FAULTS["prose-before"], place=Place.EXAMINATION), "judge-invalid"),
    ],
    ids=["always-yes", "never-yes", "one-in-two", "never-parses", "chats"],
)
def test_b40_a_judge_that_fails_its_examination_writes_no_fact_and_the_report_says_why(
    town: Town, judge: Answer, why: str
) -> None:
    result = town.dream(judge)
    assert (result.status, result.exit_code) == ("landed", 0)
    assert {one.input: one.reason for one in town.task().left_out} == dict.fromkeys(THREADS, "judge-unfit")
    assert "port 8443" in town.note(CHECKOUT)
    assert town.note(LEDGER) == ""
    assert f"did not pass its examination: {why}" in town.report()
    assert town.conversations() == []
    assert_accounted(town)
    assert_taken_up(town)


def test_b54_a_conversation_that_always_fails_is_set_aside_by_its_id_and_holds_up_no_other(town: Town) -> None:
    poisoned = Spoiled(fault=FAULTS["garbage"], place=Place.DREAMER)
    for nights in range(3):
        assert (town.dream if not nights else town.dream_on)(poisoned).exit_code == 0
        assert town.note(LEDGER).count("closes at noon") == 1
    (pending,) = town.stage.state().pending
    assert (pending.task, pending.input, pending.set_aside) == ("distil", THREADS[1], True)
    assert f"distil: {THREADS[1]} (3 nights)" in town.report(2)
    town.conversations()
    converse(town.stage, 3, "The archive is emptied on the first of May.", "Noted.", day=24)
    again = Finding(
        quote="The archive is emptied on the first of May.",
        statement="The archive is emptied on the first of May",
        resource="archive",
    )
    town.dream_on(Spoiled(mind=Sensible(findings=(again, STORMY))))
    assert town.conversations() == []
    assert "first of May" in town.note("services/archive.md")
    assert THREADS[1] not in [one.id for nights in range(4) for one in town.task(nights=nights).done]
    assert "port 9443" not in town.note(CHECKOUT)


def test_b22_a_second_trigger_and_an_eighth_ask_nobody(town: Town) -> None:
    town.dream()
    town.server.requests.clear()
    assert {town.dream().status for _ in range(8)} == {"nothing-to-do"}
    assert town.server.requests == []


def endless(request: Request) -> Response:
    """Propose ten thousand statements of whatever is shown, and find every excerpt too long for one answer."""
    mind = Sensible()
    if mind.question(request) is not Question.SUMMARY:
        return mind(request)
    if len(fenced(request)["one conversation"]) > 2_000:
        return FAULTS["too-long"].answer(request, "")
    quote = "The ledger closes at noon"
    many = [statement(f"{quote} on {n} Fridays", "ledger", [("m1", CALM.quote)]) for n in range(10_000)]
    return said(request, summary(*many))


@pytest.mark.parametrize(
    ("spend", "named"),
    [({"calls": 25}, "25 calls"), ({"tokens": 4_000}, "4,000 tokens"), ({"calls": 3}, "3 calls")],
)
def test_b22_a_dreamer_that_never_ends_is_held_by_the_ceilings(town: Town, spend: dict[str, int], named: str) -> None:
    converse(town.stage, 4, *("All the rest of a long story. " * 60 for _ in range(20)))
    town.stage.extra = {**town.stage.extra, "limits": {"spend": spend, "calls": {"output_tokens": 1_000}}}
    result = town.dream(endless)
    assert (result.status, result.exit_code) == ("landed", 0)
    assert len(town.server.questions) <= spend.get("calls", 200)
    assert named in town.report()
    assert town.task().pending > 0
    assert_accounted(town)


def test_b54_a_dreamer_that_talks_nonsense_for_a_week_is_no_fault_of_what_people_said(town: Town) -> None:
    """Its judge is another model and well, so that nothing but the dreamer's replies tells that it is ill."""
    judge = {**town.stage.extra["models"]["dreamer"], "model": "judge"}
    town.stage.extra = {"models": {**town.stage.extra["models"], "judge": judge}}
    nonsense = Nonsense()
    for nights in range(4):
        (town.dream if not nights else town.dream_on)(nonsense)
    assert {one.input: one.reason for one in town.task(nights=3).left_out} == dict.fromkeys(THREADS, "model-invalid")
    assert list(town.stage.state().pending) == []
    assert_taken_up(town, nights=4)
