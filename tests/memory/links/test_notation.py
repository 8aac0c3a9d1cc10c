from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.links.notation import Link, retarget, scan_links
from tests.memory.markdown_oracle import normalised, see_links


def targets(text: str) -> list[str]:
    return [link.target + (f"#{link.anchor}" if link.anchor else "") for link in scan_links(text)]


def test_a_link_tells_where_it_and_its_target_stand() -> None:
    assert scan_links("# T\n\nSee [the `api`](../services/api.md#limits 'Limits') now") == (
        Link(
            line=2,
            start=4,
            end=51,
            target="../services/api.md",
            anchor="limits",
            kind="markdown",
            text="the `api`",
            target_start=16,
            target_end=34,
        ),
    )


def test_a_wiki_link_may_have_an_anchor_and_another_name() -> None:
    assert scan_links("- see [[api#limits|the API]]") == (
        Link(
            line=0,
            start=6,
            end=28,
            target="api",
            anchor="limits",
            kind="wiki",
            text="the API",
            target_start=8,
            target_end=11,
        ),
    )
    assert targets("[[a]] ![[b.png]] [[c d/e]] [[名前]]") == ["a", "b.png", "c d/e", "名前"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](b.md)", ["b.md"]),
        ("[a]( b.md )", ["b.md"]),
        ("[a](<b c.md>)", ["b c.md"]),
        ('[a](b.md "t")', ["b.md"]),
        ("[a](b.md (t))", ["b.md"]),
        ("[a](b(c).md)", ["b(c).md"]),
        ("[a](b\\)c.md)", ["b\\)c.md"]),
        ("[a\nb](c.md)", ["c.md"]),
        ("[a](b.md\n'title')", ["b.md"]),
        ("[a]()", [""]),
        ("[a](#here)", ["#here"]),
        ("![alt](i.png)", ["i.png"]),
        ("[![alt](i.png)](p.md)", ["i.png", "p.md"]),
        ("[a [b](c.md) d](e.md)", ["c.md"]),
        ("[[a](b.md)]", ["b.md"]),
        ("[[a]](b.md)", ["b.md"]),
        ("> - [a](b.md)", ["b.md"]),
        ("| [a](b.md) | [[c\\|d]] |\n|---|---|\n| `x | [y](z.md) |", ["b.md", "c", "z.md"]),
        ("[a]: b.md\n[c]: <d e.md> 'D'\n\n[a] and [c] and [a]", ["b.md", "d e.md"]),
        ("`[a](b.md) [c](d.md)", ["b.md", "d.md"]),
        ("<b>[a](b.md)</b>", ["b.md"]),
        ("\ufeff[a](b.md)", ["b.md"]),
        ("- `x\n- [a](b.md) `", ["b.md"]),
    ],
)
def test_what_commonmark_and_wikis_call_a_link_is_one(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "`[a](b.md)`",
        "`` ` [[a]] ``",
        "```\n[a](b.md) [[c]]\n```",
        "    [a](b.md)",
        "- x\n  ```\n  [a](b.md)\n  ```",
        "- x\n\n      [a](b.md)",
        "> ```\n> [a](b.md)\n> ```",
        "<!-- [a](b.md) -->",
        "text <!-- [a](b.md) --> text",
        "- <!--\n  [[a]]\n  -->",
        "<div>\n[a](b.md)\n</div>",
        "\\[a](b.md)",
        "[a\\](b.md)",
        "[a] (b.md)",
        "[a](b c.md)",
        "[a](b.md",
        "[a][b]",
        '[[ -z "$line" ]]',
        "[[ $x != /* ]]",
        '[["a","b"]]',
        "[[ a ]]",
        "[[]]",
        "[[a\nb]]",
        "<https://a.example/[x](y)>",
        "---\nlink: '[[a]]'\n---\n",
    ],
)
def test_what_code_html_escapes_or_another_meaning_hides_is_no_link(text: str) -> None:
    assert scan_links(text) == ()


def test_columns_are_those_of_the_line_that_the_target_stands_on() -> None:
    text = "- one\n  two [a\n  b](c.md) three"
    (link,) = scan_links(text)
    assert (link.line, link.start, link.end) == (2, 0, 10)
    assert text.split("\n")[2][link.target_start : link.target_end] == "c.md"


@pytest.mark.parametrize(
    ("line", "to", "expected"),
    [
        ("[a](b.md#c 't')", "d/e.md", "[a](d/e.md#c 't')"),
        ("[a](<b c.md>)", "d.md", "[a](<d.md>)"),
        ("x [[b#c|d]] y", "new name", "x [[new name#c|d]] y"),
        ("[a]: b.md 't'", "d.md", "[a]: d.md 't'"),
        ("[a](b.md)", "c (d).md", "[a](c%20%28d%29.md)"),
        ("[a](b.md)\r", "c%20d.md", "[a](c%20d.md)\r"),
    ],
)
def test_retargeting_changes_the_target_and_nothing_else(line: str, to: str, expected: str) -> None:
    (link,) = scan_links(line)
    assert retarget(line, link, to) == expected


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "![",
        "[[",
        "](",
        "[a](",
        "[a](<",
        '[a](b "',
        "[a](b (",
        "`",
        "``a`",
        "<!--",
        "<a ",
        "\\",
        "- [",
        "> [[",
        "[[a|",
    ],
)
def test_text_made_to_be_slow_has_no_links_and_comes_to_an_end(piece: str) -> None:
    assert scan_links((piece * 100_000)[:100_000] + "](") == ()


PIECES = st.sampled_from(
    [
        *("[a](b)", "[", "]", "(", ")", "![", "](", "`", "``", "\\", "*x*", " ", "\n", "\n\n", "[a]", "[a](b.md#c)"),
        *("[a](<c d>)", '[t](u "v")', "[t](u 'v')", "[t](u (v))", "text", "<!-- ", "-->", "<b>", "<https://x.y>"),
        *("(a(b)c)", "[x](a(b)c)", "[x](a\\)b)", "| ", "|---|---|\n", "# ", '"', "```\n", "&amp;", "!", "\n- ", "\n> "),
    ]
)


@given(st.lists(PIECES, max_size=9).map("".join))
def test_markdown_links_are_those_that_an_independent_parser_finds(text: str) -> None:
    ours = [link for link in scan_links(text) if link.kind == "markdown"]
    written = (f"{link.target}#{link.anchor}" if link.anchor else link.target for link in ours)
    seen = see_links(text)
    # An empty anchor is not kept apart from none.
    assert Counter(map(normalised, written)) == Counter(href.removesuffix("#") for href in seen.inline.elements())


@given(st.lists(PIECES | st.sampled_from(["[[a]]", "[[b#c|d]]", "\r\n", "\ufeff"]), max_size=12).map("".join))
def test_every_link_stands_where_it_says(text: str) -> None:
    lines = text.split("\n")
    for link in scan_links(text):
        line = lines[link.line]
        assert line[link.target_start : link.target_end] == link.target
        assert 0 <= link.start <= link.target_start <= link.target_end <= link.end <= len(line)
        assert retarget(line, link, link.target).startswith(line[: link.target_start])


def test_every_link_of_one_long_line_and_of_many_lines_is_found_where_it_stands() -> None:
    line = "[a](b) " * 30_000
    links = scan_links(f"- {line}\n  [c](d)\n")
    assert len(links) == 30_001
    assert [(link.line, link.start, link.end) for link in links[-2:]] == [(0, 209_995, 210_001), (1, 2, 8)]
