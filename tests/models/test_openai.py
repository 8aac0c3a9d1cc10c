"""What is OpenAI's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dream.models.openai import OpenAIModel
from dream.models.port import Reason, Replied, Unanswered, Usage
from tests.models.vendors import CHAT, GOOD, KEY, LIMITS, PROMPT, RESPONSES, SCHEMA, SECRET, Way, Word
from tests.support.vendors import Response, chat_text, of_json, openai_text, vendor_server

CUT = "cut off at the limit of output tokens"


def sent(way: Way, **settings: Any) -> dict[str, Any]:
    with vendor_server(lambda _request: way.build(GOOD)) as server:
        assert isinstance(way.model(server, **settings).ask(PROMPT, Word), Replied)
    body = server.requests[0].body
    assert isinstance(body, dict)
    return body


def asked(way: Way, response: Response) -> Replied[Word] | Unanswered:
    with vendor_server(lambda _request: response) as server:
        return way.model(server).ask(PROMPT, Word)


def test_a_response_is_asked_for_with_nothing_to_be_stored() -> None:
    assert sent(RESPONSES) == {
        "model": "m",
        "instructions": PROMPT.system,
        "input": PROMPT.user_text(SECRET),
        "text": {"format": {"type": "json_schema", "name": "Word", "strict": True, "schema": SCHEMA}},
        "max_output_tokens": 900,
        "store": False,
        "prompt_cache_key": "distil/propose:0123456789ab",
    }


def test_a_compatible_endpoint_is_sent_only_what_all_of_them_know() -> None:
    assert sent(CHAT, zero_retention=True) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": PROMPT.system},
            {"role": "user", "content": PROMPT.user_text(SECRET)},
        ],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "Word", "strict": True, "schema": SCHEMA},
        },
        "max_tokens": 900,
    }


@pytest.mark.parametrize(
    ("response", "reason", "detail"),
    [
        (openai_text("", refusal="I would rather not"), Reason.REFUSED, "the model refused"),
        (openai_text(GOOD, status="incomplete", incomplete="max_output_tokens"), Reason.TRUNCATED, CUT),
        (openai_text(GOOD, status="incomplete", incomplete="content_filter"), Reason.FILTERED, "stopped by a filter"),
        (openai_text(GOOD, status="failed", failed="server_error"), Reason.OUTAGE, "the response failed"),
        (openai_text(GOOD, status="failed", failed="rate_limit_exceeded"), Reason.RATE_LIMITED, "the response failed"),
        (openai_text(GOOD, status="failed", failed="invalid_prompt"), Reason.FILTERED, "the response failed"),
        (openai_text(GOOD, status="cancelled"), Reason.OUTAGE, "the response failed"),
    ],
)
def test_a_response_says_why_it_is_none(response: Response, reason: Reason, detail: str) -> None:
    assert asked(RESPONSES, response) == Unanswered(reason=reason, detail=detail, usage=RESPONSES.usage)


@pytest.mark.parametrize(
    ("response", "reason", "detail"),
    [
        (chat_text("", refusal="I would rather not"), Reason.REFUSED, "the model refused"),
        (chat_text(GOOD, finish_reason="length"), Reason.TRUNCATED, CUT),
        (chat_text(GOOD, finish_reason="content_filter"), Reason.FILTERED, "stopped by a filter"),
    ],
)
def test_a_completion_says_why_it_is_none(response: Response, reason: Reason, detail: str) -> None:
    assert asked(CHAT, response) == Unanswered(reason=reason, detail=detail, usage=CHAT.usage)


@pytest.mark.parametrize("finish_reason", ["eos_token", "", None])
def test_a_local_servers_own_word_for_the_end_is_an_end(finish_reason: str | None) -> None:
    assert asked(CHAT, chat_text(GOOD, finish_reason=finish_reason)) == Replied(
        reply=Word(word="yes"), usage=CHAT.usage
    )


def test_content_in_parts_is_put_together() -> None:
    parts = [{"type": "text", "text": '{"word": '}, {"type": "image"}, {"type": "text", "text": '"yes"}'}]
    answer = asked(CHAT, of_json({"choices": [{"message": {"content": parts}}]}))
    assert isinstance(answer, Replied)
    assert answer.reply == Word(word="yes")


def test_no_choice_is_an_empty_reply() -> None:
    answer = asked(CHAT, of_json({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 0}}))
    assert answer == Unanswered(reason=Reason.INVALID, detail="the reply is empty", usage=Usage(input=5, calls=1))


def test_what_a_model_says_on_its_way_is_no_part_of_the_reply() -> None:
    def message(phase: str, text: str) -> dict[str, Any]:
        return {"type": "message", "phase": phase, "content": [{"type": "output_text", "text": text}]}

    body = {"status": "completed", "output": [message("commentary", "Let me see."), message("final_answer", GOOD)]}
    answer = asked(RESPONSES, of_json(body))
    assert isinstance(answer, Replied)
    assert answer.reply == Word(word="yes")


@pytest.mark.parametrize(
    "usage",
    [{}, {"prompt_tokens": -1, "completion_tokens": 2}, {"prompt_tokens": "many", "completion_tokens": True}],
)
def test_counts_that_are_none_are_estimated(usage: dict[str, Any]) -> None:
    answer = asked(CHAT, chat_text(GOOD, usage={**usage, "total_tokens": 1}))
    assert answer == asked(CHAT, chat_text(GOOD, is_counted=False))


def test_no_more_is_cached_than_was_sent() -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 9}}
    answer = asked(CHAT, chat_text(GOOD, usage=usage))
    assert answer == Replied(reply=Word(word="yes"), usage=Usage(input=5, cached=5, output=1, calls=1))


def test_the_vendor_needs_a_key() -> None:
    model = OpenAIModel(model="m", key=None, secret=SECRET, limits=LIMITS)
    none = Unanswered(reason=Reason.UNAUTHORISED, detail="there is no key")
    assert (model.ask(PROMPT, Word), model.check(), model.name) == (none, none, "openai/m")


def test_an_address_that_is_none_is_misconfigured() -> None:
    model = OpenAIModel(model="m", key=KEY, secret=SECRET, base_url="mailto:somebody", limits=LIMITS)
    answer = model.ask(PROMPT, Word)
    assert answer == Unanswered(
        reason=Reason.MISCONFIGURED, detail="the address is none (APIConnectionError: UnsupportedProtocol)"
    )


def test_nothing_of_the_environment_reaches_the_vendor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "another-tenants")
    with vendor_server(lambda _request: RESPONSES.build(GOOD)) as server:
        RESPONSES.model(server, key=None).ask(PROMPT, Word)
    assert "another-tenants" not in str(server.requests)


def test_the_cache_is_keyed_by_the_template() -> None:
    with vendor_server(lambda _request: RESPONSES.build(GOOD)) as server:
        for name in ("distil/propose", "a" * 80):
            RESPONSES.model(server).ask(replace(PROMPT, name=name), Word)
    keys = [request.body["prompt_cache_key"] for request in server.requests]
    assert keys == ["distil/propose:0123456789ab", "a" * 64]


def test_the_vendor_keeps_no_cache_where_nothing_may_be_kept() -> None:
    body = sent(RESPONSES, zero_retention=True)
    assert body["store"] is False
    assert body["prompt_cache_options"] == {"mode": "explicit"}
    assert "prompt_cache_key" not in body
