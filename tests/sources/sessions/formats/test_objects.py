from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta, timezone
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.formats.objects import moment, records_of, text_at
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.limits import ReadingLimits
from tests.sources.sessions.transcripts import START, jsonl

LIMITS = ReadingLimits(line_bytes=200)


def objects(
    data: bytes, *, worth: re.Pattern[bytes] | None = None, path: str = "/srv/one.jsonl"
) -> tuple[list[object], Counter[str]]:
    left_out: Counter[str] = Counter()
    file = SessionFile(path=path, handle=BytesIO(data), limits=LIMITS)
    return list(records_of(file, left_out, worth=worth)), left_out


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers(0, 9), max_size=3), max_size=4))
def test_lines_an_array_and_a_pretty_document_hold_the_same_objects(values: list[dict[str, int]]) -> None:
    assert objects(jsonl(values)) == (values, {})
    assert objects(json.dumps(values).encode()) == (values, {})
    assert objects(json.dumps(values, indent=1).encode()) == (values, {})


def test_a_pretty_object_is_one() -> None:
    assert objects(b"\n" + json.dumps({"a": [1]}, indent=2).encode()) == ([{"a": [1]}], {})


def test_what_is_no_object_is_counted_by_its_reason() -> None:
    data = b'{"a": 1}\n[2]\nnull\n{"b": 1, "b": 2}\nhello\n{"c": "' + b"x" * 300 + b'"}\n{"d": NaN}\n{"e": 5}\n{"f": 6'
    assert objects(data) == (
        [{"a": 1}, {"e": 5}],
        {
            "a line is not an object": 2,
            "a key stands twice": 1,
            "not JSON": 1,
            "a line is too long": 1,
            "NaN is not JSON": 1,
            "the last line is cut off": 1,
        },
    )


def test_objects_that_were_glued_together_are_told_apart_and_their_words_are_not() -> None:
    assert objects(b'{"a": "x}{"}{"b": 2}{"c": 3}\n') == ([{"b": 2}, {"c": 3}], {"not JSON": 1})
    assert objects(b'{"a": 1}{"b": 2}\n') == ([{"a": 1}, {"b": 2}], {})
    assert objects(b'{"a": 1}{"b": \n') == ([{"a": 1}], {"not JSON": 1})


def test_lines_that_are_not_worth_it_are_passed_over_but_the_first_and_one_cut_off() -> None:
    data = b'{"first": 1}\n{"x": 2}\n{"wanted": 3}\n[4]\n{"cut'
    assert objects(data, worth=re.compile(b"wanted")) == (
        [{"first": 1}, {"wanted": 3}],
        {"the last line is cut off": 1},
    )


def test_a_document_that_is_too_long_is_left_out() -> None:
    assert objects(b"[\n" + b" " * 2000 + b"]") == ([], {"a document is too long": 1})


def test_a_document_that_is_one_long_line_is_read_where_its_name_says_that_it_is_one() -> None:
    data = json.dumps({"a": "x" * 1000}).encode()
    assert objects(data, path="/srv/one.json") == ([{"a": "x" * 1000}], {})
    assert objects(data) == ([], {"a line is too long": 1})


@pytest.mark.parametrize(
    ("stamp", "zone", "expected"),
    [
        ("2026-10-21T09:00:00Z", UTC, START),
        ("2026-10-21T09:00:00.000+00:00", UTC, START),
        ("2026-10-21T11:00:00+02:00", UTC, START),
        ("2026-10-21 11:00:00", timezone(timedelta(hours=2)), START),
        (int(START.timestamp()), UTC, START),
        (START.timestamp() * 1000, UTC, START),
        (START, UTC, START),
        ("yesterday", UTC, None),
        ("[trimmed]", UTC, None),
        (True, UTC, None),
        (-1, UTC, None),
        (0, UTC, None),
        (10**30, UTC, None),
        ("9999-12-31T23:59:59", timezone(timedelta(hours=-9)), None),
        ("0001-01-01T00:00:00Z", UTC, None),
        ("9999-12-31T23:59:59Z", UTC, None),
        (None, UTC, None),
        ({"seconds": 1}, UTC, None),
    ],
)
def test_stamps_of_every_kind_are_instants(stamp: object, zone: timezone, expected: datetime | None) -> None:
    assert moment(stamp, zone) == expected


def test_a_text_is_the_first_that_is_one() -> None:
    assert text_at({"a": 1, "b": "", "c": "x", "d": "y"}, "z", "a", "b", "c", "d") == "x"
    assert text_at({"a": "abc"}, "a", most=2) == ""
    assert text_at({}, "a") == ""
