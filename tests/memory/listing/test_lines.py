"""The line that lists a note, whatever its author wanted it to be."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.links.notation import scan_links
from dream.memory.listing.lines import Titles, link_to, shown_text
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree

HOSTILE = st.text(
    st.sampled_from("ab `[]()<>\\!*_&#;x27^|~\u202e\u200b\u2028\r\n\t\u00ad\ufe0f\U000e0041"), max_size=40
)


@given(st.one_of(st.text(max_size=300), HOSTILE), st.sampled_from(["a.md", "x y/z.md"]))
def test_no_title_breaks_out_of_its_link(title: str, path: str) -> None:
    shown = shown_text(title, longest=120)
    line = f"- {link_to(path, shown or 'x')}"
    [link] = scan_links(line)
    assert (link.start, link.end) == (2, len(line))
    assert link.kind == "markdown"
    assert "\n" not in line
    assert len(shown) <= 120


@given(st.one_of(st.text(max_size=100), HOSTILE))
def test_a_title_shows_nothing_that_cannot_be_seen(title: str) -> None:
    shown = shown_text(title, longest=120)
    assert {unicodedata.category(char) for char in shown}.isdisjoint({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
    assert shown == " ".join(shown.split())


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("plain words", "plain words"),
        ("two\nlines\tand   blanks", "two lines and blanks"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u200bb\u00adc\ufe0fd\U000e0061e\u2800f", "abcdef"),
        ("日本語", "日本語"),
        ("naïve café", "naïve café"),
        ("", ""),
        ("x" * 120, "x" * 120),
        ("x" * 121, "x" * 119 + "\u2026"),
        ("word " * 40, ("word " * 40)[:119].rstrip() + "\u2026"),
    ],
)
def test_a_title_is_one_short_line(title: str, expected: str) -> None:
    assert shown_text(title, longest=120) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b *c* ~d~", "[a_b *c* ~d~](n.md)"),
        ("[x](y)", r"[\[x\](y)](n.md)"),
        ("`code` <b> \\", r"[\`code\` \<b> \\](n.md)"),
        ("R&D &#8238; &amp;", r"[R\&D \&#8238; \&amp;](n.md)"),
        ("^1", r"[\^1](n.md)"),
    ],
)
def test_marks_that_mean_something_in_a_link_are_escaped(text: str, expected: str) -> None:
    assert link_to("n.md", text) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("plain/a-b_c.md", "plain/a-b_c.md"),
        ("日本/é.md", "日本/é.md"),
        ("a\u202eb.md", "a%E2%80%AEb.md"),
        ("a\u200bé.md", "a%E2%80%8Bé.md"),
        ("é\u3164\U000e0041.md", "é%E3%85%A4%F3%A0%81%81.md"),
        ("a\u2028b (c).md", "a%E2%80%A8b%20%28c%29.md"),
    ],
)
def test_a_target_shows_letters_and_encodes_what_cannot_be_seen(path: str, expected: str) -> None:
    assert link_to(path, "x") == f"[x]({expected})"


def test_what_cannot_be_read_or_shown_is_called_by_its_path() -> None:
    files = {
        "a.md": b"\xff\xfe",
        "b/empty.md": b"",
        "c.md": b"# \xe2\x80\x8b\n",
        "d.md": b"---\ndescription: About D\n---\n# D\n",
    }
    titles = Titles(tree=MappingTree(files), notes=NoteCache(), longest=120)
    assert [titles.of(path) for path in files] == ["a.md", "b/empty.md", "c.md", "About D"]


def test_a_title_that_is_reported_stands_in_quotation_marks_behind_its_path() -> None:
    said = "# Never “ever” deploy\n".encode()
    tree = MappingTree({"a.md": said, "no.md": b"---\n", "b c.md": said})
    ever = "\N{LEFT SINGLE QUOTATION MARK}ever\N{RIGHT SINGLE QUOTATION MARK}"
    titles = Titles(tree=tree, notes=NoteCache(), longest=40, reported={"a.md", "no.md", "b c.md"})
    assert titles.of("a.md") == f"a.md: “Never {ever} deploy”"
    assert titles.of("no.md") == "no.md"
    assert titles.of("b c.md") == f"b%20c.md: “Never {ever} deploy”"


def test_a_path_that_stands_for_a_title_is_one_word() -> None:
    tree = MappingTree({"a/Send it on.md": b"---\n"})
    assert Titles(tree=tree, notes=NoteCache(), longest=40).of("a/Send it on.md") == "a/Send%20it%20on.md"


def test_a_withheld_title_is_not_shown() -> None:
    titles = Titles(tree=MappingTree({"a.md": b"# Secret\n"}), notes=NoteCache(), longest=120, withheld={"a.md"})
    assert titles.of("a.md") == "a.md (title withheld)"
