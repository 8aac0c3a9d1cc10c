"""JSON as lines: each about one thing, none with a value of another."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.fields import json_lines, kept_lines, printable, read_json, text_lines
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line
from dream.sources.strict_json import BadJSONError

_WIDE = ProbeLimits(line_characters=100_000)

_SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=12)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


def test_an_object_in_a_list_is_a_line_of_its_own() -> None:
    value = {"services": [{"name": "orders-api", "replicas": 7}, {"name": "billing", "replicas": 2}]}
    assert json_lines(value) == (
        Line(text='services[0]: name="orders-api" replicas=7', fields=(("name", "orders-api"), ("replicas", "7"))),
        Line(text='services[1]: name="billing" replicas=2', fields=(("name", "billing"), ("replicas", "2"))),
    )


def test_the_keys_that_lead_to_an_object_name_its_line() -> None:
    value = {"services": {"orders-api": {"replicas": 7, "region": "eu-1"}}, "at": None, "up": True}
    assert [line.text for line in json_lines(value)] == [
        "at=null up=true",
        'services.orders-api: replicas=7 region="eu-1"',
    ]


def test_a_list_of_scalars_is_a_line_under_its_own_key() -> None:
    assert json_lines({"orders-api": {"regions": ["eu-1", "us-1"], "none": []}}) == (
        Line(text="orders-api: none=[]", fields=(("none", "[]"),)),
        Line(text='orders-api.regions: "eu-1", "us-1"', fields=(("regions", "eu-1"), ("regions", "us-1"))),
    )


def test_a_root_is_put_before_the_keys() -> None:
    assert [line.text for line in json_lines({"a": 1, "b": {"c": 2}}, "deploy/web.yaml")] == [
        "deploy/web.yaml: a=1",
        "deploy/web.yaml.b: c=2",
    ]


@pytest.mark.parametrize(
    ("value", "text"), [(7, "value=7"), ("x", 'value="x"'), (None, "value=null"), ({}, "value={}"), ([], "value=[]")]
)
def test_a_value_alone_is_a_line(value: Any, text: str) -> None:
    assert [line.text for line in json_lines(value)] == [text]


def test_numbers_stand_as_they_were_written() -> None:
    body = b'{"a": 1.50, "b": 1e3, "c": 12345678901234567890, "d": -0.0}'
    assert [line.text for line in json_lines(read_json(body))] == ["a=1.50 b=1e3 c=12345678901234567890 d=-0.0"]


def test_keys_that_could_pass_for_the_form_of_a_line_are_quoted() -> None:
    value = {"app.kubernetes.io/name": {"a b": 1}, 'x: y="': 2, "": 3}
    assert [line.text for line in json_lines(value)] == [
        r'"x: y=\""=2 ""=3',
        '"app.kubernetes.io/name": "a b"=1',
    ]


def test_a_string_can_not_pass_for_further_fields() -> None:
    (line,) = json_lines({"note": 'x" replicas="9'})
    assert line == Line(text=r'note="x\" replicas=\"9"', fields=(("note", 'x" replicas="9'),))


def test_what_does_not_show_is_escaped() -> None:
    (line,) = json_lines({"a": "1\n2\u202e3\u200b\x00\U000e0041"})
    assert line.text == r'a="1\n2\u202e3\u200b\u0000\udb40\udc41"'


def test_what_is_too_long_for_a_line_goes_on_in_one_that_begins_the_same() -> None:
    limits = ProbeLimits(line_characters=80)
    value = {"orders": {f"key{number}": number * 11_111 for number in range(9)}}
    lines = json_lines(value, limits=limits)
    assert all(line.text.startswith("orders: key") and len(line.text) <= 80 for line in lines)
    assert dict(field for line in lines for field in line.fields) == {f"key{n}": str(n * 11_111) for n in range(9)}


def test_a_value_that_fits_on_no_line_is_cut_and_no_field() -> None:
    limits = ProbeLimits(line_characters=80)
    first, second, third = json_lines({"a": 1, "b": "x" * 500, "c": 2}, limits=limits)
    assert (first.text, third.text) == ("a=1", "c=2")
    assert second == Line(text='b="' + "x" * 75 + " …")
    assert kept_lines((first, second), limits) == ((first, second), True)


def test_a_way_that_is_longer_than_a_line_leads_nowhere() -> None:
    value: Any = 1
    for _ in range(5_000):
        value = {"key": value}
    (line,) = json_lines(value)
    assert (len(line.text), line.text[-2:], line.fields) == (500, " …", ())


def test_no_more_lines_are_made_than_ten_thousand() -> None:
    assert len(json_lines([{"a": number} for number in range(10_001)])) == 10_000


def test_no_more_lines_are_kept_than_the_limit() -> None:
    lines = json_lines([{"a": number} for number in range(3)])
    assert kept_lines(lines, ProbeLimits(lines=3)) == (lines, False)
    assert kept_lines(lines, ProbeLimits(lines=2)) == (lines[:2], True)


def test_a_text_gives_its_lines_without_blanks_and_control_characters() -> None:
    assert text_lines("\r\n  replicas: 7\x1b[31m\n\n\tb\tc\u2028d") == (
        Line(text=r"replicas: 7\u001b[31m"),
        Line(text=r"b\tc"),
        Line(text="d"),
    )


@pytest.mark.parametrize("body", [b"", b"{", b'{"a": 1, "a": 2}', b"[NaN]", b"\xff", b"<html>", b"[" * 100_000])
def test_what_is_not_strict_json_is_refused(body: bytes) -> None:
    with pytest.raises(BadJSONError):
        read_json(body)


@given(_VALUES)
def test_every_value_is_on_exactly_one_line(value: Any) -> None:
    lines = json_lines(value, limits=_WIDE)
    assert sorted(field for line in lines for field in line.fields) == sorted(_leaves(value, "value"))
    assert all(line.text.isprintable() and line.fields for line in lines)


@given(_VALUES)
def test_no_line_holds_values_of_two_objects(value: Any) -> None:
    holders = [sorted(fields) for fields in _holders(value, "value")]
    assert sorted(sorted(line.fields) for line in json_lines(value, limits=_WIDE)) == sorted(holders)


@given(_VALUES, st.integers(min_value=80, max_value=200))
def test_no_line_is_longer_than_the_limit(value: Any, characters: int) -> None:
    lines = json_lines(value, limits=ProbeLimits(line_characters=characters))
    assert all(len(line.text) <= characters for line in lines)
    assert {field for line in lines for field in line.fields} <= set(_leaves(value, "value"))


@given(st.text())
def test_what_is_printable_is_one_line_of_the_same_letters(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()


def _leaves(value: Any, key: str) -> list[tuple[str, str]]:
    return [field for fields in _holders(value, key) for field in fields]


def _holders(value: Any, key: str) -> list[list[tuple[str, str]]]:
    """Return the values that each object and list holds itself, by the plainest walk there is."""
    if not isinstance(value, (dict, list)) or not value:
        return [[(key, _bare(value))]]
    items = list(value.items()) if isinstance(value, dict) else [(key, item) for item in value]
    own = [(name, _bare(item)) for name, item in items if not isinstance(item, (dict, list)) or not item]
    below = [found for name, item in items if isinstance(item, (dict, list)) and item for found in _holders(item, name)]
    return ([own] if own else []) + below


def _bare(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
