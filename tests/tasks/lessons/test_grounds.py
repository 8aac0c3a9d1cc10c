from __future__ import annotations

import pytest

from tasks.lessons.grounds import unfounded_word, wider_word

LINES = ["console.error(problem);", "logger.error(problem);", "src/api/orders.ts"]


@pytest.mark.parametrize(
    "statement",
    [
        "Use logger.error instead of console.error in src/api",
        "Never call console.error in src/api; use the logger instead",
        "Log every problem with logger.error in src/api",
        "In src/api files agents should use logger.error and not console.error",
    ],
)
def test_a_rule_of_what_stands_in_the_lines_is_founded(statement: str) -> None:
    assert unfounded_word(statement, LINES) == wider_word(statement, LINES) == ""


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("Use winston for logging in src/api", "winston"),
        ("Use the company telemetry pipeline instead of console.error", "company"),
        ("Replace console.error with sentry in src/api", "sentry"),
        ("Deployments of orders happen on Friday mornings without a review", "Deployments"),
    ],
)
def test_a_rule_that_asks_for_what_no_line_names_is_not(statement: str, word: str) -> None:
    assert unfounded_word(statement, LINES) == word


@pytest.mark.parametrize(
    ("statement", "word"),
    [
        ("Always use logger.error instead of console.error", "Always"),
        ("Use logger.error instead of console.error everywhere", "everywhere"),
        ("Never use console.error in any file of src", "any file"),
        ("Every coding agent uses logger.error in src/api", "Every coding agent"),
    ],
)
def test_a_rule_for_more_than_the_lines_say_is_wider(statement: str, word: str) -> None:
    assert wider_word(statement, LINES) == word
    assert wider_word(statement, [*LINES, f"// {statement}"]) == ""
