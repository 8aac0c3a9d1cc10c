"""Everything that a vendor of models has been seen to do, each with the reason that it must be known for.

A fault is told what it is asked and what a model that is well would have written, so that nothing but the fault stands
between a question and its answer.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from dream.models.port import Reason
from tests.support.vendors import (
    Drop,
    Request,
    Response,
    anthropic_text,
    chat_text,
    dropped,
    error,
    html,
    openai_text,
    said,
)

Spoil = Callable[[str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """How a vendor answers instead of as it should, and what that must be taken for."""

    reason: Reason
    answer: Callable[[Request, str], Response]


def _text(spoil: Spoil) -> Fault:
    """What a model writes, sent as every reply is sent."""
    return Fault(reason=Reason.INVALID, answer=lambda request, good: said(request, spoil(good)))


def _first(value: str) -> Spoil:
    """Put `value` in the place of the first value of a reply, which is its reasoning."""
    return lambda good: f'{{"reasoning": {value}{good[good.index(", ") :]}'


TEXTS: Mapping[str, Fault] = {
    name: _text(spoil)
    for name, spoil in {
        "garbage": lambda _: "\x07 lorem { ipsum \x00",
        "nothing": lambda _: "",
        "blanks": lambda _: " \n\t ",
        "cut-json": lambda good: good[: len(good) // 2],
        "all-but-the-end": lambda good: good[:-1],
        "nan": _first("NaN"),
        "infinity": _first("-Infinity"),
        "float-overflow": _first("1e999"),
        "duplicate-key": lambda good: f'{{"reasoning": "x", {good[1:]}',
        "nested-100000": _first("[" * 100_000 + "]" * 100_000),
        "nested-objects": _first('{"a":' * 100_000 + "1" + "}" * 100_000),
        "half-a-surrogate-pair": _first('"\\ud800"'),
        "half-a-pair-as-it-is": _first('"\ud800"'),
        "5000-digits": _first("9" * 5_000),
        "19-digits": _first("9" * 19),
        "prose-before": lambda good: f"Here is what I found:\n{good}",
        "prose-after": lambda good: f"{good}\n\nLet me know if you need more {{details}}!",
        "in-a-markdown-fence": lambda good: f"```json\n{good}\n```",
        "twice": lambda good: f"{good}\n{good}",
        "a-list": lambda good: f"[{good}]",
        "json-in-a-string": json.dumps,
        "null": lambda _: "null",
        "another-object": lambda _: '{"answer": "yes"}',
        "a-key-more": lambda good: f'{{"delete": ["services/checkout.md"], {good[1:]}',
        "a-key-less": lambda good: "{" + good[good.index(", ") + 2 :],
        "a-number-for-text": _first("7"),
        "single-quotes": lambda good: good.replace('"', "'"),
        "a-mark-before-it": lambda good: f"\ufeff{good}",
        "a-megabyte": _first(json.dumps("x" * 1_100_000)),
        "a-page": lambda _: "<!doctype html><title>Sign in</title>",
    }.items()
}
"""What a model may write instead of a reply."""


def _ended(request: Request, good: str, *, response: Mapping[str, str], chat: str, message: str) -> Response:
    if request.path.endswith("/responses"):
        return openai_text(good, **response)  # type: ignore[arg-type]  # each has the words of its own protocol
    if request.path.endswith("/completions"):
        return chat_text("", refusal="no") if chat == "refusal" else chat_text(good, finish_reason=chat)
    return anthropic_text(good, stop_reason=message)


def _whatever(reason: Reason, response: Response) -> Fault:
    return Fault(reason=reason, answer=lambda _request, _good: response)


def _body(body: bytes) -> Response:
    return Response(body=body)


_CUT = {"status": "incomplete", "incomplete": "max_output_tokens"}
_ZIPPED = Response(
    body=gzip.compress(b"[" + b" " * 50_000_000 + b"]"),
    headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
)

ENDS: Mapping[str, Fault] = {
    "refused": Fault(
        reason=Reason.REFUSED,
        answer=lambda request, good: _ended(
            request, good, response={"refusal": "I would rather not"}, chat="refusal", message="refusal"
        ),
    ),
    "cut-at-the-limit": Fault(
        reason=Reason.TRUNCATED,
        answer=lambda request, good: _ended(request, good, response=_CUT, chat="length", message="max_tokens"),
    ),
    "filtered": Fault(
        reason=Reason.FILTERED,
        answer=lambda request, good: (
            error(400, kind="invalid_request_error", code="content_filter")
            if request.path.endswith("/messages")
            else _ended(
                request,
                good,
                response={"status": "incomplete", "incomplete": "content_filter"},
                chat="content_filter",
                message="",
            )
        ),
    ),
}
"""How a model may end instead of at the end of its reply, which is whole all the same."""

BODIES: Mapping[str, Fault] = {
    "html-with-status-200": _whatever(Reason.OUTAGE, html()),
    "html-called-json": _whatever(Reason.OUTAGE, html(content_type="application/json")),
    "no-body": _whatever(Reason.OUTAGE, _body(b"")),
    "a-body-that-is-a-list": _whatever(Reason.OUTAGE, _body(b"[]")),
    "a-body-that-is-null": _whatever(Reason.OUTAGE, _body(b"null")),
    "a-body-nested-100000": _whatever(Reason.OUTAGE, _body(b"[" * 100_000)),
    "a-body-not-utf-8": _whatever(Reason.OUTAGE, _body(b"\xff\xfe{\x00")),
    "a-zip-bomb": _whatever(Reason.OUTAGE, _ZIPPED),
    "html-502": _whatever(Reason.OUTAGE, html(502)),
    "500": _whatever(Reason.OUTAGE, error(500, kind="server_error")),
    "529": _whatever(Reason.OUTAGE, error(529, kind="overloaded_error")),
    "529-with-retry-after": _whatever(Reason.OUTAGE, error(529, kind="overloaded_error", headers={"Retry-After": "3"})),
    "429-with-retry-after": _whatever(
        Reason.RATE_LIMITED, error(429, code="rate_limit_exceeded", headers={"Retry-After": "7"})
    ),
    "429-until-tomorrow": _whatever(
        Reason.RATE_LIMITED, error(429, code="rate_limit_exceeded", headers={"Retry-After": "86400"})
    ),
    "429-until-whenever": _whatever(Reason.RATE_LIMITED, error(429, headers={"Retry-After": "soon"})),
    "dropped-before-the-headers": Fault(
        reason=Reason.OUTAGE, answer=lambda request, good: dropped(Drop.BEFORE_HEADERS, said(request, good))
    ),
    "dropped-before-the-body": Fault(
        reason=Reason.OUTAGE, answer=lambda request, good: dropped(Drop.BEFORE_BODY, said(request, good))
    ),
    "dropped-in-the-body": Fault(
        reason=Reason.OUTAGE, answer=lambda request, good: dropped(Drop.IN_BODY, said(request, good))
    ),
    "too-long": _whatever(Reason.TOO_LONG, error(400, code="context_length_exceeded", kind="invalid_request_error")),
    "413": _whatever(Reason.TOO_LONG, error(413, kind="request_too_large")),
    "400": _whatever(Reason.REFUSED, error(400, kind="invalid_request_error")),
    "a-page-of-a-gateway-403": _whatever(Reason.FILTERED, html(403)),
}
"""What may come instead of an answer, to one question or to all."""

STOPS: Mapping[str, Fault] = {
    "401": _whatever(Reason.UNAUTHORISED, error(401, code="invalid_api_key", kind="authentication_error")),
    "403": _whatever(Reason.UNAUTHORISED, error(403, kind="permission_error")),
    "quota": _whatever(Reason.QUOTA, error(429, code="insufficient_quota")),
    "402": _whatever(Reason.QUOTA, error(402, kind="billing_error")),
    "no-such-model": _whatever(Reason.MISCONFIGURED, error(404, code="model_not_found", kind="not_found_error")),
    "a-redirect": _whatever(
        Reason.MISCONFIGURED, replace(html(307), headers={"Location": "http://127.0.0.1:9/elsewhere"})
    ),
}
"""What says that no further question will be answered tonight."""

ONE_QUESTION = {**TEXTS, **ENDS, **BODIES}
"""Faults after which the next question is asked all the same."""

FAULTS = {**ONE_QUESTION, **STOPS}
"""All of them, by name."""
