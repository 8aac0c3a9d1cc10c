"""One HTTP request and its whole answer, bounded in time and size; what went wrong is a value."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import Any

import httpx2

from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.port import Unanswered, Want
from dream.sources.strict_json import BadJSONError, parse_json

_CONNECT_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """An answer: its status, headers by names in lower case, and the JSON in it, None where it is none."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    is_json: bool = True

    @property
    def dated(self) -> datetime | None:
        """When the server says that it is, None where it does not."""
        try:
            dated = parsedate_to_datetime(self.headers.get("date", ""))
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        return dated if dated.tzinfo is not None else None


class Wire:
    """Sends requests of one source; nothing is kept between two of them."""

    def __init__(self, limits: GitHubLimits, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take no more time and bytes for an answer than `limits` say; `clock` gives seconds."""
        self._limits = limits
        self._clock = clock

    def send(self, method: str, url: str, *, token: str, body: object = None) -> Received | Unanswered:
        """Return what the server answers, whatever its status.

        No redirect is followed, for it would carry the token to somebody who was not configured. Bodies are asked for
        and taken uncompressed: a few bytes could otherwise unfold into gigabytes. Proxies come from the environment.
        """
        headers = {
            "authorization": f"Bearer {token}",
            "accept": "application/vnd.github+json",
            "accept-encoding": "identity",
            "x-github-api-version": "2022-11-28",
            "user-agent": "nightly-dreaming",
        }
        try:
            with (
                self._client() as client,
                client.stream(method, url, headers=headers, json=body) as response,
            ):
                return self._received(response)
        except httpx2.TimeoutException as error:
            if isinstance(error, httpx2.ConnectTimeout):
                return Unanswered(want=Want.DOWN, reason="there is no connection")
            return Unanswered(want=Want.TOO_MUCH, reason=f"no whole answer within {self._limits.seconds:g} seconds")
        except httpx2.ConnectError:
            return Unanswered(want=Want.DOWN, reason="there is no connection")
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError, ValueError) as error:
            # of its own text nothing is told: it may hold the address, and with it a name that others chose
            return Unanswered(want=Want.DOWN, reason=f"the connection failed ({type(error).__name__})")

    def _client(self) -> httpx2.Client:
        seconds = self._limits.seconds
        return httpx2.Client(
            verify=_trusted(),
            timeout=httpx2.Timeout(seconds, connect=min(seconds, _CONNECT_SECONDS)),
            follow_redirects=False,
        )

    def _received(self, response: httpx2.Response) -> Received | Unanswered:
        if response.headers.get("content-encoding", "identity") != "identity":
            return Unanswered(want=Want.DOWN, reason="the answer is compressed, which was not asked for")
        until = self._clock() + self._limits.seconds
        held = bytearray()
        for chunk in response.iter_raw():
            held += chunk
            if len(held) > self._limits.answer_bytes:
                return Unanswered(
                    want=Want.TOO_MUCH, reason=f"an answer of more than {self._limits.answer_bytes} bytes"
                )
            if self._clock() > until:
                return Unanswered(want=Want.TOO_MUCH, reason=f"no whole answer within {self._limits.seconds:g} seconds")
        headers = {name.lower(): value for name, value in response.headers.items()}
        try:
            return Received(status=response.status_code, headers=headers, body=parse_json(bytes(held)))
        except BadJSONError:
            return Received(status=response.status_code, headers=headers, is_json=False)


@cache
def _trusted() -> ssl.SSLContext:
    # reading the certificates takes 70 ms
    return httpx2.create_ssl_context()
