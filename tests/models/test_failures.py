"""What a vendor's error comes to."""

from __future__ import annotations

import pytest

from dream.models.failures import explain, read_refusal, retry_after
from dream.models.port import Reason, Unanswered, Usage

ONE_CALL = Usage(calls=1)


def openai(message: str = "", *, kind: str | None = None, code: str | None = None, param: str | None = None) -> object:
    return {"error": {"message": message, "type": kind, "code": code, "param": param}}


def anthropic(kind: str, message: str = "") -> object:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


@pytest.mark.parametrize(
    ("status", "body", "reason", "detail"),
    [
        (
            401,
            openai("Incorrect API key provided: sk-abc", code="invalid_api_key"),
            Reason.UNAUTHORISED,
            "invalid_api_key",
        ),
        (401, anthropic("authentication_error", "invalid x-api-key"), Reason.UNAUTHORISED, "authentication_error"),
        (403, anthropic("permission_error"), Reason.UNAUTHORISED, "permission_error"),
        (403, "<html>blocked by policy</html>", Reason.FILTERED, ""),
        (400, openai("API key not valid. Please pass a valid API key."), Reason.UNAUTHORISED, ""),
        (402, anthropic("billing_error"), Reason.QUOTA, "billing_error"),
        (
            400,
            anthropic("invalid_request_error", "Your credit balance is too low"),
            Reason.QUOTA,
            "invalid_request_error",
        ),
        (429, openai(kind="insufficient_quota", code="insufficient_quota"), Reason.QUOTA, "insufficient_quota"),
        (
            429,
            openai("Rate limit reached", kind="tokens", code="rate_limit_exceeded"),
            Reason.RATE_LIMITED,
            "tokens, rate_limit_exceeded",
        ),
        (429, [{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}], Reason.RATE_LIMITED, ""),
        (
            429,
            openai("Request too large for m on tokens per min", code="rate_limit_exceeded"),
            Reason.TOO_LONG,
            "rate_limit_exceeded",
        ),
        (
            400,
            openai(code="context_length_exceeded", param="messages"),
            Reason.TOO_LONG,
            "context_length_exceeded, messages",
        ),
        (
            400,
            anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
            Reason.TOO_LONG,
            "invalid_request_error",
        ),
        (
            400,
            openai("the request exceeds the available context size", kind="exceed_context_size_error"),
            Reason.TOO_LONG,
            "exceed_context_size_error",
        ),
        (413, anthropic("request_too_large"), Reason.TOO_LONG, "request_too_large"),
        (413, "<html>too large</html>", Reason.TOO_LONG, ""),
        (500, openai("the input is larger than the context size"), Reason.TOO_LONG, ""),
        (400, openai(code="content_filter"), Reason.FILTERED, "content_filter"),
        (400, openai(code="invalid_prompt"), Reason.FILTERED, "invalid_prompt"),
        (404, openai(code="model_not_found"), Reason.MISCONFIGURED, "model_not_found"),
        (404, "404 page not found", Reason.MISCONFIGURED, ""),
        (405, {}, Reason.MISCONFIGURED, ""),
        (302, "", Reason.MISCONFIGURED, ""),
        (
            400,
            openai(code="unsupported_parameter", param="prompt_cache_options"),
            Reason.MISCONFIGURED,
            "unsupported_parameter, prompt_cache_options",
        ),
        (
            400,
            openai(code="invalid_json_schema", param="text.format.schema"),
            Reason.MISCONFIGURED,
            "invalid_json_schema, text.format.schema",
        ),
        (
            400,
            anthropic("invalid_request_error", "max_tokens: 99999 > 8192"),
            Reason.MISCONFIGURED,
            "invalid_request_error",
        ),
        (422, {"detail": [{"loc": ["body"]}]}, Reason.REFUSED, ""),
        (
            400,
            anthropic("invalid_request_error", "messages.0.content: bad text"),
            Reason.REFUSED,
            "invalid_request_error",
        ),
        (400, openai("invalid special token", param="messages[0].content"), Reason.REFUSED, "messages[0].content"),
        (400, {"error": "what somebody wrote made me choke"}, Reason.REFUSED, ""),
        (408, {}, Reason.OUTAGE, ""),
        (409, {}, Reason.OUTAGE, ""),
        (500, anthropic("api_error"), Reason.OUTAGE, "api_error"),
        (502, "<html>bad gateway</html>", Reason.OUTAGE, ""),
        (503, None, Reason.OUTAGE, ""),
        (529, anthropic("overloaded_error"), Reason.OUTAGE, "overloaded_error"),
    ],
)
def test_each_error_has_the_reason_that_its_consequence_fits(
    status: int, body: object, reason: Reason, detail: str
) -> None:
    told = f"status {status} ({detail})" if detail else f"status {status}"
    assert explain(read_refusal(status, body, {})) == Unanswered(reason=reason, detail=told, usage=ONE_CALL)


@pytest.mark.parametrize(
    "body",
    [
        openai(code="sk-proj-AbC123", kind="Your prompt said: hello", param="x" * 65),
        {"error": {"type": ["a"], "code": {"b": 1}, "param": None, "message": 7}},
        {"error": None},
        [],
        7,
        {"error": {"code": "line\nbreak"}},
    ],
)
def test_nothing_of_a_body_is_shown_that_is_no_plain_word(body: object) -> None:
    assert explain(read_refusal(500, body, {})).detail == "status 500"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "20"}, 20.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "later"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 04:01:30 GMT", "date": "Mon, 30 Nov 2026 04:00:00 GMT"}, 90.0),
        ({"retry-after": "Mon, 30 Nov 2026 03:59:00 GMT", "date": "Mon, 30 Nov 2026 04:00:00 GMT"}, 0.0),
        ({"retry-after": "Mon, 30 Nov 2026 04:01:30 GMT"}, None),
    ],
)
def test_a_server_asks_for_time_in_several_ways(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds
