"""A line of a learning has no word that nobody said."""

from __future__ import annotations

import pytest

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


def test_who_is_spoken_to_is_no_word_of_its_own() -> None:
    assert added_words("You must please run it when you commit", ()) == ("commit", "run")
