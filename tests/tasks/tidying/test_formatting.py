from __future__ import annotations

import pytest

from tasks.tidying.formatting import plain_form

PLAIN = "The pool of orders-api holds 20 connections (see db.yml)"


@pytest.mark.parametrize(
    "other",
    [
        "**The pool** of orders-api holds _20_ connections (see db.yml).",
        "the pool of  orders-api holds 20 connections (see db.yml);",
        "The pool of orders-api holds 20 connections [see db.yml].",
        "The pool of orders-api holds *20 connections* {see db.yml}!",
    ],
)
def test_marks_blanks_the_end_and_the_first_letter_are_formatting(other: str) -> None:
    assert plain_form(other) == plain_form(PLAIN)


@pytest.mark.parametrize(
    "other",
    [
        "The pool of orders-api holds 20 connections (see db.yml)?",
        "The pool of orders_api holds 20 connections (see db.yml)",
        "The pool of Orders-api holds 20 connections (see db.yml)",
        "The pool of orders-api holds 20.0 connections (see db.yml)",
        "The pool of orders-api holds `20` connections (see db.yml)",
    ],
)
def test_everything_else_is_another_statement(other: str) -> None:
    assert plain_form(other) != plain_form(PLAIN)


def test_code_and_links_are_kept_to_the_letter() -> None:
    assert plain_form("Run `a *b*`.") == "run `a *b*`"
    assert plain_form("See [a](b.md).") == "see [a](b.md)"
    assert plain_form("__init__.py and snake_case stay") == "__init__.py and snake_case stay"
    assert plain_form("globs *.md and *.txt") == "globs *.md and *.txt"
    assert plain_form("API keys end") == "API keys end"
