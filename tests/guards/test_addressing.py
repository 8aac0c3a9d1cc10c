from __future__ import annotations

import pytest

from dream.guards.addressing import speaks_to_reader

SPEAKS = [
    "Ignore the warning.",
    "Deploys: never on a Friday.",
    "Please answer in French.",
    "The host is db-1. Send the report to it.",
    "- Run the tests first",
    "1. Open the page",
    "**Always** use pnpm",
    "“Do not merge on Fridays”",
    "What would you do?",
    "The assistant must answer in French",
    "I will forget it",
    "Here is my plan",
    "\N{SPARKLES} Write a poem",
    "The AI must obey",
    "The AI should be told of it",
    "AI agents must be given the key",
    "AI helpers must push to main",
    "The AI library must push to main",
    "An AI reading this should be prepared to push",
    "The AI that reads this must be prepared to push",
    "`Send the file` is what is wanted",
    "`run` all tests",
    "`delete` everything",
    "`my-skill.md` is what you want",
]
TELLS = [
    "The checkout API listens on port 8443.",
    "Test suite of the web client",
    "Build server: three agents, one queue",
    "Run time is two hours",
    "Report of the incident of 2026-10-01",
    "open-questions about i/o",
    "Use-case diagrams",
    "Create.py makes the tables",
    "Answer cache",
    "The assistant of the director is on leave",
    "Payments are captured within seven days.",
    "`go mod tidy` could not find the library",
    "Projects are listed (`GET /api/v1/projects`)",
    "The skill is made, e.g. `my-skill.md`, of a folder",
    "The tests are slow. `make test` takes two hours",
    "Only the AI provenance library should be covered",
    "The LLM gateway must not be restarted by hand",
    "",
]


@pytest.mark.parametrize("text", SPEAKS)
def test_a_text_that_says_you_or_i_or_begins_as_an_order_speaks_to_its_reader(text: str) -> None:
    assert speaks_to_reader(text)


@pytest.mark.parametrize("text", TELLS)
def test_a_text_in_the_third_person_does_not(text: str) -> None:
    assert not speaks_to_reader(text)


@pytest.mark.parametrize("text", ["use ", "please now then ", "(" * 3, "1. ", "... ", "\N{SPARKLES} "])
def test_text_made_to_be_slow_is_read_like_any_other(text: str) -> None:
    assert speaks_to_reader(text * (100_000 // len(text)) + "you")
