"""A web client for a server by its address: only to the addresses that were checked, in bounded bytes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpcore2
import httpx2
from mcp.client.streamable_http import streamable_http_client

from dream.sources.production.mcp.correlation import NOBODY, Correlation, read_message
from dream.sources.production.mcp.ward import Ward
from dream.sources.production.port import Down, Refused

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_PLAIN = frozenset({"", "identity"})
_ELSEWHERE = range(300, 400)


@asynccontextmanager
async def web_streams(url: str, secret: str, addresses: Sequence[str], ward: Ward) -> AsyncIterator[TransportStreams]:
    """Yield the two streams of a session over streamable HTTP, its requests sent with `secret` as a bearer token.

    Each goes to one of `addresses`; a redirect, an encoded answer or more bytes than an answer takes settles the
    session.
    """
    headers = {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {secret}"} if secret else {})}
    transport = _Transport(url, addresses, ward)
    async with (
        httpx2.AsyncClient(
            transport=transport, headers=headers, max_redirects=0, trust_env=False, timeout=None
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=2 * ward.longest) as streams,
    ):
        yield streams


class _Transport(httpx2.AsyncBaseTransport):
    """Sends requests to one origin, at the addresses that were checked, and counts what comes back."""

    def __init__(self, url: str, addresses: Sequence[str], ward: Ward) -> None:
        parts = urlsplit(url)
        self._origin = (parts.scheme, (parts.hostname or "").lower())
        self._ward = ward
        self._asked: object = None
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=httpx2.create_ssl_context() if parts.scheme == "https" else None,
            network_backend=_Pinned(addresses),
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if (request.url.scheme, request.url.host.lower()) != self._origin:
            message = "to another place"
            raise httpx2.UnsupportedProtocol(message, request=request)
        if not self._ward.take(_REQUEST_BYTES):
            message = "too often"
            raise httpx2.ConnectError(message, request=request)
        try:
            answer = await self._pool.handle_async_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(
                        scheme=request.url.raw_scheme,
                        host=request.url.raw_host,
                        port=request.url.port,
                        target=request.url.raw_path,
                    ),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise httpx2.ConnectError(type(error).__name__, request=request) from error
        encoding = ",".join(value.decode("latin-1") for name, value in answer.headers if name.lower() == _ENCODING)
        if answer.status in _ELSEWHERE:
            self._ward.fail(Refused(f"it sends elsewhere (status {answer.status}), and nothing is followed"))
        elif encoding.strip().lower() not in _PLAIN:
            self._ward.fail(Refused("its answer is encoded in a way that nobody asked for"))
        elif answer.status in {401, 403}:
            self._ward.fail(Refused(f"it lets nobody in with that credential (status {answer.status})"))
        elif answer.status == _GONE and request.method == "POST" and _SESSION in request.headers:
            self._ward.fail(Down("it does not know the session any more (status 404)"))
        kind = b"".join(value for name, value in answer.headers if name.lower() == _CONTENT)
        asked = self._asked_by(request) if answer.status < _FAILURE else None  # of which an error alone is taken
        correlation = Correlation(asked, by_events=kind.strip().lower().startswith(_EVENTS))
        body = _Counted(answer, self._ward, correlation)
        return httpx2.Response(status_code=answer.status, headers=answer.headers, stream=body)

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _asked_by(self, request: httpx2.Request) -> object:
        """Return the id that an answer may have: of what was sent, or of what was sent last and is taken up again."""
        if request.method == "GET":
            return self._asked if _RESUMED in request.headers else NOBODY
        message = read_message(request.content)
        asked = message.get("id") if "method" in message else None
        self._asked = self._asked if asked is None else asked
        return asked


_ENCODING, _CONTENT, _EVENTS = b"content-encoding", b"content-type", b"text/event-stream"
_SESSION, _RESUMED, _GONE = "mcp-session-id", "last-event-id", 404
_FAILURE = 400
_REQUEST_BYTES = 1_000  # counted for each request, so that a server cannot have any number of them made
_ANOTHER = Refused("it answers another question than was asked")


class _Counted(httpx2.AsyncByteStream):
    """A body whose bytes count for its session, and which ends where they are too many or answer what was not asked."""

    def __init__(self, answer: httpcore2.Response, ward: Ward, correlation: Correlation) -> None:
        self._answer = answer
        self._ward = ward
        self._correlation = correlation

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._answer.aiter_stream():
                if not self._ward.take(len(chunk)):
                    return
                if not self._correlation.fits(chunk):
                    self._ward.fail(_ANOTHER)
                    return
                yield chunk
            if not self._correlation.ends():
                self._ward.fail(_ANOTHER)
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise httpx2.ReadError(type(error).__name__) from error

    async def aclose(self) -> None:
        await self._answer.aclose()


class _Pinned(httpcore2.AsyncNetworkBackend):
    """Connects to given addresses, one after the other until one answers, whatever host it is told."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._addresses = tuple(addresses)
        self._backend = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,  # noqa: ARG002  # to look it up again could give another address than was checked
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # the base class names it
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        for address in self._addresses[:-1]:
            try:
                return await self._backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._backend.connect_tcp(self._addresses[-1], port, timeout, local_address, socket_options)
