"""One GET of a server, within a time and a size; nothing is followed, kept, sent or believed beyond it."""

from __future__ import annotations

import re
import ssl
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from urllib.parse import unquote, urlencode, urlsplit

import httpcore2
import httpx2

from dream.sources.production.connections import FAILURES, Allowance, PinnedBackend, explain_failure, read_body
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.networks import Resolve, allowed_addresses
from dream.sources.production.port import Down, Refused
from dream.sources.production.responses import Response

_AGENT = f"nightly-dreaming/{version('nightly-dreaming')}"
_PORTS = {"http": 80, "https": 443}
_PATH = re.compile(r"(?:/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2}){1,1000})*/?")
_HEADER_NAME = re.compile(r"[A-Za-z0-9-]{1,100}")
_HEADER_VALUE = re.compile(r"[\x21-\x7e]([\x20-\x7e]{0,9998}[\x21-\x7e])?")
_FOR_HEADERS = 200_000
_ELSEWHERE = range(300, 400)
_SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where one question goes."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def name(self) -> str:
        """The host as certificates and headers name it, without the dot that ends it for a look-up."""
        return self.host.removesuffix(".")

    @property
    def authority(self) -> str:
        host = f"[{self.name}]" if ":" in self.host else self.name
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


class Web:
    """A server below one address, that is only ever asked with GET; nothing of it raises.

    `headers` are sent to it with every question and to nobody else: a redirect is followed nowhere. What the
    environment says of proxies and logins counts for nothing; of certificates (SSL_CERT_FILE) it does, as whoever runs
    this may have an authority of their own.
    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str] | None = None,
        internal: bool = False,
        limits: ProbeLimits | None = None,
        resolve: Resolve | None = None,
        tls: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take an address such as https://status.acme.example/api; with `internal` it may be in this network."""
        self._base_url = base_url
        self._headers: dict[str, str] = dict(headers or {})
        self._internal = internal
        self._limits = limits or ProbeLimits()
        self._resolve = resolve
        self._tls = tls
        self._clock = clock

    def get(
        self, path: str, query: Iterable[tuple[str, str]] = (), *, with_body: bool = True
    ) -> Response | Down | Refused:
        """Return what the server says to GET of a path below its address, whatever the status but a redirect.

        The path begins with `/` and is escaped where it has to be; the query is escaped here. Without its body an
        answer ends with its headers. One that holds what was sent as a credential is refused.
        """
        place = self._place(path, query)
        if isinstance(place, Refused):
            return place
        started = self._clock()
        seconds = self._limits.seconds
        addresses = allowed_addresses(
            place.host, place.port, internal=self._internal, seconds=seconds, resolve=self._resolve
        )
        if not isinstance(addresses, tuple):
            return addresses
        allowance = Allowance(
            seconds=seconds - (self._clock() - started),
            most_bytes=2 * self._limits.output_bytes + _FOR_HEADERS,
            clock=self._clock,
        )
        try:
            response = self._exchange(place, PinnedBackend(addresses, allowance), with_body=with_body)
        except FAILURES as error:
            return explain_failure(error, self._limits)
        return Refused("its answer holds the credential that it was sent") if self._tells(response) else response

    def _place(self, path: str, query: Iterable[tuple[str, str]]) -> _Place | Refused:
        try:
            parts = urlsplit(self._base_url)
            scheme, port = parts.scheme, parts.port
            host = (parts.hostname or "").encode("idna").decode("ascii")
        except ValueError:
            return Refused("its address is none")
        if scheme not in _PORTS or not host or "@" in parts.netloc or parts.query or parts.fragment:
            return Refused("its address is none of a web server, or holds more than that")
        whole = parts.path.rstrip("/") + path
        if not path.startswith("/") or not _PATH.fullmatch(whole) or {".", ".."} & set(unquote(whole).split("/")):
            return Refused("the path is none that can be asked for")
        if any(
            not _HEADER_NAME.fullmatch(name) or not _HEADER_VALUE.fullmatch(self._headers[name])
            for name in self._headers
        ):
            return Refused("its credential is nothing that a header can hold")
        asked = urlencode(tuple(query))
        return _Place(
            scheme=scheme,
            host=host,
            port=_PORTS[scheme] if port is None else port,
            target=whole + (asked and f"?{asked}"),
        )

    def _tells(self, response: Response | Refused) -> bool:
        if isinstance(response, Refused):
            return False
        said = response.body + "\n".join(value for _, value in response.headers).encode()
        secrets = (value.split()[-1] for value in self._headers.values())
        return any(len(secret) >= _SHORTEST_SECRET and secret.encode() in said for secret in secrets)

    def _exchange(self, place: _Place, backend: PinnedBackend, *, with_body: bool) -> Response | Refused:
        url = httpcore2.URL(scheme=place.scheme, host=place.name, port=place.port, target=place.target)
        headers: list[tuple[bytes | str, bytes | str]] = [
            ("Host", place.authority),
            ("User-Agent", _AGENT),
            ("Accept", "application/json, text/plain;q=0.9, */*;q=0.1"),
            ("Accept-Encoding", "identity"),
            ("Connection", "close"),
            *self._headers.items(),
        ]
        tls = (self._tls or _trusted()) if place.scheme == "https" else None
        with (
            httpcore2.ConnectionPool(ssl_context=tls, network_backend=backend) as pool,
            pool.stream("GET", url, headers=headers) as answer,
        ):
            if answer.status in _ELSEWHERE:
                return Refused(f"it sends elsewhere (status {answer.status}), and nothing is followed")
            given = tuple((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in answer.headers)
            encoding = ", ".join(value for name, value in given if name == "content-encoding").strip().lower()
            body = read_body(answer.iter_stream(), encoding, self._limits.output_bytes) if with_body else b""
            return Response(status=answer.status, headers=given, body=body)


@cache
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context()
