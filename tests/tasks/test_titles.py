from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.links import scan_links
from dream.memory.notes import parse_note
from tasks.titles import LONGEST_TITLE, WITHHELD, number_of, plain, statements_of, title_of


def test_a_title_is_the_first_line_that_says_anything() -> None:
    assert title_of("\n```\n\n  fix   the\ttest \nnow", screen=str) == "fix the test"
    assert title_of("\n---\n", screen=str) == ""
    assert title_of("fix", screen=lambda _: " ") == WITHHELD


@given(st.text(max_size=300))
def test_whatever_is_typed_stays_in_one_plain_line_of_one_entry(text: str) -> None:
    title = title_of(text, screen=str)
    assert len(title.replace("\\", "")) <= LONGEST_TITLE
    assert title == " ".join(title.split())
    assert not set("[]<>`\n") & set(title)
    line = f'- 2026-10-21: ana asked "{title}". [thread_1, 2026-10-21]'
    note = parse_note(f"# Day\n\n{line}\n".encode(errors="replace"))
    if "\0" not in title and title.isprintable():
        assert [entry.sources for entry in note.entries] == [("thread_1",)]  # type: ignore[union-attr]
        assert scan_links(line) == ()


@pytest.mark.parametrize(("count", "words"), [(0, "no file"), (1, "1 file"), (2, "2 files")])
def test_numbers_read_as_words(count: int, words: str) -> None:
    assert number_of(count, "file", "files") == words


def test_a_cut_is_marked() -> None:
    assert plain("abcdef", longest=4) == "abc…"


def test_statements_are_list_items_and_paragraphs() -> None:
    text = "# Heading\n\nOne\ntwo.\n- Three\n  four\n* Five\n---\n\n## \n\nSix\n"
    assert statements_of(text) == ("One two.", "Three four", "Five", "Six")
