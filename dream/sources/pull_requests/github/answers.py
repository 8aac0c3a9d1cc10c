"""What an answer of GitHub means: data, or why there is none and how long waiting for it could help. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from dream.sources.instants import instant
from dream.sources.pull_requests.github.port import Answered, Missing, Unanswered, Want
from dream.sources.pull_requests.github.wire import Received

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_LIMITED = frozenset({"RATE_LIMITED", "RATE_LIMIT"})
_TOO_MUCH = frozenset({"RESOURCE_LIMITS_EXCEEDED", "MAX_NODE_LIMIT_EXCEEDED", "TIMEOUT"})
_ABSENT = frozenset({"NOT_FOUND", "FORBIDDEN"})
_ABUSE = re.compile(r"(?i)secondary rate limit|abuse detection|rate limit")
_GAVE_UP = re.compile(r"(?i)something went wrong while executing your query|timeout|timed out")
UNASKED_SECONDS = 60.0
"""What GitHub wants to be waited for where it does not say."""
_OK = range(200, 300)
_TOO_LARGE = (502, 504)
_LATEST = 4_102_444_800


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Why an answer holds no data; after `wait_seconds` the same question may be answered, None: that is not known."""

    unanswered: Unanswered
    wait_seconds: float | None = None


def read_answer(received: Received, *, now: datetime) -> Answered | Trouble:
    """Return the data of an answer to GraphQL, or why there is none."""
    trouble = read_status(received, now=now, gateway=Want.TOO_MUCH)
    if trouble is not None:
        return trouble
    match received.body:
        case {"errors": [_, *_] as errors, **rest}:
            return _with_errors(received, rest.get("data"), errors, now)
        case {"data": dict(data)}:
            return Answered(data=data)
        case _:
            return _down("an answer without data")


def read_files(received: Received, *, now: datetime) -> tuple[Mapping[str, Any], ...] | Trouble:
    """Return the files of a comparison, or why there are none."""
    trouble = read_status(received, now=now, gateway=Want.TOO_MUCH)
    if trouble is not None:
        return trouble
    match received.body:
        case {"files": list(files)}:
            return tuple(file for file in files if isinstance(file, dict))
        case _:
            return _down("a comparison without files")


def read_status(received: Received, *, now: datetime, gateway: Want) -> Trouble | None:
    """Return what a status alone says, None where the answer is to be read; `gateway` is what 502 and 504 mean."""
    status = received.status
    if status in _OK:
        return None if received.is_json else _down("an answer that is no JSON")
    if status == 429 or (status == 403 and _is_limit(received)):  # noqa: PLR2004
        return _limited(received, now)
    if status in {401, 407}:
        return _trouble(Want.REFUSED_LOGIN, f"the login is not accepted (status {status})")
    if status in {301, 302, 303, 307, 308, 403, 404, 409, 410, 422, 451}:
        return _trouble(Want.ABSENT, f"it is not there, or may not be read (status {status})")
    if status in _TOO_LARGE:
        return _trouble(gateway, f"the server gave up (status {status})")
    return _down(f"the server failed (status {status})")


def _with_errors(received: Received, data: object, errors: Sequence[object], now: datetime) -> Answered | Trouble:
    told = [error for error in errors if isinstance(error, dict)]
    kinds = [_kind(error) for error in told]
    if _LIMITED & set(kinds):
        return _limited(received, now)
    if _TOO_MUCH & set(kinds):
        return _trouble(Want.TOO_MUCH, f"the server gave up ({next(kind for kind in kinds if kind in _TOO_MUCH)})")
    if isinstance(data, dict) and any(value is not None for name, value in data.items() if name != "rateLimit"):
        paths = (tuple(_path(error)) for error in told)
        return Answered(
            data=data, missing=tuple(Missing(path=path, kind=kind) for path, kind in zip(paths, kinds, strict=True))
        )
    if any(_GAVE_UP.search(_text(error.get("message"))) for error in told):
        return _trouble(Want.TOO_MUCH, "the server gave up on the question")
    named = next((kind for kind in kinds if kind), "without a reason")
    if named in _ABSENT:
        return _trouble(Want.ABSENT, f"it is not there, or may not be read ({named})")
    return _down(f"the server refused the question ({named})")


def _limited(received: Received, now: datetime) -> Trouble:
    """Say how long a rate limit lasts, by the server's own clock where it tells it."""
    headers = received.headers
    seconds = _number(headers.get("retry-after", ""))
    reset = _number(headers.get("x-ratelimit-reset", ""))
    if seconds is None and headers.get("x-ratelimit-remaining") == "0" and reset is not None and reset < _LATEST:
        seconds = max(0.0, (datetime.fromtimestamp(reset, UTC) - (received.dated or now)).total_seconds())
    wait = UNASKED_SECONDS if seconds is None else seconds
    return _trouble(Want.LIMITED, f"the rate limit is spent for {math.ceil(wait)} seconds", wait)


def spent_seconds(data: Mapping[str, Any], *, now: datetime) -> float:
    """Return for how long an answer says that nothing else of its cost will be answered, 0 while there is enough."""
    match data.get("rateLimit"):
        case {"cost": int(cost), "remaining": int(remaining), "resetAt": str(reset)} if remaining < max(cost, 1):
            at = instant(reset)
            return max(0.0, (at - now).total_seconds()) if at else 0.0
        case _:
            return 0.0


def _is_limit(received: Received) -> bool:
    if "retry-after" in received.headers or received.headers.get("x-ratelimit-remaining") == "0":
        return True
    told = received.body.get("message") if isinstance(received.body, dict) else ""
    return _ABUSE.search(_text(told)) is not None


def _trouble(want: Want, reason: str, wait_seconds: float | None = None) -> Trouble:
    return Trouble(unanswered=Unanswered(want=want, reason=reason), wait_seconds=wait_seconds)


def _down(reason: str) -> Trouble:
    return _trouble(Want.DOWN, reason)


def _kind(error: Mapping[str, Any]) -> str:
    """Return the platform's word for an error, "" for what is no word."""
    told = error.get("type")
    if not told and isinstance(error.get("extensions"), dict):
        told = error["extensions"].get("code")
    return told if isinstance(told, str) and _WORD.fullmatch(told) else ""


def _path(error: Mapping[str, Any]) -> Sequence[str | int]:
    told = error.get("path")
    return [part for part in told if isinstance(part, str | int)] if isinstance(told, list) else []


def _text(value: object) -> str:
    return value[:2_000] if isinstance(value, str) else ""


def _number(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
