from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import Note, find_span, parse_note, replace_lines
from dream.memory.operations import Span

BOM = "\ufeff"


def test_a_span_is_found_as_whole_lines_by_occurrence() -> None:
    text = "- a\n- ab\n- a\n- a"
    assert find_span(text, Span(path="x.md", text="- a")) == (0, 1)
    assert find_span(text, Span(path="x.md", text="- a", occurrence=1)) == (2, 3)
    assert find_span(text, Span(path="x.md", text="- a\n- a", occurrence=0)) == (2, 4)
    assert find_span(text, Span(path="x.md", text="- a", occurrence=3)) is None
    assert find_span(text, Span(path="x.md", text="a")) is None


def test_a_span_of_the_whole_file_is_every_line() -> None:
    assert find_span("a\nb\n", Span(path="x.md", text=None, blob="0" * 40)) == (0, 3)


def test_a_span_does_not_match_lines_that_end_otherwise() -> None:
    assert find_span("- a\r\n- b\r\n", Span(path="x.md", text="- a")) is None
    assert find_span("- a\r\n- b\r\n", Span(path="x.md", text="- a\r")) == (0, 1)


@pytest.mark.parametrize(
    ("text", "start", "end", "new", "result"),
    [
        ("a\nb\nc\n", 1, 2, "B", "a\nB\nc\n"),
        ("a\nb\nc\n", 1, 2, "B\nB2", "a\nB\nB2\nc\n"),
        ("a\nb", 1, 2, "B", "a\nB"),
        ("a\r\nb\r\nc\r\n", 1, 2, "B\nB2", "a\r\nB\r\nB2\r\nc\r\n"),
        ("a\r\nb\r\nc", 2, 3, "C\nC2", "a\r\nb\r\nC\r\nC2"),
        ("a\nb\r\nc\n", 1, 2, "b\nB", "a\nb\r\nB\nc\n"),
        ("a\nb\n", 0, 2, "A\r\nB", "A\nB\n"),
        (BOM + "a\nb\n", 0, 1, "A", BOM + "A\nb\n"),
        (BOM + "a\nb\n", 0, 1, BOM + "A", BOM + "A\nb\n"),
        ("a\nb\n", 1, 1, "x", "a\nx\nb\n"),
        ("a\nb\n", 2, 2, "x", "a\nb\nx\n"),
        ("a\nb\n", 3, 3, "x", "a\nb\nx\n"),
        ("a\r\nb", 2, 2, "x", "a\r\nb\r\nx"),
        ("a", 1, 1, "x", "a\nx"),
        ("", 0, 0, "x", "x\n"),
        ("", 1, 1, "x", "x\n"),
        ("a\nb\n", 0, 3, "x\n", "x\n"),
    ],
)
def test_lines_are_replaced_or_put_in_and_all_others_kept(
    text: str, start: int, end: int, new: str, result: str
) -> None:
    assert replace_lines(text, start, end, new) == result


@pytest.mark.parametrize(
    ("text", "start", "end", "result"),
    [
        ("- a\n- b\n- c\n", 1, 2, "- a\n- c\n"),
        ("a\n\nb\n\nc\n", 2, 3, "a\n\nc\n"),
        ("a\n\nb\n", 2, 3, "a\n"),
        ("a\n\nb", 2, 3, "a"),
        ("a\nb", 1, 2, "a"),
        ("a\n\n\nb\n\nc\n", 3, 4, "a\n\n\nc\n"),
        ("a\n\nb\n# c\n", 2, 3, "a\n\n# c\n"),
        ("a\n\nb\n", 0, 1, "b\n"),
        ("a\n", 0, 1, ""),
        ("a", 0, 1, ""),
        ("a\n\nb\n", 0, 4, ""),
        (BOM + "a\nb\n", 0, 1, BOM + "b\n"),
        ("a\r\n\r\nb\r\n", 2, 3, "a\r\n"),
        ("a\r\nb", 1, 2, "a"),
        ("---\nname: x\n---\na\n\nb\n", 3, 4, "---\nname: x\n---\n\nb\n"),
    ],
)
def test_lines_are_taken_away_with_at_most_one_of_the_blank_lines_around(
    text: str, start: int, end: int, result: str
) -> None:
    assert replace_lines(text, start, end, None) == result


@pytest.mark.parametrize(
    ("text", "start", "end", "result"),
    [
        ("one\n```\nx\n```\ntwo\n", 1, 4, "one\n\ntwo\n"),
        ("one\r\n# h\r\ntwo\r\n", 1, 2, "one\r\n\r\ntwo\r\n"),
        ("one\n1. a\n2. b\n", 1, 2, "one\n\n2. b\n"),
        ("one\n# h\n# i\n", 1, 2, "one\n# i\n"),
    ],
)
def test_two_blocks_do_not_become_one_where_what_stood_between_goes(
    text: str, start: int, end: int, result: str
) -> None:
    assert replace_lines(text, start, end, None) == result


PIECES = st.sampled_from(
    [
        *(
            "- a\n",
            "- b\n  more\n",
            "para\n",
            "\n",
            "\n",
            "# h\n",
            "```\nx\n```\n",
            "| a |\n|---|\n",
            "> q\n",
            "* * *\n",
        ),
        *(
            "- 2026-10-14: a. [thread_7c2e, 2026-10-14]\n",
            "1. n\n",
            "2. m\n",
            "  indented\n",
            "    code\n",
            "<!-- c -->\n",
        ),
        *("text", "\t", "é\u2028", "\x85\n", "- "),
    ]
)
TEXTS = st.builds(
    lambda bom, front, pieces, newline: (bom + front + "".join(pieces)).replace("\n", newline),
    st.sampled_from(["", "", BOM]),
    st.sampled_from(["", "", "---\nname: a\ntype: b\n---\n"]),
    st.lists(PIECES, max_size=12),
    st.sampled_from(["\n", "\n", "\r\n"]),
) | st.text(alphabet=" -#ab\r\n\t`>\ufeff", max_size=60)


def read(text: str) -> Note:
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    return note


@given(TEXTS)
def test_every_entry_is_found_and_replaced_by_itself_without_a_change(text: str) -> None:
    note = read(text)
    for entry in note.entries:
        places = [find_span(text, Span(path="x.md", text=entry.raw, occurrence=n)) for n in range(len(note.lines))]
        assert (entry.start, entry.end) in places
        assert replace_lines(text, entry.start, entry.end, entry.raw) == text


@given(TEXTS, st.sampled_from(["x", "x\ny", "- 2026-10-14: x", ""]))
def test_a_revised_entry_changes_only_its_lines(text: str, new: str) -> None:
    note = read(text)
    for entry in note.entries:
        bom = BOM if text.startswith(BOM) else ""
        result = replace_lines(text, entry.start, entry.end, new)
        assert result.startswith(bom)
        lines, old = result.removeprefix(bom).split("\n"), text.removeprefix(bom).split("\n")
        size = len(new.split("\n"))
        assert lines[: entry.start] == old[: entry.start]
        assert lines[entry.start + size :] == old[entry.end :]
        assert "\n".join(lines[entry.start : entry.start + size]).replace("\r", "") == new


@given(TEXTS)
def test_a_removed_entry_leaves_every_other_line_and_moves_at_most_one_blank_one(text: str) -> None:
    note = read(text)
    bom = BOM if text.startswith(BOM) else ""
    old = text.removeprefix(bom).split("\n")
    for entry in note.entries:
        result = replace_lines(text, entry.start, entry.end, None)
        assert result.startswith(bom)
        left = [line.rstrip("\r") for line in result.removeprefix(bom).split("\n")]
        kept = [line.rstrip("\r") for line in [*old[: entry.start], *old[entry.end :]]]
        assert [line for line in left if line.strip()] == [line for line in kept if line.strip()]
        assert abs(len(left) - max(len(kept), 1)) <= 1
