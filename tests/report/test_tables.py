from __future__ import annotations

from dream.report.tables import markdown_table, text_table


def test_columns_are_as_wide_as_their_widest_cell_and_numbers_stand_to_the_right() -> None:
    assert text_table(("task", "in"), [("daily note", "9"), ("tidy", "12")], aligned="<>") == [
        "task        in",
        "daily note   9",
        "tidy        12",
    ]


def test_a_cell_cannot_begin_a_line_of_its_own_or_colour_the_terminal() -> None:
    assert text_table(("why",), [("a\nb\x1b[1m",)]) == ["why", "a b\\x1b[1m"]


def test_a_markdown_table_has_a_rule_for_each_column() -> None:
    assert markdown_table(("task", "in"), [("tidy", "2")], aligned="<>") == [
        "| task | in |",
        "| --- | ---: |",
        "| tidy | 2 |",
    ]
