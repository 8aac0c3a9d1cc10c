from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dream.report.escaping import code, fenced, inline, one_line, pictured, visible
from dream.report.tables import markdown_table

ANYTHING = st.text(st.characters(exclude_categories=()), max_size=200)
MARKDOWN = MarkdownIt("commonmark").enable("table")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\rb", "a\\rb"),
        ("right\u202eleft", "right\\u202eleft"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("next\u2028line", "next\\u2028line"),
        ("next\x85line", "next\\x85line"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("half \ud800", "half \\ud800"),
        (
            "kept: ü, 漢字, \U0001f469\u200d\U0001f680\n\tand blanks",
            "kept: ü, 漢字, \U0001f469\u200d\U0001f680\n\tand blanks",
        ),
    ],
)
def test_what_acts_on_a_terminal_or_cannot_be_seen_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(ANYTHING)
def test_a_pictured_text_is_as_long_and_every_character_that_can_be_seen_is_where_it_was(text: str) -> None:
    shown = pictured(text)
    assert len(shown) == len(text)
    assert [one if visible(one) == one else visible(one) for one in text] == [
        before if visible(before) == before == after else visible(before)
        for before, after in zip(text, shown, strict=True)
    ]
    assert visible(shown) == shown


@given(ANYTHING)
def test_whatever_is_shown_can_be_encoded_and_holds_no_control_character(text: str) -> None:
    shown = visible(text)
    shown.encode("utf-8")
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", shown)


def test_a_long_line_is_cut_and_says_so() -> None:
    assert one_line("a  b\n" + "c" * 400, most=10) == "a b ccccc…"


@given(ANYTHING)
def test_a_text_in_a_list_item_stays_one_paragraph_that_reads_as_it_stood(text: str) -> None:
    tokens = MARKDOWN.parse(f"- {inline(text, most=10_000)}\n")
    kinds = [token.type for token in tokens if token.level >= 2]
    assert kinds in ([], ["paragraph_open", "inline", "paragraph_close"])
    shown = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in shown} <= {"text", "text_special", "softbreak"}
    assert "".join(child.content for child in shown) == one_line(text, most=10_000).strip()


@given(ANYTHING)
def test_a_text_in_a_cell_ends_neither_the_cell_nor_the_row(text: str) -> None:
    table = "\n".join(markdown_table(("one", "two"), [(inline(text), "second")]))
    cells = [token for token in MARKDOWN.parse(table) if token.type == "td_open"]
    assert len(cells) == 2


@given(st.text("`a |<", min_size=1, max_size=40))
def test_a_code_span_holds_any_run_of_backticks(text: str) -> None:
    tokens = MARKDOWN.parse(f"see {code(text)} there")
    spans = [child for token in tokens for child in token.children or () if child.type == "code_inline"]
    assert [span.content for span in spans] == [one_line(text) or "(nothing)"]


@given(st.lists(ANYTHING, max_size=10))
def test_a_block_of_lines_cannot_be_left_by_any_of_them(lines: list[str]) -> None:
    text = "\n".join(["before", "", *fenced(lines, most_lines=100, most=10_000), "", "# after"])
    kinds = [token.type for token in MARKDOWN.parse(text) if token.level == 0]
    assert kinds == ["paragraph_open", "paragraph_close", "fence", "heading_open", "heading_close"]


def test_a_block_says_how_many_lines_it_left_out() -> None:
    assert fenced(["one", "```", "three"], most_lines=2) == ["````text", "one", "```", "````", "… and 1 more lines"]
