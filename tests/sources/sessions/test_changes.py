from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dream.sources.sessions.changes import bounded_patch, patch_of_hunks, patch_of_replacement, patch_of_text


def test_recorded_hunks_keep_where_they_stood() -> None:
    hunk = {"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 2, "lines": [" a", "-b", "+c"]}
    assert patch_of_hunks([hunk], most=100) == "@@ -3,2 +3,2 @@\n a\n-b\n+c"


def test_what_is_no_hunk_gives_nothing() -> None:
    assert patch_of_hunks(None, most=100) == ""
    assert patch_of_hunks(["x", {"lines": 3}], most=100) == ""
    assert patch_of_hunks([{"lines": ["+a", 3]}], most=100) == "@@\n+a"


def test_what_stays_the_same_around_a_replacement_is_shown_for_three_lines() -> None:
    before = "\n".join("abcdefgh")
    after = before.replace("e", "E")
    assert patch_of_replacement(before, after, most=100) == " b\n c\n d\n-e\n+E\n f\n g\n h"


def test_an_insertion_and_a_removal() -> None:
    assert patch_of_replacement("a\nb\n", "a\nx\nb\n", most=100) == " a\n+x\n b"
    assert patch_of_replacement("a\nx\nb\n", "a\nb\n", most=100) == " a\n-x\n b"
    assert patch_of_replacement("a\n", "a\n", most=100) == ""
    assert patch_of_text("one\ntwo\n", most=100) == "+one\n+two"


def test_a_diff_is_cut_between_lines_and_within_the_first_where_it_is_too_long() -> None:
    assert bounded_patch(["+one", "+two"], most=8) == "+one"
    assert bounded_patch(["+one", "+two"], most=9) == "+one\n+two"
    assert bounded_patch(["+" + "x" * 50], most=5) == "+xxxx"


@given(st.text("ab\n", max_size=30), st.text("ab\n", max_size=30), st.integers(1, 40))
def test_a_replacement_shows_what_went_and_what_came_within_its_bound(old: str, new: str, most: int) -> None:
    assert len(patch_of_replacement(old, new, most=most)) <= most
    whole = patch_of_replacement(old, new, most=1_000).split("\n")
    removed = [line[1:] for line in whole if line.startswith("-")]
    added = [line[1:] for line in whole if line.startswith("+")]
    assert all(line in old.split("\n") for line in removed)
    assert all(line in new.split("\n") for line in added)
