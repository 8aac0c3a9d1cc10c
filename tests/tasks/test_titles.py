from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.links.notation import scan_links
from dream.memory.notes import parse_note
from tasks.titles import LONGEST_TITLE, WITHHELD, number_of, plain, says_little, statements_of, title_of


def test_a_title_is_the_first_line_that_says_anything() -> None:
    assert title_of("\n```\n\n  fix   the\ttest \nnow", screen=str) == "fix the test"
    assert title_of("\n---\n", screen=str) == ""
    assert title_of("fix", screen=lambda _: " ") == WITHHELD


@given(st.text(max_size=300))
def test_whatever_is_typed_stays_in_one_plain_line_of_one_entry(text: str) -> None:
    title = title_of(text, screen=str)
    assert len(title.replace("\\", "")) <= LONGEST_TITLE
    assert title == " ".join(title.split())
    assert not set('[]<>`\n"') & set(title)
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


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("ana@box:~/web$ make test\nFAIL\n\nwhy does it fail", "FAIL"),
        ("(venv) ana@box ~/web % make test\n", "make test"),
        ("$ make test", "make test"),
        ("➜ make test\nwhat is this", "what is this"),
        ("# Fix the queue", "# Fix the queue"),
        ("$500 is the limit", "$500 is the limit"),
        ("ask ana@acme.example about it", "ask ana@acme.example about it"),
    ],
)
def test_a_line_pasted_from_a_shell_is_a_title_only_where_there_is_no_other(text: str, title: str) -> None:
    assert title_of(text, screen=str) == title


@pytest.mark.parametrize(("text", "little"), [("Commit.", True), (" continue\n", True), ("continue with web", False)])
def test_a_push_to_go_on_says_little(text: str, *, little: bool) -> None:
    assert says_little(text) is little
