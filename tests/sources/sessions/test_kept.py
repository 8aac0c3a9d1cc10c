"""Spans of what is kept: in order, apart from one another, and within the text, whatever it is."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.kept import (
    Span,
    beginning_of,
    head_and_tail,
    last_lines,
    line_of_value,
    lines_of_trouble,
    links_of,
    merged,
    prose_of,
)

PIECES = st.sampled_from(
    [
        "\n",
        " ",
        "\t",
        "\r\n",
        "```py",
        "```",
        "error: x",
        "FAILED",
        "https://a.example/b?c=1.",
        "7",
        "İ",
        "word ",
        "x" * 50,
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=40).map("".join))
SIZES = st.integers(0, 60)


def is_in_order(spans: list[Span], text: str) -> bool:
    edges = [edge for span in spans for edge in span]
    apart = all(first[1] < second[0] for first, second in pairwise(spans))
    return edges == sorted(edges) and apart and all(0 <= start < end <= len(text) for start, end in spans)


@given(text=TEXTS, most=SIZES, lines=st.integers(0, 5))
def test_spans_are_in_order_and_within_the_text(text: str, most: int, lines: int) -> None:
    for spans in (
        head_and_tail(text, most),
        prose_of(text, most, code_lines=lines),
        beginning_of(text, most),
        merged(last_lines(text, lines=lines, characters=most, line=max(2, most)), len(text)),
        merged(lines_of_trouble(text, before=len(text) // 2, most=lines, line=most, weak=True), len(text)),
        merged(line_of_value(text, before=len(text), line=max(2, most)), len(text)),
        merged(links_of(text), len(text)),
    ):
        assert is_in_order(spans, text)


@given(text=TEXTS, most=SIZES)
def test_both_ends_are_no_longer_than_asked_but_for_what_is_kept_instead_of_a_mark(text: str, most: int) -> None:
    assert sum(end - start for start, end in head_and_tail(text, most)) <= most + 48


@given(text=TEXTS)
def test_a_text_that_fits_is_kept_but_for_the_blanks_around_it(text: str) -> None:
    assert "".join(text[start:end] for start, end in head_and_tail(text, 10_000)) == text.strip(" \t\r\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("built in 41 s\n" + "done\n" * 30, "built in 41 s"),
        ("a\nb", ""),
        ("sha 9f2c\n" * 3, "sha 9f2c"),
    ],
)
def test_the_last_line_with_a_digit_is_found_wherever_it_is(text: str, value: str) -> None:
    assert "".join(text[start:end] for start, end in line_of_value(text, before=len(text), line=400)) == value


def test_lines_that_begin_with_an_error_come_before_lines_that_mention_one() -> None:
    text = "no error here\nnor did it fail\nE   KeyError: 'a'\nsrc/a.py:3: error: no such name\nall cannot be well\n"

    def found(*, weak: bool) -> list[str]:
        return [text[start:end] for start, end in lines_of_trouble(text, before=len(text), most=3, line=99, weak=weak)]

    assert found(weak=False) == ["E   KeyError: 'a'", "src/a.py:3: error: no such name"]
    assert found(weak=True) == ["no error here", "E   KeyError: 'a'", "src/a.py:3: error: no such name"]


def test_a_link_ends_before_the_punctuation_of_its_sentence() -> None:
    text = "See (https://a.example/b?c=1), or <http://c.example/d>. Not http:// nor ftp://e."
    assert [text[start:end] for start, end in links_of(text)] == ["https://a.example/b?c=1", "http://c.example/d"]
