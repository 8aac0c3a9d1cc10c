from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.jsonlines import Line, read_lines
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.strict_json import BadJSONError, parse_json
from tests.sources.sessions.transcripts import jsonl, read, said, user


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[" * 100_000, "nested too deep"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested too deep"),
        (b'{"a": ' + b"9" * 5_000 + b"}", "a number of thousands of digits"),
        (b'{"a": NaN}', "NaN is not JSON"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"type": "user", "type": "assistant"}', "a key stands twice"),
        (b'{"a": 1} {"b": 2}', "not JSON"),
        (b'{"a": ', "not JSON"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(BadJSONError) as caught:
        parse_json(data)
    assert str(caught.value) == reason


def test_a_lone_surrogate_reads_as_the_replacement_character() -> None:
    assert parse_json(rb'{"\ud800": ["\udfffx", "\ud83d\ude80"]}') == {"\ufffd": ["\ufffdx", "\U0001f680"]}


def test_a_byte_order_mark_is_not_part_of_the_line() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


def test_deep_nesting_beside_a_lone_surrogate_is_refused_too() -> None:
    with pytest.raises(BadJSONError, match="nested too deep"):
        parse_json(b"[" * 900 + rb'"\ud800"' + b"]" * 900)


def test_lines_end_at_line_feeds_only_and_long_ones_are_not_held() -> None:
    handle = BytesIO("a\u2028b\x0bc\n".encode() + b"x" * 50 + b"\nend")
    assert list(read_lines(handle, limit=20)) == [
        Line("a\u2028b\x0bc".encode(), ended=True),
        Line(None, ended=True),
        Line(b"end", ended=False),
    ]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    )
)
def test_honest_json_is_read_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value).encode()) == value
    assert parse_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_a_cut_off_last_line_is_said_and_the_rest_is_kept() -> None:
    reading = read(jsonl([user(1, "one"), user(2, "two")])[:-30])
    assert (len(said(reading)), reading.refused, dict(reading.left_out)) == (1, "", {"the last line is cut off": 1})


def test_a_last_line_without_a_line_feed_is_whole() -> None:
    reading = read(jsonl([user(1, "one"), user(2, "two")])[:-1])
    assert (len(said(reading)), dict(reading.left_out)) == (2, {})


def test_bad_lines_are_counted_by_reason_and_the_others_are_read() -> None:
    bad = b'{"type":"user", "a": NaN}\n{"type":"user"\n{"type":"user","x":"\xff"}\n["type","user"]\n'
    bad += b'{"type":"user","a":' + b"[" * 50_000 + b"\n"
    reading = read(bad + jsonl([user(1, "one")]))
    assert len(said(reading)) == 1
    assert dict(reading.left_out) == {"NaN is not JSON": 1, "not JSON": 1, "not UTF-8": 1, "nested too deep": 1}


def test_a_line_over_the_limit_is_left_out_alone() -> None:
    data = jsonl([user(1, "one"), user(2, "y" * 5_000), user(3, "three")])
    reading = read(data, limits=ReadingLimits(line_bytes=4_000))
    assert ([text for _, text in said(reading)], dict(reading.left_out)) == (
        ["one", "three"],
        {"a line is too long": 1},
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\n \n\n", "empty"),
        (b'{\n  "loglines": [\n    {"type": "user"}\n  ]\n}\n', "no message of Claude Code in it"),
        (b'{"loglines": []}', "no message of Claude Code in it"),
        (b"[\n]\n", "no message of Claude Code in it"),
        (b'[{"type": "user"}]', "no message of Claude Code in it"),
        (b'{\n  "loglines": [\n    {"type": "us', "not JSON"),
        (b'{\n  "x": "' + b"y" * 33_000_000 + b'"\n}', "a document is too long"),
        (b"hello\nworld", "not JSON"),
        (b"\xff\xfe{\x00", "the last line is cut off"),
        ("{}".encode("utf-16") + b"\n", "not UTF-8"),
        (b"x" * 5_000_000, "a line is too long"),
        (b'{"type":"event_msg"}\n{"type":"session_meta"}\n', "no message of Claude Code in it"),
    ],
)
def test_a_file_that_gives_nothing_says_why(data: bytes, reason: str) -> None:
    reading = read(data)
    assert (reading.parts, reading.refused) == ([], reason)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "text",
                    "content",
                    "role",
                    "name",
                    "id",
                    "input",
                    "tool_use_id",
                    "kind",
                    "prompt",
                    "file",
                    "answers",
                    "questions",
                    "options",
                    "label",
                    "command",
                    "origin",
                    "is_error",
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(
                [
                    "message",
                    "timestamp",
                    "uuid",
                    "sessionId",
                    "cwd",
                    "gitBranch",
                    "origin",
                    "attachment",
                    "toolUseResult",
                    "isMeta",
                    "prRepository",
                    "prNumber",
                    "customTitle",
                    "leafUuid",
                    "worktreeSession",
                    "planContent",
                ]
            ),
            _JSON,
        ),
        max_size=6,
    ),
    st.lists(
        st.sampled_from(["user", "assistant", "attachment", "pr-link", "custom-title", "worktree-state", "summary"]),
        min_size=6,
    ),
)
def test_no_shape_of_a_line_breaks_the_reading(records: list[dict[str, object]], kinds: list[str]) -> None:
    reading = read(jsonl([{"type": kind, **record} for kind, record in zip(kinds, records, strict=False)]))
    assert bool(reading.parts) != bool(reading.refused)


@given(st.binary(max_size=300))
def test_no_bytes_break_the_reading(data: bytes) -> None:
    reading = read(data)
    assert bool(reading.parts) != bool(reading.refused)
