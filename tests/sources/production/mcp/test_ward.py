from __future__ import annotations

import asyncio
import subprocess
import sys
import time

from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.mcp.ward import Question, Ward
from dream.sources.production.port import Down

LIMITS = SessionLimits(leaving_seconds=0.1, grace_seconds=0.2)
LATE = Down("late")


async def work(_session: object, question: Question) -> None:
    question.give("answer")


async def answering(ward: Ward) -> None:
    async for question in ward.questions():
        await question.work(None, question)


def ward_of(*, limits: SessionLimits = LIMITS) -> Ward:
    return Ward(answer_bytes=100, limits=limits)


def test_a_process_that_is_named_when_all_is_over_is_ended_at_once() -> None:
    ward = ward_of(limits=SessionLimits(grace_seconds=5))
    ward.start(answering)
    assert ward.ask(Question(work), until=time.monotonic() + 60, late=LATE) == "answer"
    ward.end(forced=True)
    with subprocess.Popen(
        [sys.executable, "-ISc", "input()"], stdin=subprocess.PIPE, start_new_session=True
    ) as process:
        ward.holds(process)
        assert process.returncode == -9


def test_what_is_asked_of_a_session_that_has_ended_is_told_so() -> None:
    ward = ward_of()
    ward.start(answering)
    ward.end(forced=False)
    assert ward.ask(Question(work), until=time.monotonic() + 60, late=LATE) == Down(
        "the session ended without an answer"
    )


def test_a_session_that_breaks_is_told_in_fixed_words() -> None:
    async def breaking(_ward: Ward) -> None:
        message = "secret"
        raise LookupError(message)

    ward = ward_of()
    question = Question(work)
    ward.start(breaking)
    told = ward.ask(question, until=time.monotonic() + 60, late=LATE)
    assert told in {
        Down("the session broke off (LookupError)"),
        Down("the session ended without an answer"),  # where it broke before it was asked
    }
    ward.end(forced=True)


def test_a_session_that_will_not_end_is_left_behind() -> None:
    async def stubborn(ward: Ward) -> None:
        async for question in ward.questions():
            question.give("answer")
            break
        for _ in range(100):
            try:
                await asyncio.sleep(0.02)
            except asyncio.CancelledError:
                continue

    ward = ward_of()
    ward.start(stubborn)
    assert ward.ask(Question(work), until=time.monotonic() + 60, late=LATE) == "answer"
    ward.end(forced=True)
    assert ward.lost


def test_bytes_count_for_one_question_or_for_the_time_until_the_next() -> None:
    ward = ward_of()
    most = 2 * ward.longest

    async def reading(_session: object, question: Question) -> None:
        question.give(ward.take(most))

    ward.start(answering)
    for _ in range(2):
        assert ward.ask(Question(reading), until=time.monotonic() + 60, late=LATE) is True
        assert ward.take(most)
    assert not ward.lost
    assert not ward.take(1)
    assert ward.lost
    ward.end(forced=False)


def test_the_first_result_of_a_question_stays() -> None:
    question = Question(work)
    question.give("first")
    question.give("second")
    assert question.result == "first"
