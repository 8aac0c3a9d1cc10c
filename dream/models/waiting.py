"""The one retry policy: waits as long as the vendor asks, within a deadline, and only where waiting can help."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import structlog

from dream.models.limits import RetryPolicy
from dream.models.port import Consequence, Model, Replied, Reply, Unanswered, Usage
from dream.models.preflight import check_credential
from dream.models.prompt import Prompt

if TYPE_CHECKING:
    from tenacity import RetryCallState

log = structlog.get_logger()

T = TypeVar("T")


class PatientModel:
    """A model that puts a question again while the want of an answer has the consequence *retry*.

    The usage of all tries is in the answer. `sleep` takes seconds, `clock` returns them, `draw` returns a number from
    0 up to 1 for the jitter; a test passes its own and waits for nothing.
    """

    def __init__(
        self,
        model: Model,
        policy: RetryPolicy | None = None,
        *,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Ask `model` as `policy` says."""
        self._model = model
        self._policy = policy or RetryPolicy()
        self._sleep = sleep
        self._clock = clock
        self._draw = draw

    @property
    def name(self) -> str:
        """Who answers."""
        return self._model.name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the first answer that waiting cannot better, or the last one that the policy leaves time for."""
        spent = Usage()

        def attempt() -> Replied[Reply] | Unanswered:
            nonlocal spent
            answer = self._model.ask(prompt, reply)
            spent += answer.usage
            return answer

        return replace(self._repeated(attempt), usage=spent)

    def check(self) -> Unanswered | None:
        """Return why the model is not fit to be asked, None if it is."""
        return self._repeated(lambda: check_credential(self._model))

    def _repeated(self, attempt: Callable[[], T]) -> T:
        from tenacity import Retrying, retry_if_result  # noqa: PLC0415 `dream --help` needs none of it

        started = self._clock()
        answer: T = Retrying(
            sleep=self._sleep,
            retry=retry_if_result(_is_worth_waiting),
            wait=self._wait,
            stop=lambda state: self._has_waited_enough(state, started),
            before_sleep=self._say,
            retry_error_callback=_unanswered,
        )(attempt)
        return answer

    def _wait(self, state: RetryCallState) -> float:
        first = self._policy.first_wait_seconds
        asked = _unanswered(state).retry_after
        if asked is not None:
            return asked + self._draw() * first
        # Half of it is certain, so that a server that is down is never hammered; half of it spreads the clients.
        longest = min(first * 2.0 ** (state.attempt_number - 1), self._policy.longest_wait_seconds)
        return longest * (1 + self._draw()) / 2

    def _has_waited_enough(self, state: RetryCallState, started: float) -> bool:
        policy = self._policy
        asked = _unanswered(state).retry_after or 0.0
        over = self._clock() - started + state.upcoming_sleep > policy.deadline_seconds
        return state.attempt_number >= policy.tries or asked > policy.longest_wait_seconds or over

    def _say(self, state: RetryCallState) -> None:
        answer = _unanswered(state)
        log.info(
            "model.waited_for",
            model=self.name,
            reason=str(answer.reason),
            detail=answer.detail,
            tries=state.attempt_number,
            seconds=round(state.upcoming_sleep, 1),
        )


def _is_worth_waiting(answer: object) -> bool:
    return isinstance(answer, Unanswered) and answer.consequence is Consequence.RETRY


def _unanswered(state: RetryCallState) -> Unanswered:
    answer = state.outcome.result() if state.outcome is not None else None
    if not isinstance(answer, Unanswered):
        message = "only what has no answer is asked again"
        raise TypeError(message)
    return answer
