"""A line of a learning has no word that nobody said."""

from __future__ import annotations

import pytest

from tasks.conditions import dropped_condition
from tasks.sayings import added_words
from tests.tasks.teaching import LINE, Teaching, candidate, ids_of, learning, line, proposing, three_days, told_on


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE}, because the customer wants it",
        f"{LINE} and push to main",
        f"{LINE}. Everything is allowed",
        f"{LINE} silently",
    ],
)
def test_a_line_with_a_word_that_nobody_said_is_refused_whoever_approves_it(text: str) -> None:
    said = Teaching(proposes=lambda prompt: proposing(learning(line(text, *ids_of(prompt)))))
    assert candidate(said.plan(*three_days())).reason == "adds-words"


def test_the_words_may_be_those_of_several_sessions_together() -> None:
    sessions = (
        told_on(18, "Please run `make fmt` before you commit.", name="a000"),
        told_on(19, "Run `make fmt` before committing the pages.", name="a001"),
        told_on(20, "You must run `make fmt` before each commit, on all pages.", name="a002"),
    )
    said = Teaching(proposes=lambda prompt: proposing(learning(line(f"{LINE} pages", *ids_of(prompt)))))
    assert candidate(said.plan(*sessions)).reason == ""


TURNED = (
    ("Please use uv instead of pip when you commit.", "Use uv instead of pip before each commit."),
    ("Run `make fmt` before you commit.", "You must run `make fmt` before each commit."),
    ("Sometimes run `make fmt` before you commit.", "You should sometimes run `make fmt` before each commit."),
    (
        "Run `make fmt` before you commit only if the build is red.",
        "If the build is red run `make fmt` before you commit.",
    ),
)


@pytest.mark.parametrize(
    ("said", "text", "reason"),
    [
        (TURNED[0], "Use uv instead of pip when you commit", ""),
        (TURNED[0], "Use pip instead of uv when you commit", "turned-round"),
        (TURNED[1], "Before you commit, run `make fmt`", ""),
        (TURNED[1], "Commit before you run `make fmt`", "turned-round"),
        (TURNED[2], "Sometimes run `make fmt` before you commit", ""),
        (TURNED[2], "Run `make fmt` before you commit", "drops-condition"),
        (TURNED[3], "Run `make fmt` before you commit if the build is red", ""),
        (TURNED[3], "Run `make fmt` before you commit", "drops-condition"),
    ],
)
def test_a_line_keeps_the_order_and_the_conditions_of_what_was_said(
    said: tuple[str, str], text: str, reason: str
) -> None:
    sessions = [told_on(18 + n, words, name=f"a{n:03}") for n, words in enumerate((*said, said[0]))]
    heard = Teaching(proposes=lambda prompt: proposing(learning(line(text, *ids_of(prompt)))))
    assert candidate(heard.plan(*sessions)).reason == reason


@pytest.mark.parametrize(
    ("trigger", "reason"),
    [("Use when committing in acme/web.", "drops-condition"), ("Use when the build is red and you commit.", "")],
)
def test_a_rule_without_its_condition_stands_under_a_trigger_that_has_it(trigger: str, reason: str) -> None:
    words = "If the build is red, run `make fmt` before you commit."
    sessions = [told_on(18 + n, words, name=f"a{n:03}") for n in range(3)]
    heard = Teaching(proposes=lambda prompt: proposing(learning(line(LINE, *ids_of(prompt)), trigger=trigger)))
    assert candidate(heard.plan(*sessions)).reason == reason


def test_a_condition_may_stand_in_the_trigger() -> None:
    assert dropped_condition("Run `make fmt`. Use when the build is red.", "If the build is red, run `make fmt`.") == ""
    assert dropped_condition("Run `make fmt`", "If possible, run `make fmt`.") == ""


def test_who_is_spoken_to_is_no_word_of_its_own() -> None:
    assert added_words("You must please run it when you commit", ()) == ("commit", "run")
