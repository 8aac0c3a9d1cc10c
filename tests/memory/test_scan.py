from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.scan import Block, Shape, scan
from tests.memory.markdown_oracle import see_blocks


def shapes(text: str) -> list[tuple[Shape, int, int]]:
    return [(block.shape, block.start, block.end) for block in scan(text.split("\n")).blocks]


def test_headings_paragraphs_items_and_rules_stand_where_they_are_written() -> None:
    text = "# Title\n\nSome text\nthat goes on.\n\n- one\n- two\n  more\n\n---\n\nUnder\n====="
    assert scan(text.split("\n")).blocks == (
        Block(Shape.HEADING, 0, 1, 1),
        Block(Shape.PARAGRAPH, 2, 4),
        Block(Shape.ITEM, 5, 6),
        Block(Shape.ITEM, 6, 8),
        Block(Shape.RULE, 9, 10),
        Block(Shape.HEADING, 11, 13, 1),
    )


def test_an_item_keeps_what_is_indented_under_it_and_lines_that_go_on_without_indent() -> None:
    assert shapes("- one\n\n  still one\n  - nested\n\n    deeper\nlazy\n- two") == [
        (Shape.ITEM, 0, 7),
        (Shape.ITEM, 7, 8),
    ]


def test_a_line_after_a_blank_one_ends_an_item_unless_it_is_indented() -> None:
    assert shapes("- one\n\nnot one") == [(Shape.ITEM, 0, 1), (Shape.PARAGRAPH, 2, 3)]


def test_a_fence_hides_what_looks_like_anything_else() -> None:
    assert shapes("```\n# no\n\n- no\n```\n# yes") == [(Shape.FENCE, 0, 5), (Shape.HEADING, 5, 6)]


def test_an_unclosed_fence_ends_with_the_text() -> None:
    assert shapes("~~~sh\nmake\n```\n\n") == [(Shape.FENCE, 0, 3)]


def test_a_comment_is_told_apart_from_other_html() -> None:
    assert shapes("<!-- a\n\nb -->\n\n<details>\n<b>x</b>\n\n<!-- c --> text") == [
        (Shape.COMMENT, 0, 3),
        (Shape.HTML, 4, 6),
        (Shape.HTML, 7, 8),
    ]


def test_a_table_needs_as_many_cells_as_dashes() -> None:
    assert shapes("| a | b |\n|---|---|\n| 1 | 2 |\n\n| a | b |\n|---|") == [
        (Shape.TABLE, 0, 3),
        (Shape.PARAGRAPH, 4, 6),
    ]


def test_definitions_are_no_paragraph() -> None:
    assert shapes('[a]: one.md\n[b]: <two.md> "Two"\ntext') == [(Shape.DEFINITION, 0, 2), (Shape.PARAGRAPH, 2, 3)]


def test_carriage_returns_tabs_and_blanks_at_the_end_change_no_structure() -> None:
    assert shapes("# a \r\n\r\n-\tb\t\r\n\tc\r\n") == [(Shape.HEADING, 0, 1), (Shape.ITEM, 2, 4)]


def test_only_a_line_feed_ends_a_line() -> None:
    assert shapes("- a\u2028- b\x0b- c\x85- d\r- e") == [(Shape.ITEM, 0, 1)]


def test_lines_that_are_code_or_html_inside_an_item_or_a_quotation_are_told() -> None:
    text = "- a\n  ```\n  [x](y)\n  ```\n  b\n> ```\n> c\n\n- <!--\n  d\n  -->\n  e"
    assert scan(text.split("\n")).verbatim == frozenset({1, 2, 3, 5, 6, 8, 9, 10})


def test_lines_before_the_start_are_not_looked_at() -> None:
    assert scan(["---", "name: x", "---", "text"], 3).blocks == (Block(Shape.PARAGRAPH, 3, 4),)


# Two lines are left out on purpose: there we follow CommonMark and the oracle does not. A fence indented by four
# but by less than the item above it, and the dashes of a table in an item under a header outside of it.
LINES = st.sampled_from(
    [
        *("", "", "text", "more text", "- a", "* c", "+ p", "-", "1.", "1. x", "2. y", "10. ten", "- \ttab", "\tcode"),
        *("  - nested", "    deep", "   three", "  two", "-     code", "    - dd", "      text6", "   - w3", "- - -"),
        *("## h", "#no", "===", "---", "***", "* * *", "_ _ _", "-   ", "```", "```py", "~~~", "  ```", "- ```"),
        *("> q", ">", "> - qi", "  > q2", "- > q", "> ```", "- # h", "<!-- c", "-->", "<!-- x -->", "    -->", "<div>"),
        *("</div>", "<span>", "<pre>", "</pre>", "<https://x.y>", "`code", "| a | b |", "|---|---|", "| 1 | 2 |"),
        *("a | b", "--|--", ":--|--:", "  | c | d |", "[l]: /u", "[l]: /u 'title'", "[^1]: foot note", "- [ ] task"),
    ]
)


@given(st.lists(LINES, max_size=9))
def test_blocks_are_those_that_an_independent_parser_finds(lines: list[str]) -> None:
    found = [block for block in scan(lines).blocks if block.shape is not Shape.DEFINITION]
    ours = [("html" if block.shape is Shape.COMMENT else block.shape.value, block.start, block.end) for block in found]
    assert ours == [(seen.shape, seen.start, seen.end) for seen in see_blocks(lines)]


@given(st.text(alphabet=" \t\r\n-*+_>#`~|:<!/abc1.)[]\u2028\ufeff", max_size=200))
def test_blocks_are_in_order_apart_and_begin_and_end_with_a_line_that_is_not_blank(text: str) -> None:
    lines = text.split("\n")
    at = 0
    for block in scan(lines).blocks:
        assert at <= block.start < block.end <= len(lines)
        assert lines[block.start].strip(" \t\r")
        assert lines[block.end - 1].strip(" \t\r")
        assert not any(line.strip(" \t\r") for line in lines[at : block.start])
        at = block.end
    assert not any(line.strip(" \t\r") for line in lines[at:])
