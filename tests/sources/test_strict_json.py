"""JSON of files that nobody vouches for: the fast parser and the strict one come to the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.strict_json import BadJSONError, parse_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.booleans())
def test_whatever_python_writes_is_read_as_it_was(value: object, ascii_only: bool) -> None:  # noqa: FBT001  # drawn
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert repr(parse_json(text.encode("utf-8", "surrogatepass"))) == repr(value)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (rb'"\ud83d\ude00"', "\U0001f600"),
        (rb'["\ud800", "\udc00x"]', ["\ufffd", "\ufffdx"]),
        (b"12345678901234567890123456789012345", 12345678901234567890123456789012345),
        (b"-0.0", -0.0),
        (b"1e400", float("inf")),
        (b"[" * 300 + b"]" * 300, json.loads("[" * 300 + "]" * 300)),
        (b' {"a":\t[1,\r\n2]} \n', {"a": [1, 2]}),
    ],
    ids=range(8),
)
def test_what_is_odd_and_honest_is_read(data: bytes, value: Any) -> None:
    assert repr(parse_json(data)) == repr(value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"a": 1, "a": 2}', "a key stands twice"),
        (b'{"b": {"a": 1, "a": 2}}', "a key stands twice"),
        (b"NaN", "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b"1" * 5_000, "a number of thousands of digits"),
        (b"[" * 100_000, "nested too deep"),
        (b'"\xff"', "not UTF-8"),
        (b'{"a": 1', "not JSON"),
        (b'{"a": 1} x', "not JSON"),
        (b"", "not JSON"),
        (b'"a\nb"', "not JSON"),
        (b"[1,]", "not JSON"),
        (b"01", "not JSON"),
    ],
    ids=range(13),
)
def test_what_is_no_honest_json_is_refused_in_fixed_words(data: bytes, reason: str) -> None:
    with pytest.raises(BadJSONError) as refusal:
        parse_json(data)
    assert str(refusal.value) == reason
