"""By what GitHub knows the reader: a token, or an app that is given one for an hour and for reading only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog

from dream.sources.instants import instant
from dream.sources.pull_requests.github.answers import read_status
from dream.sources.pull_requests.github.places import Places
from dream.sources.pull_requests.github.port import Unanswered, Want
from dream.sources.pull_requests.github.wire import Received, Wire

log = structlog.get_logger()

_BEFORE = timedelta(seconds=60)
_LIFE = timedelta(minutes=9)
_RENEWED = timedelta(minutes=5)
_SKEW = timedelta(seconds=30)
_PERMISSIONS = {"permissions": {"contents": "read", "metadata": "read", "pull_requests": "read"}}
_UNAUTHORISED = 401


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogin:
    """A token of a person or of a machine's account."""

    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppLogin:
    """A GitHub App by its id and one installation of it; `private_key` is a PEM."""

    id: int
    installation: int
    private_key: str = field(repr=False)


Login = TokenLogin | AppLogin


class Tokens:
    """Gives the token for the next request, and a new one to an app before the old one ends."""

    def __init__(self, login: Login, places: Places, wire: Wire, *, now: Callable[[], datetime]) -> None:
        """Log in as `login` to the GitHub at `places`; `now` returns aware instants."""
        self._login = login
        self._places = places
        self._wire = wire
        self._now = now
        self._skew = timedelta()
        self._token = ""
        self._ends: datetime | None = None

    @property
    def can_renew(self) -> bool:
        """Whether a token that is not accepted can be replaced by another."""
        return isinstance(self._login, AppLogin)

    def forget(self) -> None:
        """Take the token that is held for one that is not accepted any more."""
        self._token = ""

    def token(self) -> str | Unanswered:
        """Return the token to send, or why there is none."""
        if isinstance(self._login, TokenLogin):
            return _header(self._login.secret)
        if self._token and self._ends is not None and self._now() + self._skew < self._ends - _RENEWED:
            return self._token
        received = self._ask(self._login)
        if isinstance(received, Received) and received.status == _UNAUTHORISED and self._has_skew(received):
            received = self._ask(self._login)
        if isinstance(received, Unanswered):
            return received
        return self._read(received)

    def _ask(self, login: AppLogin) -> Received | Unanswered:
        signed = _signed(login, self._now() + self._skew)
        if isinstance(signed, Unanswered):
            return signed
        return self._wire.send("POST", self._places.token(login.installation), token=signed, body=_PERMISSIONS)

    def _has_skew(self, received: Received) -> bool:
        """Whether the server's clock is another than this machine's; the next signature is dated by it."""
        dated = received.dated
        skew = dated - self._now() if dated is not None else timedelta()
        if abs(skew - self._skew) < _SKEW:
            return False
        self._skew = skew
        log.warning("github.clock_differed", seconds=round(skew.total_seconds()))
        return True

    def _read(self, received: Received) -> str | Unanswered:
        trouble = read_status(received, now=self._now(), gateway=Want.DOWN)
        if trouble is not None:
            told = trouble.unanswered
            # an installation that is gone is a login that is not accepted, whatever the status
            want = Want.REFUSED_LOGIN if told.want is Want.ABSENT else told.want
            return Unanswered(want=want, reason=f"no token for the app: {told.reason}")
        match received.body:
            case {"token": str(token), "expires_at": str(ends)} if token and instant(ends):
                self._token, self._ends = token, instant(ends)
                return _header(token)
            case _:
                return Unanswered(want=Want.DOWN, reason="no token for the app: an answer without one")


def _header(secret: str) -> str | Unanswered:
    if not (secret.isascii() and secret.isprintable()) or " " in secret or not secret:
        return Unanswered(want=Want.REFUSED_LOGIN, reason="the token holds characters that no header carries")
    return secret


def _signed(login: AppLogin, now: datetime) -> str | Unanswered:
    import jwt  # noqa: PLC0415  `dream --help` needs none of it

    claims = {"iat": int((now - _BEFORE).timestamp()), "exp": int((now + _LIFE).timestamp()), "iss": str(login.id)}
    key = login.private_key if "\n" in login.private_key else login.private_key.replace("\\n", "\n")
    try:
        return jwt.encode(claims, key, algorithm="RS256")
    except (jwt.PyJWTError, ValueError, TypeError) as error:
        return Unanswered(want=Want.REFUSED_LOGIN, reason=f"the app's private key is none ({type(error).__name__})")
