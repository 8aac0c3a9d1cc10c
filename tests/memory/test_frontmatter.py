from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.frontmatter import (
    MOST_BYTES,
    Broken,
    Frontmatter,
    frontmatter_end,
    read_events,
    read_frontmatter,
    read_simple,
)


def read(*block: str) -> Frontmatter | Broken | None:
    return read_frontmatter(["---", *block, "---", "body"])


def test_the_three_keys_are_read_and_the_body_begins_after_the_block() -> None:
    found = read("name: deploys", 'description: "How we: deploy"', "type: feedback")
    assert isinstance(found, Frontmatter)
    assert (found.end, found.name, found.description, found.type) == (5, "deploys", "How we: deploy", "feedback")


def test_a_type_that_a_tool_keeps_under_metadata_is_found() -> None:
    found = read("name: deploys", "metadata: ", "  node_type: memory", "  type: project")
    assert isinstance(found, Frontmatter)
    assert found.type == "project"


def test_a_description_over_several_lines_is_one_line() -> None:
    for block in (
        ["description: >", "  one", "  two"],
        ["description: one", "  two"],
        ["description: |", " one", " two"],
    ):
        found = read(*block)
        assert isinstance(found, Frontmatter)
        assert found.description == "one two"


def test_values_stay_text_whatever_yaml_would_make_of_them() -> None:
    found = read("a: no", "b: 2026-10-14", "c: 12:30:45", "d: 0o17", "e: 1_000", "f: ~", "g: !!python/name:os.system x")
    assert isinstance(found, Frontmatter)
    assert found.values == {
        "a": "no",
        "b": "2026-10-14",
        "c": "12:30:45",
        "d": "0o17",
        "e": "1_000",
        "f": "",
        "g": "x",
    }


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (["name: a", "name: b"], "the key name stands twice"),
        (["m:", "  k: 1", "  k: 2"], "the key k stands twice"),
        (["\tname: a"], "found character '\\t' that cannot start any token, line 2"),
        (["name: [a"], "expected ',' or ']', but got '<stream end>', line 3"),
        (["name: a: b"], "mapping values are not allowed here, line 2"),
        (["- name: a"], "not one mapping"),
        (["name: a", "--- {name: b}"], "not one mapping"),
        (['"name: a"'], "not one mapping"),
        (["k: " + "[" * 30 + "]" * 30], "nested deeper than 20"),
        (["k: " + "[" * 20 + "]" * 20], "nested deeper than 20"),
        (["k: " + "x" * MOST_BYTES], "over 16 kB"),
        (['name: "\\UFFFFFFFF"'], "not YAML (OverflowError)"),
        (['name: "\\U00110000"'], "not YAML (ValueError)"),
        (["name: a\x07"], "unacceptable character #x0007: special characters are not allowed"),
    ],
)
def test_a_block_that_has_no_one_meaning_is_broken_and_says_why(block: list[str], reason: str) -> None:
    assert read(*block) == Broken(len(block) + 2, reason)


def test_a_block_at_its_limits_is_read() -> None:
    for block in (["k: " + "[" * 19 + "]" * 19, "name: a"], ["k: " + "x" * (MOST_BYTES - 10), "name: a"]):
        found = read(*block)
        assert isinstance(found, Frontmatter)
        assert found.name == "a"


def test_an_alias_is_no_value_and_no_key() -> None:
    found = read("first: &x one", "name: *x", "*x : two", "type: user")
    assert isinstance(found, Frontmatter)
    assert found.values == {"first": "one", "type": "user"}


def test_a_block_that_is_cut_off_is_broken_and_all_of_the_note_is_its_body() -> None:
    assert read_frontmatter(["---", "name: a", "text"]) == Broken(0, "not closed")


def test_aliases_that_stand_for_millions_cost_nothing() -> None:
    chain = [f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]" for old, new in zip("abcdefgh", "bcdefghi", strict=True)]
    found = read("name: x", "a: &a [l, o, l]", *chain)
    assert isinstance(found, Frontmatter)
    assert found.values == {"name": "x"}


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [""],
        ["text"],
        [" ---", "name: a", "---"],
        ["----", "name: a", "---"],
        ["---", "Some prose between two rules.", "---", "text"],
        ["---", "", "# Title"],
    ],
)
def test_rules_around_prose_are_no_frontmatter(lines: list[str]) -> None:
    assert read_frontmatter(lines) is None
    assert frontmatter_end(lines) == 0


def test_a_byte_order_mark_carriage_returns_and_blanks_after_the_dashes_are_no_matter() -> None:
    found = read_frontmatter(["\ufeff--- \r", "name: a\r", "---\t\r", "body\r"])
    assert isinstance(found, Frontmatter)
    assert (found.end, found.name) == (3, "a")


def test_only_the_first_block_counts() -> None:
    found = read_frontmatter(["---", "name: a", "---", "---", "name: b", "---"])
    assert isinstance(found, Frontmatter)
    assert (found.end, found.name) == (3, "a")


LINES = st.sampled_from(
    [
        *("name: a", "name:", "type: project", "metadata:", "  type: x", "  - one", "- two", "    deep: 1", "", "k: ~"),
        *("description: it's a \U0001f525 day", "k: 'a'", "k: 'a''b'", 'k: "a"', 'k: "a\\n"', "k: [a, b]", "k: [a: b]"),
        *("k: [", "k: a # c", "k: a: b", "k: a:", "k: - a", "k: *x", "k: &x a", "k: !t a", "k: | ", "  more", "# c"),
        *("root: ../..", "k: a\u2028b", "k: null", "k : a", "k:a", "'q': a", "k: \u201ca\u201d", "k: [a,, b]", "k: []"),
        *(
            "k: a\tb",
            "\tk: a",
            "k: a\ufeff",
            "k: 12:30",
            "? k",
            ": v",
            "k: %a",
            "k: @a",
            "k: `a`",
            "k: ?a",
            "j: a",
            "l: b",
        ),
    ]
)


@given(st.lists(LINES, max_size=6))
def test_what_is_read_directly_is_what_yaml_says(block: list[str]) -> None:
    block = [line.rstrip() for line in block]
    simple = read_simple(block)
    if simple:
        assert simple == read_events(block)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    found = read(*f"name: {text}".split("\n"))
    assert found is None or isinstance(found, Frontmatter | Broken)
