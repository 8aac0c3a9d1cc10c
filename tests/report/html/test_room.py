from __future__ import annotations

from html import escape

from hypothesis import given
from hypothesis import strategies as st

from dream.report.escaping import visible
from dream.report.html.room import MARKUP, Room, fitting, shown_bytes


def test_lines_fit_from_the_first_and_the_rest_is_counted() -> None:
    assert fitting(["a", "b", "c"], Room(2 * (1 + MARKUP))) == (["a", "b"], 1)


def test_a_line_that_does_not_fit_ends_the_list_even_if_a_later_one_would() -> None:
    assert fitting(["x" * 100, "y"], Room(50)) == ([], 2)


def test_what_a_part_leaves_is_there_for_the_next() -> None:
    room = Room(90)
    first = room.part(3)
    assert (first.left, room.left) == (30, 60)
    room.give(first)
    assert (first.left, room.left) == (0, 90)


@given(st.text(max_size=50))
def test_a_text_is_charged_with_what_it_takes_in_a_page(text: str) -> None:
    assert shown_bytes(text) == len(escape(visible(text)).encode())
