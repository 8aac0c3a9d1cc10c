"""Connections to addresses that were checked, and to no other, which end with the time and the bytes that they have."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import httpcore2

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Down, Refused


class TooMuchError(Exception):
    """More came over a connection than any answer within its limits needs."""


class EncodedError(Exception):
    """A body is encoded in a way that nobody asked for, or not as it says."""


class Allowance:
    """The seconds and the bytes that are left for one answer."""

    def __init__(self, *, seconds: float, most_bytes: int, clock: Callable[[], float]) -> None:
        """Begin to count the seconds."""
        self._until = clock() + seconds
        self._bytes = most_bytes
        self._clock = clock

    def seconds(self) -> float:
        """Return the seconds that are left.

        Raises httpcore2.ReadTimeout where none are.
        """
        left = self._until - self._clock()
        if left <= 0:
            message = "the time is over"
            raise httpcore2.ReadTimeout(message)
        return left

    def take(self, count: int) -> None:
        """Count bytes that came.

        Raises TooMuchError where they are more than were left.
        """
        self._bytes -= count
        if self._bytes < 0:
            raise TooMuchError


class PinnedBackend(httpcore2.NetworkBackend):
    """Connects to `addresses`, one after the other until one answers, whatever host it is told."""

    def __init__(self, addresses: Sequence[str], allowance: Allowance) -> None:
        """Take addresses that may be connected to."""
        self._addresses = tuple(addresses)
        self._allowance = allowance

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002  # to look it up again could give another address than was checked
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Return a connection to the first address that answers.

        Raises httpcore2.ConnectError and httpcore2.ConnectTimeout of the last one.
        """
        last = len(self._addresses) - 1
        for place, address in enumerate(self._addresses):
            share = self._allowance.seconds() / (last + 1 - place)
            try:
                stream = httpcore2.SyncBackend().connect_tcp(address, port, share, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                if place == last:
                    raise
            else:
                return _Allowed(stream, self._allowance)
        message = "no address"
        raise httpcore2.ConnectError(message)


class _Allowed(httpcore2.NetworkStream):
    """A connection of which every wait ends with the allowance, and every byte counts."""

    def __init__(self, stream: httpcore2.NetworkStream, allowance: Allowance) -> None:
        self._stream = stream
        self._allowance = allowance

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        data = self._stream.read(max_bytes, self._allowance.seconds())
        self._allowance.take(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        self._stream.write(buffer, self._allowance.seconds())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, self._allowance.seconds())
        return _Allowed(stream, self._allowance)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def read_body(chunks: Iterable[bytes], encoding: str, most_bytes: int) -> bytes:
    """Return a body, unzipped where it is zipped, although nobody asked for that.

    Raises TooMuchError for one that is longer than `most_bytes`, unzipped as well, of which no more is made than that;
    EncodedError for one that is encoded otherwise, or not to its end.
    """
    if encoding not in {"", "identity", "gzip", "x-gzip"}:
        raise EncodedError
    body = bytearray()
    unzip = zlib.decompressobj(wbits=31) if "gzip" in encoding else None
    for chunk in chunks:
        try:
            body += unzip.decompress(chunk, most_bytes + 1 - len(body)) if unzip else chunk
        except zlib.error as error:
            raise EncodedError from error
        if len(body) > most_bytes:
            raise TooMuchError
    if unzip and (not unzip.eof or unzip.unused_data):
        raise EncodedError
    return bytes(body)


FAILURES = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
    TooMuchError,
    EncodedError,
    OSError,
    ValueError,
)


def explain_failure(error: Exception, limits: ProbeLimits) -> Down | Refused:
    """Return what went wrong, in fixed words: what a server says of it may be anything."""
    match error:
        case TooMuchError():
            return Refused(f"its answer is longer than {limits.output_bytes} bytes")
        case EncodedError():
            return Refused("its answer is encoded in a way that nobody asked for")
        case httpcore2.TimeoutException():
            reason = f"it gave no whole answer within {limits.seconds:g} s"
        case httpcore2.ConnectError() if _has_cause(error, ssl.SSLError):
            reason = "it speaks no TLS, or has no certificate that can be trusted"
        case httpcore2.ConnectError():
            reason = "nothing answers at its address"
        case httpcore2.ProtocolError():
            reason = "what it answers is no HTTP, or not all of it"
        case _:
            reason = "the connection broke"
    return Down(reason)


def _has_cause(error: BaseException, kind: type[BaseException]) -> bool:
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, kind):
        seen = seen.__cause__ or seen.__context__
    return seen is not None
