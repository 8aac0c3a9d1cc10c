"""The HTTP client that both vendors' SDKs are given, and what its failures mean; imported only where an SDK is."""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import httpx2

from dream.models.failures import explain, read_refusal
from dream.models.limits import CallLimits
from dream.models.port import Reason, Unanswered, Usage
from dream.models.prompt import Prompt
from dream.models.usage import estimated_usage

_STARTED = "dream.started"
_ENVELOPE_BYTES = 1_000_000
_ESCAPED = 4


class TooMuchError(httpx2.RequestError):
    """A body that goes on past what any reply within its limits needs."""


class _Bounded(httpx2.SyncByteStream):
    """A body that ends by a time and a size; a stalled one is the client's own time-out."""

    def __init__(self, stream: httpx2.SyncByteStream, *, is_late: Callable[[], bool], most_bytes: int) -> None:
        self._stream = stream
        self._is_late = is_late
        self._left = most_bytes

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                message = "the body is too long"
                raise TooMuchError(message)
            if self._is_late():
                message = "the body came too slowly"
                raise httpx2.ReadTimeout(message)
            yield chunk

    def close(self) -> None:
        self._stream.close()


def bounded_client(limits: CallLimits, clock: Callable[[], float] = time.monotonic) -> httpx2.Client:
    """Return a client that follows no redirect, keeps no connection, and reads no body past `limits`.

    A kept connection is one that the server may have closed in the minutes between two questions; a redirect would
    carry the question to somebody who was not configured. Bodies are asked for and taken uncompressed: a few bytes
    could otherwise unfold into gigabytes. Proxies come from the environment, as for any HTTP client.
    """

    def note_start(request: httpx2.Request) -> None:
        request.extensions[_STARTED] = clock()

    def bound_body(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            message = "the body is compressed"
            raise httpx2.DecodingError(message)
        if not isinstance(response.stream, httpx2.SyncByteStream):
            return
        until = response.request.extensions[_STARTED] + limits.seconds
        most_bytes = limits.reply_bytes * _ESCAPED + _ENVELOPE_BYTES
        response.stream = _Bounded(response.stream, is_late=lambda: clock() > until, most_bytes=most_bytes)

    return httpx2.Client(
        verify=_trusted(),
        headers={"accept-encoding": "identity"},
        timeout=timeout(limits),
        limits=httpx2.Limits(max_keepalive_connections=0),
        follow_redirects=False,
        event_hooks={"request": [note_start], "response": [bound_body]},
    )


@cache
def _trusted() -> ssl.SSLContext:
    # Reading the certificates takes 70 ms, and a client does it once more for each proxy.
    return httpx2.create_ssl_context()


def timeout(limits: CallLimits) -> httpx2.Timeout:
    """Return `limits` as time-outs of connecting and of each wait for bytes."""
    return httpx2.Timeout(limits.seconds, connect=limits.connect_seconds)


def explain_error(error: Exception, prompt: Prompt, limits: CallLimits) -> Unanswered:
    """Return what an exception of either SDK means; of its own text, nothing is told but the names of classes.

    What reached the server may be billed, so its input counts, as an estimate; what found no connection does not.
    """
    response = getattr(error, "response", None)
    if isinstance(response, httpx2.Response) and not response.is_success:
        return explain(read_refusal(response.status_code, _decoded(response.content), response.headers))
    cause = error.__cause__ or error
    names = type(error).__name__ if cause is error else f"{type(error).__name__}: {type(cause).__name__}"
    paid = replace(estimated_usage(prompt, ""), output=0)
    match cause:
        case TooMuchError():
            return Unanswered(reason=Reason.INVALID, detail="the answer goes on for too long", usage=paid)
        case httpx2.UnsupportedProtocol() | httpx2.InvalidURL():
            return Unanswered(reason=Reason.MISCONFIGURED, detail=f"the address is none ({names})")
        case httpx2.ConnectError() | httpx2.ConnectTimeout():
            return Unanswered(reason=Reason.OUTAGE, detail=f"no connection ({names})", usage=Usage(calls=1))
        case httpx2.TimeoutException():
            return Unanswered(reason=Reason.OUTAGE, detail=f"no whole answer within {limits.seconds:g} s", usage=paid)
        case _:
            return Unanswered(reason=Reason.OUTAGE, detail=f"the connection failed ({names})", usage=paid)


def _decoded(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
