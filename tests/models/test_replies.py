"""Reading replies strictly."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, field_validator

from dream.models.port import Reason, Unanswered
from dream.models.replies import read_reply


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    count: int = Field(le=9)


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reasoning: str
    ruling: Literal["yes", "no"]
    lines: list[Line]


class Touchy(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str

    @field_validator("text")
    @classmethod
    def _refuse(cls, text: str) -> str:
        if text == "value":
            message = f"no {text}"
            raise ValueError(message)
        raise KeyError(text)


GOOD = '{"reasoning": "so", "ruling": "yes", "lines": [{"text": "a", "count": 1}]}'
NOT_ONE_OBJECT = "the reply is not one JSON object and nothing else (at character {})"
HALF = "the reply holds half a surrogate pair, which is no character"
DEEP = "the reply is nested deeper than 32"


def invalid(detail: str) -> Unanswered:
    return Unanswered(reason=Reason.INVALID, detail=detail)


def test_a_reply_that_fits_is_returned_as_its_type() -> None:
    assert read_reply(f" \n{GOOD}\r\n\t", Verdict) == Verdict(
        reasoning="so", ruling="yes", lines=[Line(text="a", count=1)]
    )


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "the reply is empty"),
        (" \n ", "the reply is empty"),
        ("certainly", NOT_ONE_OBJECT.format(0)),
        (f"Here it is: {GOOD}", NOT_ONE_OBJECT.format(0)),
        (f"{GOOD}\nAnything else?", NOT_ONE_OBJECT.format(len(GOOD) + 1)),
        (f"```json\n{GOOD}\n```", NOT_ONE_OBJECT.format(0)),
        (f"\ufeff{GOOD}", NOT_ONE_OBJECT.format(0)),
        (GOOD[:-1], NOT_ONE_OBJECT.format(len(GOOD) - 1)),
        (f"{GOOD}{GOOD}", NOT_ONE_OBJECT.format(len(GOOD))),
        (GOOD.replace("1", "NaN"), "the reply holds NaN or Infinity, which JSON does not know"),
        (GOOD.replace("1", "-Infinity"), "the reply holds NaN or Infinity, which JSON does not know"),
        (GOOD.replace("1", "1e999"), "the reply holds a number that is too large"),
        (GOOD.replace("1", "9" * 5_000), "the reply holds a number of more than 18 digits"),
        (
            GOOD.replace('"ruling": "yes"', '"ruling": "no", "ruling": "yes"'),
            "the reply holds one key twice in one object",
        ),
        ("[" * 100_000, DEEP),
        ('{"a":' * 100_000, DEEP),
        (f'{{"reasoning": {"[" * 40}{"]" * 40}}}', DEEP),
        (GOOD.replace("so", r"\ud83d"), HALF),
        (GOOD.replace("so", "\ud83d"), HALF),
        (GOOD.replace("reasoning", r"reasoning\udead"), HALF),
        ("[]", "the reply: Input should be an object"),
        ("null", "the reply: Input should be an object"),
        (GOOD.replace("1", "true"), "lines.0.count: Input should be a valid integer"),
        (GOOD.replace("1", '"1"'), "lines.0.count: Input should be a valid integer"),
        (GOOD.replace("1", "1.0"), "lines.0.count: Input should be a valid integer"),
        (GOOD.replace("1", "10"), "lines.0.count: Input should be less than or equal to 9"),
        (GOOD.replace("yes", "YES"), "ruling: Input should be 'yes' or 'no'"),
        (GOOD.replace('"lines"', '"sk-live-secret": 1, "lines"'), "the reply: a key that was not asked for"),
        (GOOD.replace('"count"', '"whose": 1, "count"'), "lines.0: a key that was not asked for"),
        (
            '{"lines": [{}, {}, {}]}',
            (
                "reasoning: Field required; ruling: Field required; lines.0.text: Field required; "
                "lines.0.count: Field required; lines.1.text: Field required; and 3 more"
            ),
        ),
    ],
)
def test_what_a_lenient_reader_would_let_through_is_named(text: str, detail: str) -> None:
    assert read_reply(text, Verdict) == invalid(detail)


def test_the_limits_are_arguments() -> None:
    nested = '{"a": [[1]]}'
    assert read_reply(GOOD, Verdict, most_bytes=20) == invalid("the reply is longer than 20 bytes")
    assert read_reply(nested, Verdict, most_depth=2) == invalid("the reply is nested deeper than 2")
    assert read_reply("ä" * 15, Verdict, most_bytes=20) == invalid("the reply is longer than 20 bytes")


def test_a_types_own_check_is_not_quoted() -> None:
    assert read_reply('{"text": "value"}', Touchy) == invalid("text: refused by a check of its own")


def test_a_check_that_breaks_is_an_invalid_reply() -> None:
    assert read_reply('{"text": "secret"}', Touchy) == invalid("the reply could not be read: KeyError")


VERDICTS = st.builds(
    Verdict,
    reasoning=st.text(),
    ruling=st.sampled_from(["yes", "no"]),
    lines=st.lists(st.builds(Line, text=st.text(), count=st.integers(-(10**17), 9)), max_size=4),
)
JUNK = st.one_of(
    st.text(alphabet=st.characters(exclude_categories=[])),
    st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")),
    st.text(alphabet='{}[]",:\\utrefalsn0123456789eE+-. \n'),
)


@given(text=JUNK)
def test_any_text_is_a_reply_or_a_complaint(text: str) -> None:
    answer = read_reply(text, Verdict)
    assert isinstance(answer, Verdict) or (answer.reason is Reason.INVALID and answer.detail)


@given(verdict=VERDICTS, junk=JUNK, data=st.data())
def test_a_damaged_reply_is_a_reply_or_a_complaint_in_one_line(
    verdict: Verdict, junk: str, data: st.DataObject
) -> None:
    text = verdict.model_dump_json()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    answer = read_reply(text[:start] + junk + text[end:], Verdict)
    assert isinstance(answer, Verdict) or (answer.reason is Reason.INVALID and answer.detail.isprintable())


@given(verdict=VERDICTS, indent=st.integers(0, 3), ascii_only=st.booleans())
def test_a_reply_is_read_as_it_was_meant(verdict: Verdict, indent: int, *, ascii_only: bool) -> None:
    text = json.dumps(verdict.model_dump(mode="json"), indent=indent, ensure_ascii=ascii_only)
    assert read_reply(text, Verdict) == verdict
