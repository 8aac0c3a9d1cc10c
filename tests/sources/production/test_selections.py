"""What a JSONPath selects, and that following one ends."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.fields import json_lines, read_json
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.port import Line, Refused
from dream.sources.production.selections import Selected, objection_to_path, select

_BODY = read_json(
    b'{"services": [{"name": "orders-api", "replicas": 7, "load": 1.50, "labels": {"team": "shop"}},'
    b' {"name": "billing", "replicas": 2, "regions": ["eu-1", "us-1"]}], "at": null}'
)
_ORDERS = Line(
    text='services[0]: name="orders-api" replicas=7 load=1.50',
    fields=(("name", "orders-api"), ("replicas", "7"), ("load", "1.50")),
)
_BILLING = Line(text='services[1]: name="billing" replicas=2', fields=(("name", "billing"), ("replicas", "2")))
_REGIONS = Line(text='services[1].regions: "eu-1", "us-1"', fields=(("regions", "eu-1"), ("regions", "us-1")))
_TOO_LARGE = Refused("what it answers is too large or nested too deep for a path to be followed")


@pytest.mark.parametrize(
    ("path", "values", "lines"),
    [
        ("$.services[0].replicas", ("7",), (_ORDERS,)),
        ("$.services[?@.name == 'orders-api'].load", ("1.50",), (_ORDERS,)),
        ("$.services[?@.load == 1.5].name", ("orders-api",), (_ORDERS,)),
        ("$.services[*].replicas", ("7", "2"), (_ORDERS, _BILLING)),
        ("$..replicas", ("7", "2"), (_ORDERS, _BILLING)),
        ("$.services[1].regions", ("eu-1", "us-1"), (_REGIONS,)),
        ("$.services[1].regions[-1]", ("us-1",), (_REGIONS,)),
        ("$.services[1]", (), (_BILLING, _REGIONS)),
        ("$.at", ("null",), (Line(text="at=null", fields=(("at", "null"),)),)),
        ("$.gone", (), ()),
        ("$.services[9].replicas", (), ()),
        ("$.services[0].name[0:3]", (), ()),
    ],
)
def test_a_path_selects_values_on_the_lines_of_what_holds_them(
    path: str, values: tuple[str, ...], lines: tuple[Line, ...]
) -> None:
    assert objection_to_path(path) == ""
    assert select(_BODY, path) == Selected(values=values, lines=lines)


def test_lines_begin_with_the_root_and_the_way() -> None:
    found = select({"a.b": [1, {"c": 2}]}, "$['a.b'][1].c", root="deploy/web.yaml")
    assert found == Selected(values=("2",), lines=(Line(text='deploy/web.yaml."a.b"[1]: c=2', fields=(("c", "2"),)),))


def test_a_value_alone_is_selected_by_the_root() -> None:
    assert select("[1]", "$") == Selected(values=("[1]",), lines=json_lines("[1]"))
    assert select(7, "$[0]") == Selected(values=(), lines=())


@pytest.mark.parametrize(
    "path",
    [
        *(
            "",
            "services",
            "$.",
            "$[",
            "replicas == 7",
            "$.a | $.b",
            "$.a & $.b",
            "^",
            "$.~a",
            "$[~'a']",
            " $.a",
            "$.a ",
        ),
        *("$[?match(@.name, '.*')]", "$[?search(@.name, 'a')]", "$[?@.a =~ /x/]", "$['a", "7", "'literal'", "$[?1]"),
        *("$[" * 140, "$[?" + "(" * 200, "$." + "a" * 300),
        *("$..*..*", "$..[?count(@..*) > 1]", "$[?@[?@.a]]", "$[?@.*]", "$[?@.a][?@.b]", "$[*,*,*,*][*,*,*]"),
        "$" + "[0,0]" * 50,
    ],
)
def test_what_is_no_path_or_takes_too_long_is_not_followed(path: str) -> None:
    assert objection_to_path(path) != ""
    assert select(_BODY, path) == Refused(objection_to_path(path))


@pytest.mark.parametrize(
    "body",
    [
        b'{"' + b"k" * 500_000 + b'": [' + b"0," * 200_000 + b"0]}",
        b"[" * 190 + b"0," * 90_000 + b"0" + b"]" * 190,
        b"[" + b"0," * 100_000 + b"0]",
        b'{"a":' * 900 + b"1" + b"}" * 900,
    ],
    ids=["a-long-key", "deep", "many", "deeper-than-calls-go"],
)
def test_what_would_take_time_or_memory_without_measure_is_not_looked_into(body: bytes) -> None:
    assert select(read_json(body), "$..x") == _TOO_LARGE


def test_more_than_a_thousand_matches_are_cut() -> None:
    found = select([{"a": number} for number in range(2_000)], "$[*].a", limits=ProbeLimits(lines=5_000))
    assert isinstance(found, Selected)
    assert (len(found.values), len(found.lines), found.cut) == (1_000, 1_000, True)


_SCALARS = st.none() | st.booleans() | st.integers(0, 9) | st.sampled_from(["", "a", "b c", "7"])
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=20,
)
_PATHS = st.sampled_from(
    ["$", "$.*", "$..*", "$..a", "$[0]", "$.a.b", "$[?@.a == 'z']", "$..[?@ == 7]", "$[0:2]", "$.a[0:1]", "$['a','b']"]
)


@given(_VALUES, _PATHS)
def test_nothing_is_selected_that_is_not_in_the_value(value: Any, path: str) -> None:
    limits = ProbeLimits(line_characters=10_000)
    found = select(value, path, limits=limits)
    assert isinstance(found, Selected)
    held = {field for line in json_lines(value, limits=limits) for field in line.fields}
    assert {field for line in found.lines for field in line.fields} <= held | {("value", "{}"), ("value", "[]")}
    assert set(found.values) <= {value for _, value in held}
