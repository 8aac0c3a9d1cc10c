from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.mcp.correlation import NOBODY, Correlation

OURS: dict[str, Any] = {"jsonrpc": "2.0", "id": 7, "result": {}}
NOTICE: dict[str, Any] = {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}


def event(message: dict[str, Any], *, end: str = "\n", split: bool = False) -> bytes:
    text = json.dumps(message)
    text = text.replace(", ", f",{end}data: ") if split else text
    return f"event: message{end}data: {text}{end}{end}".encode()


def fits(body: bytes, *, cuts: list[int], asked: object = 7, by_events: bool = True) -> bool:
    read = Correlation(asked, by_events=by_events)
    places = sorted({0, len(body), *(cut % (len(body) + 1) for cut in cuts)})
    chunks = [body[start:end] for start, end in pairwise(places)]
    return all(read.fits(chunk) for chunk in chunks) and read.ends()


@given(cuts=st.lists(st.integers(0, 500)), end=st.sampled_from(["\n", "\r", "\r\n"]), split=st.booleans())
def test_an_answer_to_another_request_shows_however_it_is_cut(cuts: list[int], end: str, *, split: bool) -> None:
    others: list[dict[str, Any]] = [{**OURS, "id": 6}, {"id": "x", "error": {"code": 1}}, {"id": None, "result": {}}]
    assert fits(event(NOTICE, end=end, split=split) + event(OURS, end=end, split=split), cuts=cuts)
    for other in others:
        assert not fits(event(NOTICE, end=end) + event(other, end=end, split=split), cuts=cuts)
        assert not fits(json.dumps(other).encode(), cuts=cuts, by_events=False)


@pytest.mark.parametrize(
    "message", [OURS, {**OURS, "id": "7"}, {"id": None, "error": {}}, NOTICE, {"id": 3, "method": "ping"}]
)
def test_what_answers_the_request_or_is_no_answer_fits(message: dict[str, Any]) -> None:
    assert fits(event(message), cuts=[])
    assert fits(json.dumps(message).encode(), cuts=[], by_events=False)


def test_an_event_that_is_not_ended_counts() -> None:
    assert not fits(b"\xef\xbb\xbfdata: " + json.dumps({**OURS, "id": 6}).encode() + b"\n", cuts=[])


def test_where_nothing_was_asked_nothing_is_an_answer() -> None:
    assert not fits(event(OURS), cuts=[], asked=NOBODY)
    assert fits(event(NOTICE), cuts=[], asked=NOBODY)
    assert fits(event(OURS), cuts=[], asked=None)
