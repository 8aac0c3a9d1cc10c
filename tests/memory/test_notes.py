from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.entries import EntryStyle
from dream.memory.notes import MAX_NOTE_BYTES, Note, NoteCache, NoteStyle, Unreadable, parse_note
from dream.memory.tree import MappingTree


def read(text: str) -> Note:
    note = parse_note(text.encode())
    assert isinstance(note, Note)
    return note


def units(text: str) -> list[tuple[EntryStyle, int, int, str]]:
    return [(entry.style, entry.start, entry.end, entry.key) for entry in read(text).entries]


def test_where_there_are_dated_bullets_only_those_are_entries() -> None:
    note = read("# checkout-api\n\nIntro.\n\n- 2026-10-14: a\n  more\n- undated\n- 2026-10-15: b\n")
    assert note.style is NoteStyle.DATED
    assert [(entry.start, entry.end, entry.key) for entry in note.entries] == [(4, 6, "a more"), (7, 8, "b")]
    assert note.other == ("# checkout-api", "Intro.", "- undated")


def test_a_dated_bullet_in_a_fence_or_a_comment_or_under_another_item_makes_no_dated_note() -> None:
    for text in ("```\n- 2026-10-14: a\n```", "<!--\n- 2026-10-14: a\n-->\n\ntext", "- x\n  - 2026-10-14: a"):
        assert read(text).style is NoteStyle.PLAIN


def test_the_body_of_a_frontmatter_note_is_one_entry() -> None:
    text = "---\nname: deploys\ndescription: How we deploy\ntype: feedback\n---\n\nAsk first.\n\n**Why:** it broke.\n\n"
    note = read(text)
    assert note.style is NoteStyle.FRONTMATTER
    assert units(text) == [(EntryStyle.BODY, 6, 9, "Ask first. **Why:** it broke.")]
    assert note.title == "How we deploy"
    assert note.other == ("---", "name: deploys", "description: How we deploy", "type: feedback", "---")


def test_frontmatter_that_only_titles_a_page_leaves_its_items_entries() -> None:
    text = "---\ntitle: Storage\ntags: [a]\n---\n\n# Storage\n\n- one\n- two\n"
    assert [unit[0] for unit in units(text)] == [EntryStyle.ITEM, EntryStyle.ITEM]


def test_a_section_that_says_when_it_was_updated_is_one_entry() -> None:
    text = (
        "# Decisions\n\nIntro.\n\n## Storage\n**Updated:** 2026-10-14\n\n- Postgres.\n- One writer.\n\n"
        "### Why\n\nSpeed.\n\n"
        "## Queue\n\n**Updated**: 2026-10-01\nRabbit.\n\n## Undated\n\nText.\n"
    )
    note = read(text)
    assert note.style is NoteStyle.SECTIONS
    assert [(entry.start, entry.end, entry.date, entry.key) for entry in note.entries] == [
        (4, 13, date(2026, 10, 14), "Storage - Postgres. - One writer. Why Speed."),
        (14, 18, date(2026, 10, 1), "Queue Rabbit."),
    ]
    assert note.other == ("# Decisions", "Intro.", "## Undated", "Text.")


def test_sections_need_no_title_above_them() -> None:
    text = "## Storage\n**Updated:** 2026-10-14\nPostgres.\n\n## Queue\n**Updated:** 2026-10-01\nRabbit.\n"
    assert [unit[1:3] for unit in units(text)] == [(0, 3), (4, 7)]


def test_an_update_under_the_title_dates_the_note_and_leaves_its_items_entries() -> None:
    text = "# Blockers\n\n**Updated**: 2025-10-31\n\n## Active\n\n- None.\n"
    assert read(text).style is NoteStyle.PLAIN
    assert units(text) == [(EntryStyle.ITEM, 6, 7, "None.")]
    assert read(text).other == ("# Blockers", "**Updated**: 2025-10-31", "## Active")


def test_an_update_under_the_title_of_a_note_of_prose_makes_the_prose_one_section() -> None:
    text = "# State\n\n**Updated:** 2026-10-14\n\nAll is well.\n"
    assert units(text) == [(EntryStyle.SECTION, 2, 5, "All is well.")]


def test_anywhere_else_items_paragraphs_code_tables_and_quotations_are_entries() -> None:
    text = (
        "# T\n\nPara\ngoes on.\n\n1. one\n2. two\n\n```\ncode\n```\n\n| a |\n|---|\n| 1 |\n\n> q\n\n---\n\n"
        "<!-- c -->\n\n[ref]: a.md\n\n<br>\n\n<p>html</p>\n\n-\n"
    )
    assert units(text) == [
        (EntryStyle.PARAGRAPH, 2, 4, "Para goes on."),
        (EntryStyle.ITEM, 5, 6, "one"),
        (EntryStyle.ITEM, 6, 7, "two"),
        (EntryStyle.PARAGRAPH, 8, 11, "``` code ```"),
        (EntryStyle.PARAGRAPH, 12, 15, "| a | |---| | 1 |"),
        (EntryStyle.PARAGRAPH, 16, 17, "> q"),
        (EntryStyle.PARAGRAPH, 26, 27, "<p>html</p>"),
    ]
    assert read(text).other == ("# T", "---", "<!-- c -->", "[ref]: a.md", "<br>", "-")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# The **checkout** `api`\n", "The checkout api"),
        ("\ufeff# Title #\n", "Title"),
        ("\n\n- [Orders](orders.md) are slow\n", "Orders are slow"),
        ("<!-- x -->\n\n---\n\n> ## Quoted [[orders|the orders]]\n", "Quoted the orders"),
        ("![badge](https://ci.example/b.svg)\n\nText\n", "badge"),
        ("![](https://ci.example/b.svg)\n\nsnake_case _stays_\n", "snake_case stays"),
        ("```\ncode\n```\n\nAfter\n", "After"),
        ("```\ncode only\n```\n", "code only"),
        ("- 2026-10-14: a\n", "2026-10-14: a"),
        ("***\n", "***"),
        ("---\nname: n\ndescription: d\n---\n# T\n", "d"),
        ("---\ntitle: The page\n---\n", "The page"),
        ("---\nname: n\n---\n", "n"),
        ("a \\* b", "a * b"),
        ("x" * 700, "x" * 500),
        ("", ""),
        (" \r\n\t\n", ""),
    ],
)
def test_a_title_is_the_description_else_the_first_line_that_says_something(text: str, title: str) -> None:
    assert read(text).title == title


def test_frontmatter_that_cannot_be_read_leaves_the_note_text_and_says_why() -> None:
    note = read("---\nname: a\nname: b\n---\n\n- one\n")
    assert (note.broken, note.frontmatter, note.style) == ("the key name stands twice", None, NoteStyle.PLAIN)
    assert [entry.key for entry in note.entries] == ["one"]
    assert note.title == "one"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ("Grüße".encode("cp1252"), "not UTF-8"),
        ("한국어 메모".encode("cp949"), "not UTF-8"),
        ("text".encode("utf-16"), "holds NUL bytes"),
        ("text".encode("utf-16-le"), "holds NUL bytes"),
        ("中文".encode("utf-16"), "not UTF-8"),
        (b"\xed\xa0\x80", "not UTF-8"),
        (b"\xc0\xaf", "not UTF-8"),
        (b"a\0b", "holds NUL bytes"),
        (b"x" * (MAX_NOTE_BYTES + 1), "over 256 kB"),
    ],
)
def test_what_is_no_utf8_text_or_too_long_is_left_alone(data: bytes, reason: str) -> None:
    assert parse_note(data) == Unreadable(reason)


def test_a_note_of_exactly_the_limit_is_read() -> None:
    assert isinstance(parse_note(b"x" * 10, max_bytes=10), Note)
    assert parse_note(b"x" * 11, max_bytes=10) == Unreadable("over 0.01 kB")


@pytest.mark.parametrize(
    ("text", "newline"), [("a\nb\n", "\n"), ("a\r\nb\r\n", "\r\n"), ("a\r\nb\nc\n", "\n"), ("a", "\n"), ("a\rb", "\n")]
)
def test_the_newline_is_the_one_that_most_lines_end_in(text: str, newline: str) -> None:
    assert read(text).newline == newline


PIECES = st.sampled_from(
    [
        *("\n", "\n", "\r\n", "\r", "\ufeff", "\u2028", "\x0b", "\x85", "\t", " ", "---\n", "name: a\n", "- ", "# "),
        *(
            "2026-10-14: ",
            "**Updated:** 2026-10-14",
            "text",
            "  ",
            "```\n",
            "[thread_7c2e, 2026-10-14]",
            "> ",
            "|",
            "é",
        ),
    ]
)


@given(st.one_of(st.binary(), st.text().map(str.encode), st.lists(PIECES).map("".join).map(str.encode)))
def test_a_note_encoded_again_is_its_bytes(data: bytes) -> None:
    note = parse_note(data)
    if isinstance(note, Note):
        assert note.text.encode() == data
        assert "\n".join(note.lines) == note.text
    else:
        assert note.reason


@given(st.lists(PIECES, max_size=30).map("".join))
def test_entries_are_apart_in_order_and_every_line_is_in_one_of_them_or_beside_them(text: str) -> None:
    note = read(text)
    read_lines = note.text.removeprefix("\ufeff").split("\n")
    at, inside = 0, 0
    for entry in note.entries:
        assert at <= entry.start < entry.end <= len(note.lines)
        assert entry.raw == "\n".join(note.lines[entry.start : entry.end])
        assert entry.key
        at = entry.end
        inside += sum(bool(line.strip()) for line in read_lines[entry.start : entry.end])
    assert inside + len(note.other) == sum(bool(line.strip()) for line in read_lines)
    assert bool(note.title) == any(line.strip() for line in read_lines)


@pytest.mark.parametrize(
    "piece",
    [
        "- ",
        "> ",
        "  - ",
        "# ",
        "|",
        "|-",
        "```\n",
        "- ```\n",
        "<a ",
        "1. ",
        "\t",
        "[",
        "] ",
        "[x]: ",
        "*",
        "_a ",
        "\r",
        "- a\n\n",
    ],
)
def test_text_made_to_be_slow_is_read_to_its_end(piece: str) -> None:
    text = (piece * 100_000)[:100_000]
    assert read(text).text == text


class _Counting(MappingTree):
    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.reads: list[str] = []

    def read(self, path: str) -> bytes | None:
        self.reads.append(path)
        return super().read(path)


def test_a_cache_reads_each_blob_once_wherever_it_stands() -> None:
    tree, notes = _Counting({"a.md": b"same", "b.md": b"same", "c.md": b"other"}), NoteCache()
    first = notes.note(tree, "a.md")
    assert notes.note(tree, "b.md") is first
    assert isinstance(notes.note(tree, "c.md"), Note)
    assert notes.note(_Counting({"d.md": b"same"}), "d.md") is first
    assert tree.reads == ["a.md", "c.md"]


def test_a_cache_does_not_read_what_is_too_long_or_not_there() -> None:
    tree, notes = _Counting({"a.md": b"x" * 20}), NoteCache(max_bytes=10)
    assert notes.note(tree, "a.md") == Unreadable("over 0.01 kB")
    assert notes.note(tree, "b.md") == Unreadable("no such file")
    assert tree.reads == []
