from __future__ import annotations

import pytest

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from tasks.lessons.teachers import Teachers, sources_of, spoken_on
from tasks.lessons.words import asked_for, matter_of
from tests.tasks.lessons.records import Record, closed, edit, merged, read, said

ASKED = "Use the shared date parser instead of new Date in handlers."


def heard(*words: str, body: str = "", most: int = 300, characters: int = 4_000) -> list[str]:
    (pull_request,) = read(closed(41, *(said(text) for text in words)))
    found = asked_for(spoken_on(pull_request), by_agent=body, most=most, characters=characters)
    return [one.text for one in found]


@pytest.mark.parametrize(
    "text",
    [
        ASKED,
        "Please always add a regression test next to the handler.",
        "We never call the payment provider from a controller.",
        "Tests should not sleep; wait for the event instead",
        "Prefer the repository's own retry decorator over tenacity.",
    ],
)
def test_a_sentence_that_asks_for_something_is_heard(text: str) -> None:
    assert heard(text) == [text]
    assert heard(f"Thanks!\n\n- {text}\n> {text} and more\n```\n{text} in code\n```\n@omar {text}") == [text, text]


@pytest.mark.parametrize(
    "text",
    [
        "LGTM",
        "Thanks, looks great, nice work here!",
        "nit: typo",
        "Should we use the shared date parser instead of new Date?",
        "Why is the shared date parser not used in the handlers",
        "@devin-ai-integration please fix the failing tests on this branch",
        "Please rebase this branch onto main and resolve the conflicts.",
        "Closing this in favor of #123, which should use the parser.",
        "Please see https://example.com/x for how handlers should parse dates.",
        "> Use the shared date parser instead of new Date in handlers.",
        "/azp run the integration tests again please",
        "I think handlers could probably use the shared date parser.",
        "The handlers have grown a lot since last month somehow.",
        "<!-- Use the shared date parser instead of new Date -->",
        "Use it.",
    ],
)
def test_thanks_questions_quotes_guesses_and_how_it_goes_on_are_not(text: str) -> None:
    assert heard(text) == []


def test_what_the_agent_wrote_itself_is_not_a_persons() -> None:
    assert heard(ASKED, body=f"Summary\n\n{ASKED}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        f"<!--\n{ASKED}\n-->\nThanks",
        f"<!-- what a form says:\n\n{ASKED}",
        f"It is so:\n\n    {ASKED}\n",
        f"It is so:\n\n\t{ASKED}\n",
    ],
)
def test_what_a_form_hides_and_what_stands_in_code_is_not_said(text: str) -> None:
    assert heard(text) == []


def test_what_follows_a_hidden_part_stands_where_it_stood() -> None:
    (pull_request,) = read(closed(41, said(f"<!-- one\ntwo -->\n- {ASKED}")))
    (one,) = asked_for(spoken_on(pull_request), by_agent="", most=9, characters=4_000)
    assert one.text == ASKED


def test_words_are_bounded() -> None:
    assert heard("LGTM", ASKED, most=1) == []
    assert heard(f"{'x' * 30}\n{ASKED}", characters=30) == []


def test_the_offsets_are_those_of_the_words_as_they_were_said() -> None:
    (pull_request,) = read(closed(41, said(f"Hi!\r\n  - {ASKED}\r\nThanks")))
    (one,) = asked_for(spoken_on(pull_request), by_agent="", most=9, characters=4_000)
    assert one.spoken.text[one.start : one.end] == one.text == ASKED


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (ASKED.upper(), True),
        ("Use the shared date parser, instead of new Date, in the handlers.", True),
        ("Never use the shared date parser instead of new Date in handlers.", False),
        ("Use the shared date parser instead of new Date in `jobs/`.", False),
        ("Use the shared money formatter for amounts.", False),
        ("Use the shared money parser instead of new Date in handlers.", False),
        ("Use new Date instead of the shared date parser in handlers.", False),
    ],
)
def test_two_sentences_say_the_same_only_with_the_same_names_and_negations(other: str, *, same: bool) -> None:
    assert (matter_of(ASKED) == matter_of(other)) is same


def may_write(record: Record, login: str, *others: Record) -> bool:
    (pull_request, *rest) = read(record, *others)
    teachers = Teachers.of([pull_request, *rest], agents=KNOWN_AGENTS)
    return any(one.actor.login == login for one in teachers.words(pull_request))


@pytest.mark.parametrize(
    ("association", "expected"),
    [("OWNER", True), ("MEMBER", True), ("COLLABORATOR", True), ("CONTRIBUTOR", False), ("NONE", False), ("", False)],
)
def test_who_may_write_is_heard(association: str, *, expected: bool) -> None:
    assert may_write(closed(41, said(ASKED, by="zoe", association=association)), "zoe") is expected


def test_who_merged_one_pull_request_may_write_to_that_repository_and_to_no_other() -> None:
    asked = closed(41, said(ASKED, by="zoe", association=""))
    assert may_write(asked, "zoe", merged(42, merged_by="zoe"))
    assert not may_write(asked, "zoe", merged(42, merged_by="zoe", repo="acme/api"))
    assert not may_write(asked, "zoe", merged(42, merged_by="zoe[bot]"))


def test_who_pushed_counts_where_somebody_merged_it_and_not_on_a_branch_of_anybody() -> None:
    words = said(ASKED, by="zoe", association="")
    pushed = merged(41, edit("a.ts", ("x", "y")), by=("zoe",), comments=[words])
    assert may_write(pushed, "zoe")
    assert not may_write({**pushed, "state": "closed", "merged_at": None, "closed_by": "mona"}, "zoe")


def test_a_pull_request_is_cited_as_a_whole_or_as_a_persons_part_of_it() -> None:
    (pull_request,) = read(merged(41, by=("mona",), comments=[said("x", by="omar"), said("y", by="ci[bot]")]))
    assert sources_of(pull_request) == {"acme/web#41", "person:mona@acme/web#41", "person:omar@acme/web#41"}
