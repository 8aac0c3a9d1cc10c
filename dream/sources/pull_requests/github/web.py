"""GitHub over HTTP, with the one policy of waiting and asking again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import structlog

from dream.sources.pull_requests.github.answers import UNASKED_SECONDS, Trouble, read_answer, read_files, spent_seconds
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.logins import Login, Tokens
from dream.sources.pull_requests.github.places import places_of
from dream.sources.pull_requests.github.port import Answered, Unanswered, Want
from dream.sources.pull_requests.github.wire import Received, Wire

log = structlog.get_logger()

Read = TypeVar("Read", Answered, tuple[Mapping[str, Any], ...])


def _now() -> datetime:
    return datetime.now(UTC)


class GitHub:
    """The GitHub at an address, asked as one login."""

    def __init__(
        self,
        url: str,
        login: Login,
        limits: GitHubLimits | None = None,
        *,
        now: Callable[[], datetime] = _now,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask the GitHub at `url`; `now` returns aware instants, `sleep` takes seconds and `clock` returns them."""
        self.limits = limits or GitHubLimits()
        self.places = places_of(url)
        self._wire = Wire(self.limits, clock=clock)
        self.tokens = Tokens(login, self.places, self._wire, now=now)
        self._now = now
        self._sleep = sleep
        self._left = self.limits.wait_seconds
        self._spent = 0.0
        self._over: Unanswered | None = None

    def ask(self, operation: str, variables: Mapping[str, Any]) -> Answered | Unanswered:
        """Return the answer to one operation of the packaged query."""
        body = {"query": query(), "operationName": operation, "variables": dict(variables)}
        answer = self._patiently("POST", self.places.graphql, body, lambda got: read_answer(got, now=self._now()))
        if isinstance(answer, Answered):
            self._spent = spent_seconds(answer.data, now=self._now())
        return answer

    def compare(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, as the REST interface tells them, at most 300."""
        address = self.places.compare(repository, base, head)
        return self._patiently("GET", address, None, lambda got: read_files(got, now=self._now()))

    def _patiently(
        self, method: str, address: str, body: object, read: Callable[[Received], Read | Trouble]
    ) -> Read | Unanswered:
        """Ask until there is an answer, waiting helps no more, or tonight's waiting is used up."""
        if self._over is None and method == "POST" and self._spent:
            spent, self._spent = self._spent, 0.0
            self._wait_for_limit(spent, f"the rate limit is spent for {round(spent)} seconds")
        tries = 0
        has_renewed = False
        while self._over is None:
            trouble = self._once(method, address, body, read)
            if not isinstance(trouble, Trouble):
                return trouble
            told = trouble.unanswered
            match told.want:
                case Want.LIMITED:
                    self._wait_for_limit(trouble.wait_seconds or 0.0, told.reason)
                case Want.REFUSED_LOGIN if self.tokens.can_renew and not has_renewed:
                    self.tokens.forget()
                    has_renewed = True
                case Want.REFUSED_LOGIN:
                    self._over = told
                case Want.DOWN if tries + 1 < self.limits.tries:
                    self._sleep(self.limits.first_wait_seconds * 2.0**tries)
                    tries += 1
                case _:
                    return told
        return self._over

    def _once(
        self, method: str, address: str, body: object, read: Callable[[Received], Read | Trouble]
    ) -> Read | Trouble:
        token = self.tokens.token()
        if isinstance(token, Unanswered):
            return Trouble(unanswered=token, wait_seconds=UNASKED_SECONDS)
        received = self._wire.send(method, address, token=token, body=body)
        return Trouble(unanswered=received) if isinstance(received, Unanswered) else read(received)

    def _wait_for_limit(self, seconds: float, reason: str) -> None:
        """Wait if tonight's waiting allows it; otherwise nothing else is asked."""
        wait = seconds + 1.0
        if wait > self._left:
            self._over = Unanswered(want=Want.LIMITED, reason=reason)
            return
        self._left -= wait
        log.info("github.waited_for", reason=reason, seconds=round(wait, 1))
        self._sleep(wait)


@cache
def query() -> str:
    """Return the packaged query."""
    return resources.files(__package__).joinpath("query.graphql").read_text(encoding="utf-8")
