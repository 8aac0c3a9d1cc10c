"""What is Anthropic's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dream.models.anthropic import AnthropicModel
from dream.models.port import Reason, Replied, Unanswered, Usage
from tests.models.vendors import GOOD, LIMITS, MESSAGES, PROMPT, SCHEMA, SECRET, Word
from tests.support.vendors import Response, anthropic_text, vendor_server


def sent(**settings: Any) -> dict[str, Any]:
    with vendor_server(lambda _request: MESSAGES.build(GOOD)) as server:
        assert isinstance(MESSAGES.model(server, **settings).ask(PROMPT, Word), Replied)
    body = server.requests[0].body
    assert isinstance(body, dict)
    return body


def asked(response: Response) -> Replied[Word] | Unanswered:
    with vendor_server(lambda _request: response) as server:
        return MESSAGES.model(server).ask(PROMPT, Word)


def test_the_fixed_words_are_marked_for_the_cache() -> None:
    assert sent() == {
        "model": "m",
        "system": [{"type": "text", "text": PROMPT.system, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": PROMPT.user_text(SECRET)}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
        "max_tokens": 900,
    }


def test_nothing_is_marked_where_nothing_may_be_kept() -> None:
    assert sent(zero_retention=True)["system"] == [{"type": "text", "text": PROMPT.system}]


def test_a_limit_that_the_sdk_would_only_stream_is_asked_for() -> None:
    assert sent(limits=replace(LIMITS, output_tokens=64_000))["max_tokens"] == 64_000
    assert (
        sent(limits=replace(LIMITS, output_tokens=64_000, seconds=600.0, connect_seconds=5.0))["max_tokens"] == 64_000
    )


@pytest.mark.parametrize(
    ("response", "reason", "detail"),
    [
        (anthropic_text("I cannot", stop_reason="refusal", category="cyber"), Reason.REFUSED, "the model refused"),
        (anthropic_text(GOOD, stop_reason="max_tokens"), Reason.TRUNCATED, "cut off at the limit of output tokens"),
        (anthropic_text(GOOD, stop_reason="pause_turn"), Reason.TRUNCATED, "paused before the end"),
        (
            anthropic_text(GOOD, stop_reason="model_context_window_exceeded"),
            Reason.TOO_LONG,
            "longer than the context of the model",
        ),
        (anthropic_text("", stop_reason="tool_use"), Reason.INVALID, "the reply is empty"),
    ],
)
def test_a_message_says_why_it_is_no_reply(response: Response, reason: Reason, detail: str) -> None:
    assert asked(response) == Unanswered(reason=reason, detail=detail, usage=MESSAGES.usage)


@pytest.mark.parametrize("stop_reason", ["end_turn", "stop_sequence", "something_new", None])
def test_any_other_end_is_an_end(stop_reason: str | None) -> None:
    assert asked(anthropic_text(GOOD, stop_reason=stop_reason)) == Replied(reply=Word(word="yes"), usage=MESSAGES.usage)


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({"input_tokens": 7, "output_tokens": 2}, Usage(input=7, output=2, calls=1)),
        (
            {"input_tokens": 7, "output_tokens": 2, "cache_read_input_tokens": None, "cache_creation_input_tokens": 9},
            Usage(input=16, cache_written=9, output=2, calls=1),
        ),
    ],
)
def test_what_was_cached_is_part_of_what_was_sent(counts: dict[str, Any], usage: Usage) -> None:
    assert asked(anthropic_text(GOOD, usage=counts)) == Replied(reply=Word(word="yes"), usage=usage)


def test_the_vendor_needs_a_key() -> None:
    model = AnthropicModel(model="m", key="", secret=SECRET, limits=LIMITS)
    none = Unanswered(reason=Reason.UNAUTHORISED, detail="there is no key")
    assert (model.ask(PROMPT, Word), model.check(), model.name) == (none, none, "anthropic/m")


def test_no_key_of_the_environment_reaches_the_vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL", "ANTHROPIC_PROFILE"):
        monkeypatch.setenv(name, "another-tenants")
    with vendor_server(lambda _request: MESSAGES.build(GOOD)) as server:
        MESSAGES.model(server, key=None).ask(PROMPT, Word)
    assert "another-tenants" not in str(server.requests)
