from __future__ import annotations

from typing import Any

import pytest

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.answers import read_result
from dream.sources.production.port import Answer, Found, Line, Nothing, Refused

LIMITS = ProbeLimits(output_bytes=100, lines=2, line_characters=80)


def answer(result: dict[str, Any], **arguments: Any) -> Answer:
    return read_result(result, arguments, LIMITS)


def text(said: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": said}]}


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"content": []},
        {"content": None},
        {"content": "text"},
        text(""),
        text("  \n "),
        {"structuredContent": {}},
        {"structuredContent": {"result": []}},
        {"structuredContent": {"result": None}},
        text("{}"),
        text("[]"),
    ],
)
def test_an_empty_answer_is_nothing(result: dict[str, Any]) -> None:
    assert answer(result, name="orders") == Nothing("it answered with nothing")


@pytest.mark.parametrize(
    ("structured", "values"),
    [
        ({"result": 7}, ("7",)),
        ({"result": ["a", "b"]}, ("a", "b")),
        ({"replicas": 7}, ("7",)),
        ({"replicas": 7, "ready": 6}, ()),
        ({"result": {"replicas": 7, "ready": 6}}, ()),
        ({"result": False}, ("false",)),
        ({"result": 0}, ("0",)),
    ],
)
def test_a_value_is_what_nothing_else_stands_beside(structured: dict[str, Any], values: tuple[str, ...]) -> None:
    found = answer({"structuredContent": structured})
    assert isinstance(found, Found)
    assert found.values == values


def test_structured_content_counts_and_not_the_text_beside_it() -> None:
    assert answer({**text("replicas are 9"), "structuredContent": {"replicas": 7}}) == Found(
        lines=(Line(text="replicas=7", fields=(("replicas", "7"),)),), values=("7",)
    )


def test_a_text_that_is_json_is_told_as_json_and_what_only_looks_so_as_text() -> None:
    assert answer(text('{"a": 1}')) == Found(lines=(Line(text="a=1", fields=(("a", "1"),)),), values=("1",))
    assert answer(text('{"a": 1')) == Found(lines=(Line(text='{"a": 1'),), values=('{"a": 1',))
    assert answer(text("7")) == Found(lines=(Line(text="7"),), values=("7",))


def test_only_arguments_that_are_strings_are_names() -> None:
    found = answer(text("x"), name="orders", limit=7, deep={"a": "b"}, none="")
    assert isinstance(found, Found)
    assert found.names == ("orders",)


def test_lines_and_characters_are_bounded_and_nothing_hides_in_them() -> None:
    found = answer(text("one\x1b[31m\ntwo\nthree"))
    assert found == Found(lines=(Line(text="one\\u001b[31m"), Line(text="two")), cut=True)
    assert answer(text("x" * 101)) == Refused("its answer is longer than 100 bytes")


def test_what_is_no_text_is_named() -> None:
    blocks = [
        {"type": "image", "mimeType": "image/png", "data": "aGk="},
        {"type": "audio", "mimeType": "audio/wav", "data": "aGk="},
        {"type": "resource_link", "uri": "file:///etc/passwd", "name": "x"},
        {"type": "resource", "resource": {"uri": "file:///x", "text": "replicas=7"}},
        {"type": "new\x1b"},
    ]
    assert answer({"content": blocks}) == Nothing(
        "it answered with (image image/png, not read), (audio audio/wav, not read), (resource_link, not read), "
        "(resource, not read), (new\\u001b, not read)"
    )


@pytest.mark.parametrize(
    "said",
    [
        "Unknown tool: x",
        "Input validation error: 'name' is required",
        "Error executing tool x: 2 validation errors for",
    ],
)
def test_a_question_that_a_tool_calls_wrong_is_refused(said: str) -> None:
    assert answer({**text(said), "isError": True}) == Refused(f"the tool was asked wrongly: {said}")


def test_an_error_of_a_tool_is_nothing_bounded_and_printable() -> None:
    assert answer({**text("\x1b[2J" + "x" * 1_000), "isError": True}) == Nothing(
        "the tool says that it failed: " + ("\\u001b[2J" + "x" * 1_000)[:300]
    )
    assert answer({"content": [], "isError": True}) == Nothing("the tool says that it failed: nothing more")
