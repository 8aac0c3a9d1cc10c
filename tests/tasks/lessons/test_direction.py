from __future__ import annotations

import pytest

from tasks.lessons.direction import goes_against

GONE, COME = ["  console.error(problem);"], ["  logger.error(problem);"]


@pytest.mark.parametrize(
    "statement",
    [
        "Use logger.error instead of console.error in src/api",
        "Use logger.error rather than console.error",
        "Use logger.error, not console.error, in src/api",
        "Replace console.error with logger.error in src/api",
        "console.error is replaced by logger.error in src/api",
        "Never use console.error in src/api",
        "Do not use console.error; use logger.error",
        "Avoid console.error and use logger.error instead",
        "Do not use console.error instead of logger.error",
        "Errors of src/api go through logger.error",
        "The problem is told once",
    ],
)
def test_a_sentence_that_wants_what_people_put_in_goes_with_the_change(statement: str) -> None:
    assert goes_against(statement, gone=GONE, come=COME) == ""


@pytest.mark.parametrize(
    "statement",
    [
        "Use console.error instead of logger.error in src/api",
        "Use console.error rather than logger.error",
        "Use console.error, not logger.error, in src/api",
        "Replace logger.error with console.error in src/api",
        "logger.error is replaced by console.error in src/api",
        "Never use logger.error in src/api",
        "Do not use logger.error; use console.error",
        "Avoid logger.error and use console.error instead",
        "Errors of src/api go through console.error",
    ],
)
def test_a_sentence_that_turns_a_change_round_goes_against_it(statement: str) -> None:
    assert goes_against(statement, gone=GONE, come=COME) in {"console.error", "logger.error"}


def test_without_a_change_nothing_goes_against_it() -> None:
    assert goes_against("Never use logger.error", gone=[], come=[]) == ""
