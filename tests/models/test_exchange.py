"""Whatever comes back, something is said of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.models.anthropic import read_message
from dream.models.exchange import exchange
from dream.models.failures import explain, read_refusal
from dream.models.openai_wires import read_chat, read_response
from dream.models.port import Reason, Replied, Unanswered, Usage
from dream.models.usage import estimated_usage
from dream.models.wires import Said
from tests.models.vendors import LIMITS, PROMPT, Word

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)
NAMES = ["content", "choices", "output", "message", "text", "type", "usage", "status", "stop_reason", "finish_reason"]
NAMES += ["error", "refusal", "input_tokens", "output_tokens", "incomplete_details", "code", "param"]
NEAR = st.recursive(
    JSON | st.sampled_from(["text", "message", "output_text", '{"word": "yes"}', "length", "completed", "refusal"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(NAMES), below, max_size=5),
    max_leaves=20,
)
READERS = [read_response, read_chat, read_message]


def asked(body: bytes, read: Callable[[bytes], Said]) -> Replied[Word] | Unanswered:
    def send() -> httpx2.Response:
        return httpx2.Response(200, content=body)

    return exchange(lambda: send, read, prompt=PROMPT, reply=Word, limits=LIMITS)


def is_answer(answer: Replied[Word] | Unanswered) -> bool:
    paid = answer.usage.calls == 1 and answer.usage.input >= 0
    return paid and (isinstance(answer, Replied) or (answer.detail.isprintable() and answer.detail != ""))


@given(body=st.binary(max_size=200), read=st.sampled_from(READERS))
def test_any_bytes_are_an_answer_or_a_reason(body: bytes, read: Callable[[bytes], Said]) -> None:
    assert is_answer(asked(body, read))


@given(body=NEAR, read=st.sampled_from(READERS))
def test_anything_like_an_answer_is_an_answer_or_a_reason(body: Any, read: Callable[[bytes], Said]) -> None:
    assert is_answer(asked(json.dumps(body).encode(), read))


@given(status=st.integers(100, 599), body=JSON | NEAR, after=st.text(max_size=8), date=st.text(max_size=8))
def test_any_error_is_a_reason_in_plain_words(status: int, body: Any, after: str, date: str) -> None:
    answer = explain(read_refusal(status, body, {"retry-after": after, "date": date}))
    assert re.fullmatch(r"status [0-9]{3}( \([a-z0-9_., \[\]]+\))?", answer.detail)
    assert answer.retry_after is None or answer.retry_after >= 0


def test_an_error_of_ours_in_reading_is_an_invalid_reply() -> None:
    def read(_body: bytes) -> Said:
        raise KeyError(PROMPT.system)

    paid = Usage(input=estimated_usage(PROMPT, "").input, calls=1)
    assert asked(b"{}", read) == Unanswered(reason=Reason.INVALID, detail="no answer to be read: KeyError", usage=paid)


def test_an_error_that_nobody_foresaw_in_sending_is_an_outage() -> None:
    def send() -> httpx2.Response:
        raise ZeroDivisionError(PROMPT.system)

    answer = exchange(lambda: send, read_chat, prompt=PROMPT, reply=Word, limits=LIMITS)
    paid = Usage(input=estimated_usage(PROMPT, "").input, calls=1)
    assert answer == Unanswered(reason=Reason.OUTAGE, detail="the connection failed (ZeroDivisionError)", usage=paid)


def test_whoever_interrupts_is_heard() -> None:
    def send() -> httpx2.Response:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exchange(lambda: send, read_chat, prompt=PROMPT, reply=Word, limits=LIMITS)
