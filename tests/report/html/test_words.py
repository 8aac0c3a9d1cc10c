from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dream.report.html.words import MOST_SEGMENTS, MOST_WORDS, Line, compared, whole


def _marked(line: Line) -> list[str]:
    return [segment.text for segment in line if segment.is_changed]


def test_only_the_words_that_differ_are_marked() -> None:
    old, new = compared("The server listens on port 3218.", "The server listens on port 4100 again.")
    assert ("".join(_marked(old)), "".join(_marked(new))) == ("3218.", "4100 again.")


def test_two_lines_with_little_in_common_are_shown_whole() -> None:
    assert compared("a b c d", "w x y z") == (whole("a b c d"), whole("w x y z"))


def test_a_line_of_very_many_words_is_not_compared() -> None:
    long = "word " * MOST_WORDS
    assert compared(long, f"{long}more") == (whole(long), whole(f"{long}more"))


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_character_of_either_line_is_lost_or_made(old: str, new: str) -> None:
    before, after = compared(old, new)
    assert ("".join(one.text for one in before), "".join(one.text for one in after)) == (old, new)
    assert max(len(before), len(after)) <= MOST_SEGMENTS
