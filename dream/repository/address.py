"""Where a repository is and who may enter: addresses without secrets, and secrets that stay out of every text."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from dream.errors import UsageError

_HTTP_LOGIN = re.compile(r"(https?://)[^/\s]*@")
_PASSWORD = re.compile(r"(://[^/\s@:]*):[^/\s]*@")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_HIDDEN = "***"


@dataclass(frozen=True, slots=True, kw_only=True)
class Credential:
    """A token for an http address; its secret shows in no representation."""

    secret: str = field(repr=False)
    user: str = "x-access-token"

    def header(self) -> str:
        """The Authorization header that the address expects."""
        return "Authorization: Basic " + self._encoded()

    def secrets(self) -> tuple[str, ...]:
        """Every spelling of the secret that could show up in a text, longest first."""
        spellings = {self.secret, quote(self.secret, safe=""), self._encoded()}
        return tuple(sorted((spelling for spelling in spellings if spelling), key=len, reverse=True))

    def _encoded(self) -> str:
        return base64.b64encode(f"{self.user}:{self.secret}".encode()).decode()


CredentialSource = Callable[[], Credential | None]
"""Asked afresh before each use of the network, so that a rotated token is noticed."""


def no_credential() -> Credential | None:
    """The credential of an address that needs none."""
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A repository's address without login, and the login that was written into it, if any."""

    url: str
    login: Credential | None = None

    @property
    def origin(self) -> str:
        """Scheme, host and port of an http address, with a final slash; empty for any other."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}/" if parts.scheme in {"http", "https"} else ""


def parse_address(url: str) -> Address:
    """Take the login out of an http address, because arguments of processes can be read by others.

    Raises UsageError where the text is no address that git could be given.
    """
    shown = scrub(url, ())
    if not url or url != url.strip() or _CONTROL.search(url) or "\n" in url or "\t" in url or url.startswith("-"):
        message = f"{shown!r} is no address of a repository"
        raise UsageError(message, way_out="correct memory.url")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as invalid:
        message = f"{shown!r} is no address of a repository"
        raise UsageError(message, way_out="correct memory.url") from invalid
    if parts.scheme not in {"http", "https"}:
        return Address(url=url)
    if not host:
        message = f"{shown!r} names no host"
        raise UsageError(message, way_out="correct memory.url")
    if "@" not in parts.netloc:
        return Address(url=url)
    login = Credential(user=unquote(parts.username or ""), secret=unquote(parts.password or ""))
    name = f"[{host}]" if ":" in host else host
    bare = urlunsplit(parts._replace(netloc=name if port is None else f"{name}:{port}"))
    return Address(url=bare, login=login)


def scrub(text: str, secrets: Iterable[str]) -> str:
    """Take secrets and logins out of a text, and make its control characters visible."""
    for secret in secrets:
        text = text.replace(secret, _HIDDEN)
    text = _HTTP_LOGIN.sub(rf"\1{_HIDDEN}@", text)
    return escape_controls(_PASSWORD.sub(rf"\1:{_HIDDEN}@", text))


def escape_controls(text: str) -> str:
    r"""Show control and direction characters but `\n` and `\t` as escapes, so that no text can act on a terminal."""
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
