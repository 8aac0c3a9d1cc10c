"""What a vendor's error means: the reason behind a status, its codes and the shape of its body."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from dream.models.port import Reason, Unanswered, Usage

_WORD = re.compile(r"[a-z][a-z0-9_.\[\]]{0,63}")
# Not "quota": some servers call a limit per minute by that name, and waiting helps against it.
_QUOTA = re.compile(
    r"insufficient_quota|insufficient_credits|insufficient credits|billing_|billing hard limit|credit balance"
    r"|usage limits|spend limit|spending limit"
)
_TOO_LONG = re.compile(
    r"context_length|context length|context size|context window|context_size|prompt is too long|too many tokens"
    r"|request too large|request_too_large|string_above_max_length|input is too long|maximum context|max_prompt_tokens"
)
_FILTERED = re.compile(r"content_filter|content_policy|content management policy|invalid_prompt|content_moderation")
_KEY = re.compile(r"invalid_api_key|api key not valid|api_key_invalid|incorrect api key|invalid x-api-key")
_OURS = re.compile(
    r"unsupported_parameter|unknown_parameter|unsupported_value|missing_required_parameter|invalid_json_schema"
    r"|model_not_found|unknown_model|invalid_model|extra inputs are not permitted|unexpected keyword"
)
_QUESTION = re.compile(r"input|messages|prompt|system|instructions|content")
_LONGEST_MESSAGE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An answer that is an error: its status, what its body says, and whether that body is the protocol's at all.

    `kind`, `code` and `param` are the body's fields, "" where absent; `message` decides and is never shown, for it may
    quote the question or the key.
    """

    status: int
    kind: str = ""
    code: str = ""
    param: str = ""
    message: str = ""
    is_json: bool = True
    retry_after: float | None = None

    @property
    def shown(self) -> str:
        """The status and what names the cause, in words that cannot carry text of others."""
        words = dict.fromkeys(word for word in (self.kind, self.code, self.param) if _WORD.fullmatch(word))
        return f"status {self.status}" + (f" ({', '.join(words)})" if words else "")


def read_refusal(status: int, body: object, headers: Mapping[str, str]) -> Refused:
    """Return the error in a decoded `body` of either vendor or a compatible server; anything may be in there."""
    error = body.get("error", body) if isinstance(body, dict) else None
    told = error if isinstance(error, dict) else {"message": error} if isinstance(error, str) else {}
    return Refused(
        status=status,
        kind=_text(told.get("type")),
        code=_text(told.get("code")),
        param=_text(told.get("param")),
        message=_text(told.get("message")),
        is_json=isinstance(body, dict),
        retry_after=retry_after(headers),
    )


def explain(refused: Refused) -> Unanswered:
    """Return the reason for an error, so that what follows from it fits: wait, split, skip, or stop asking tonight.

    An error 400 that names neither the length, the money, the key nor a parameter of ours is about this question: a
    server that chokes on what somebody wrote must not end the night for everything else.
    """
    return Unanswered(
        reason=_reason(refused), detail=refused.shown, usage=Usage(calls=1), retry_after=refused.retry_after
    )


_BY_STATUS = {
    401: Reason.UNAUTHORISED,
    402: Reason.QUOTA,
    408: Reason.OUTAGE,
    409: Reason.OUTAGE,
    413: Reason.TOO_LONG,
    425: Reason.OUTAGE,
}
_SERVER_ERROR = 500


def _reason(refused: Refused) -> Reason:
    match refused.status:
        case 400 | 422:
            return _by_text(refused, Reason.MISCONFIGURED if _is_ours(refused) else Reason.REFUSED)
        case 403:
            # A gateway that dislikes what is in the question answers with a page; vendors refuse a key in JSON.
            return _by_text(refused, Reason.UNAUTHORISED) if refused.is_json else Reason.FILTERED
        case 429:
            return _by_text(refused, Reason.RATE_LIMITED)
        case status if status >= _SERVER_ERROR:
            # Some local servers answer 500 where the question is longer than their context.
            return Reason.TOO_LONG if _TOO_LONG.search(_words(refused)) else Reason.OUTAGE
        case status:
            return _BY_STATUS.get(status, Reason.MISCONFIGURED)


def _by_text(refused: Refused, otherwise: Reason) -> Reason:
    words = _words(refused)
    for pattern, reason in (
        (_QUOTA, Reason.QUOTA),
        (_TOO_LONG, Reason.TOO_LONG),
        (_FILTERED, Reason.FILTERED),
        (_KEY, Reason.UNAUTHORISED),
    ):
        if pattern.search(words):
            return reason
    return otherwise


def _is_ours(refused: Refused) -> bool:
    if _OURS.search(_words(refused)):
        return True
    # Anthropic begins with the path of the field: `max_tokens: 32000 > 8192, …`, `messages.0.content: …`.
    path, colon, _ = refused.message.partition(": ")
    field = refused.param or (path if colon and _WORD.fullmatch(path) else "")
    return bool(field) and not _QUESTION.match(field)


def _words(refused: Refused) -> str:
    return f"{refused.kind} {refused.code} {refused.message[:_LONGEST_MESSAGE]}".lower()


def unusable(key: str | None, *, is_needed: bool) -> Unanswered | None:
    """Return why `key` cannot even be sent, None if it can be or none is needed."""
    if not key:
        return Unanswered(reason=Reason.UNAUTHORISED, detail="there is no key") if is_needed else None
    if not (key.isascii() and key.isprintable()) or " " in key:
        return Unanswered(reason=Reason.UNAUTHORISED, detail="the key holds characters that no header carries")
    return None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds the server asks to wait: milliseconds, seconds or a date beside its own `date`."""
    for name, unit in (("retry-after-ms", 1_000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds / unit
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        now = parsedate_to_datetime(headers.get("date", ""))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
