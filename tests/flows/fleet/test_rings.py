"""When a ring is sound, so that the next one may begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.loading import load_organisations
from config.organisation import Organisation
from flows.fleet.rings import End, RingEnd, broken_rings, end_of, judge_ring, named, rings_of

ENDS: tuple[End, ...] = ("well", "paused", "outage", "failed")


def organisation(name: str, ring: int) -> Organisation:
    return Organisation.model_validate({"organisation": name, "memory": {"url": "https://x.example/m"}, "ring": ring})


def test_organisations_of_a_lower_ring_come_first_each_ring_by_name() -> None:
    found = rings_of([organisation("b", 5), organisation("c", 0), organisation("a", 5)])
    assert list(found.items()) == [(0, ("c",)), (5, ("a", "b"))]


@pytest.mark.parametrize(
    ("document", "end"),
    [
        ({"status": "landed", "exit": 0}, "well"),
        ({"status": "nothing-to-do", "exit": 0}, "well"),
        ({"status": "superseded", "exit": 0}, "well"),
        ({"status": "shadow", "exit": 0}, "well"),
        ({"status": "paused", "exit": 0}, "paused"),
        ({"status": "landed", "exit": 1, "outage": False}, "failed"),
        ({"status": "landed", "exit": 1, "outage": True}, "outage"),
        ({"status": "not-landed", "exit": 3, "outage": True}, "outage"),
        ({"status": "not-landed", "exit": 3}, "failed"),
    ],
)
def test_how_a_night_ended_for_its_ring(document: dict[str, object], end: End) -> None:
    assert end_of(document) == end


@pytest.mark.parametrize(
    ("ends", "why"),
    [
        ({}, ""),
        ({"a": "well"}, ""),
        ({"a": "well", "b": "paused", "c": "outage"}, ""),
        ({"a": "well", "b": "failed"}, "1 of 2 failed: b"),
        ({"a": "failed"}, "1 of 1 failed: a"),
        ({"a": "outage", "b": "paused", "c": "outage"}, "no night landed; met an outage: a, c; are paused: b"),
        ({f"n{number}": "well" for number in range(9)} | {"x": "failed"}, ""),
        ({f"n{number}": "well" for number in range(8)} | {"x": "failed"}, "1 of 9 failed: x"),
    ],
)
def test_why_a_ring_is_not_sound(ends: dict[str, End], why: str) -> None:
    assert judge_ring(ends, failed_percent=10) == why


@given(st.dictionaries(st.text("abc", min_size=1), st.sampled_from(ENDS), min_size=1), st.integers(0, 100))
def test_outages_and_pauses_never_change_what_those_that_dreamed_say(ends: dict[str, End], percent: int) -> None:
    dreamed = {name: end for name, end in ends.items() if end in {"well", "failed"}}
    if dreamed and "well" in dreamed.values():
        assert judge_ring(ends, failed_percent=percent) == judge_ring(dreamed, failed_percent=percent)
    else:
        assert judge_ring(ends, failed_percent=percent)


@given(st.dictionaries(st.text("abc", min_size=1), st.sampled_from(ENDS), min_size=1), st.integers(0, 100))
def test_a_ring_that_is_sound_stays_so_when_one_that_failed_lands(ends: dict[str, End], percent: int) -> None:
    better: dict[str, End] = {**ends, min(ends): "well"}
    if not judge_ring(ends, failed_percent=percent):
        assert not judge_ring(better, failed_percent=percent)


def test_of_many_names_a_few_are_told() -> None:
    assert named(["a", "b"]) == "a, b"
    assert named([str(number) for number in range(8)]) == "0, 1, 2, 3, 4 and 3 more"


def test_what_is_broken_is_in_the_ring_that_it_says_it_is_in(tmp_path: Path) -> None:
    for name, text in {
        "a": "organisation: acme\nring: 0\nmemory: {adress: x}\n",
        "b": "ring: no\n",
        "c": "ring: -1\n",
        "d": "ring: true\n",
        "e": "{",
        "f": 'organisation: fir\nring: 2\nmemory: {url: "https://x.example/m"}\n',
        "g": 'organisation: gum\nring: 3\nmemory: {url: "https://x.example/m.git"}\n',
    }.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    found = load_organisations(tmp_path)
    assert rings_of(found.organisations) == {}
    assert broken_rings(found.broken) == {0: ("acme",), 1: ("b", "c", "d", "e"), 2: ("fir",), 3: ("gum",)}


def test_a_ring_as_json() -> None:
    assert RingEnd(ring=0, names=("a",), why="1 of 1 failed: a").payload() == {
        "ring": 0,
        "organisations": 1,
        "sound": False,
        "why": "1 of 1 failed: a",
    }
