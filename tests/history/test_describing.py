from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.history.describing import description_of
from dream.report.escaping import one_line
from dream.sources.sessions.values import Role
from tests.history.sessions import session

ENDINGS = [
    ("I renamed the queue. It works now.", "I renamed the queue."),
    ("## Summary\n\n**Done!** The *consumer* reads `orders-v2` now.\n", "The consumer reads orders-v2 now."),
    ("Perfect! I have fixed the login in `auth.py`:\n\n- one\n", "I have fixed the login in auth.py"),
    ("Here's a summary of what changed:\n\n- Moved three files to src.\n", "Moved three files to src."),
    ("All 58 tests pass, lint is clean.\n\nThe retry waits for ten seconds.", "The retry waits for ten seconds."),
    ("```\nmake test\n```\nNothing of the queue is left.", "Nothing of the queue is left."),
    ("| a | b |\n|---|---|\n> quoted words of somebody\n- Moved three files to src.\n", "Moved three files to src."),
    ("See [the guide](https://x.example/a?b=c) for how it works.", "See the guide for how it works."),
    ("What a_b_c.py and __init__ hold stays.", "What a_b_c.py and __init__ hold stays."),
    ("Die Warteschlange heißt jetzt anders", "Die Warteschlange heißt jetzt anders"),
]


@pytest.mark.parametrize(("text", "described"), ENDINGS)
def test_a_session_is_described_by_the_first_plain_sentence_of_its_last_message(text: str, described: str) -> None:
    assert description_of(session(said=((Role.PERSON, "Go on."), (Role.AGENT, text))), most=120) == described


@pytest.mark.parametrize(
    ("text", "described"),
    [
        ("Done.", "Rename the queue: Done."),
        ("All tests pass.", "Rename the queue: All tests pass."),
        ("Here is what changed:", "Rename the queue: Here is what changed"),
        ("", "Rename the queue"),
    ],
)
def test_where_an_agent_only_says_that_it_is_done_what_was_asked_stands_before_it(text: str, described: str) -> None:
    said = ((Role.PERSON, "Rename the queue.\n\nAnd more."), (Role.AGENT, text))
    assert description_of(session(said=said), most=120) == described
    assert description_of(session(said=said), most=30) == described[:30] or len(described) > 30


def test_of_a_long_question_before_it_what_was_done_stays_whole() -> None:
    said = ((Role.PERSON, "rename " * 50), (Role.AGENT, "All tests pass."))
    described = description_of(session(said=said), most=60)
    assert (len(described), described[-17:]) == (60, ": All tests pass.")


def test_without_an_agents_words_it_is_the_title_and_then_what_a_person_asked() -> None:
    said = ((Role.PERSON, "Please rename the queue orders."), (Role.TOOL, "nothing that anybody said"))
    assert description_of(session(said=said, title="Queue names"), most=120) == "Queue names"
    assert description_of(session(said=said), most=120) == "Please rename the queue orders"
    assert description_of(session(said=said[1:]), most=120) == ""


def test_an_agents_last_message_that_says_nothing_is_passed_over() -> None:
    said = ((Role.AGENT, "I have renamed the queue."), (Role.AGENT, "```\ncode\n```"), (Role.AGENT, "…"))
    assert description_of(session(said=said), most=120) == "I have renamed the queue."


@given(text=st.text(), most=st.integers(1, 200))
def test_whatever_was_said_the_description_is_one_visible_bounded_line(text: str, most: int) -> None:
    described = description_of(session(said=((Role.AGENT, text),)), most=most)
    assert len(described) <= most
    assert described == one_line(described)


@pytest.mark.parametrize("text", ["*" * 100_000, "[" * 100_000, " " * 100_000 + "x", "a." * 50_000, "`_*" * 33_000])
def test_a_text_made_to_be_slow_is_described_at_once(text: str) -> None:
    assert len(description_of(session(said=((Role.AGENT, text),)), most=120)) <= 120
