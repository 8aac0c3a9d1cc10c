from __future__ import annotations

from datetime import UTC, date

import pytest

from dream.guards.statements.evidence import Evidenced, basis_of, supports
from dream.guards.statements.quotes import Quote
from dream.guards.statements.utterances import Utterance
from dream.memory.operations import Refusal
from dream.memory.sources import Origin, origin
from tests.guards.statements.spoken import thread

CLAIM = "The checkout API listens on port 8443"
SAID = "The checkout API listens on port 8443."
PRINTED = "checkout-api: listening on :8443, the API port"


def rest_on(utterances: tuple[Utterance, ...], *quotes: tuple[str, str], people_only: bool = False) -> object:
    """Return reason, or sources, origin and speakers of what carries."""
    found = basis_of(
        [Quote(message, text) for message, text in quotes],
        utterances,
        statement=CLAIM,
        zone=UTC,
        people_only=people_only,
    )
    if isinstance(found, Refusal):
        return found.reason
    return found.sources, found.origin, tuple(str(quote.utterance.speaker) for quote in found.quotes)


def test_a_persons_words_carry_and_code_names_the_person_and_the_thread() -> None:
    assert rest_on(thread(("person", SAID)), ("m1", SAID)) == (
        ("person:ana@thread_7c2e",),
        Origin.PERSON,
        ("person",),
    )


def test_captured_output_carries_as_the_threads_own() -> None:
    assert rest_on(thread(("tool", PRINTED)), ("m1", PRINTED)) == (("thread_7c2e",), Origin.AGENT, ("tool",))


def test_the_weakest_origin_of_what_is_cited_wins() -> None:
    both = thread(("person", SAID), ("tool", PRINTED))
    assert rest_on(both, ("m1", SAID), ("m2", PRINTED)) == (
        ("person:ana@thread_7c2e", "thread_7c2e"),
        Origin.AGENT,
        ("person", "tool"),
    )


def test_an_agents_prose_alone_carries_nothing() -> None:
    assert rest_on(thread(("agent", SAID)), ("m1", SAID)) == "agent-alone"


def test_an_agents_prose_counts_beside_output_that_bears_it_out() -> None:
    both = thread(("tool", PRINTED), ("agent", SAID))
    assert rest_on(both, ("m1", PRINTED), ("m2", SAID)) == (("thread_7c2e",), Origin.AGENT, ("tool", "agent"))


@pytest.mark.parametrize("output", ["12 passed in 3.2s", "checkout-api: listening on :9000", "8443"])
def test_an_agents_prose_is_left_out_beside_output_that_says_something_else(output: str) -> None:
    both = thread(("tool", output + " and that was all"), ("agent", SAID))
    assert rest_on(both, ("m1", output + " and that was all"), ("m2", SAID)) == (
        ("thread_7c2e",),
        Origin.AGENT,
        ("tool",),
    )


def test_a_persons_words_do_not_lend_themselves_to_an_agent() -> None:
    both = thread(("agent", SAID + " Shall I go on?"), ("person", "yes, please go on"))
    assert rest_on(both, ("m1", SAID), ("m2", "yes, please go on")) == (
        ("person:ana@thread_7c2e",),
        Origin.PERSON,
        ("person",),
    )


@pytest.mark.parametrize(
    ("speaker", "reason"), [("recalled", "memory-is-no-evidence"), ("harness", "harness-is-no-evidence")]
)
def test_b25_what_was_recalled_and_what_the_harness_says_never_carry(speaker: str, reason: str) -> None:
    assert rest_on(thread((speaker, SAID)), ("m1", SAID)) == reason
    both = thread((speaker, SAID), ("person", "I read that in the notes."))
    assert rest_on(both, ("m1", SAID), ("m2", "I read that in the notes.")) == (
        ("person:ana@thread_7c2e",),
        Origin.PERSON,
        ("person",),
    )


DREAMT = {
    "an-entry": f"- 2026-10-14: {SAID} [thread_1a2b, 2026-10-14]",
    "an-entry-of-a-person": f"- 2026-10-14: {SAID} [person:ben@thread_1a2b, 2026-10-14]",
    "an-entry-of-a-pull-request": f"- {SAID} [acme/web#41, 2026-10-14]",
    "a-commit-of-a-night": f"    {SAID}\n\n    Dream-Night: 2026-10-14",
}


@pytest.mark.parametrize("printed", DREAMT.values(), ids=DREAMT)
def test_b25_a05_lines_of_a_memory_never_carry_whatever_tool_prints_them(printed: str) -> None:
    assert rest_on(thread(("tool", f"$ cat notes\n{printed}\n")), ("m1", printed)) == "memory-is-no-evidence"


@pytest.mark.parametrize("author", ["", "a, b", "x]; thread_9", "ana@acme.example", "ana:root", "two\nlines", "z" * 90])
def test_a_name_that_could_be_read_as_something_else_is_left_out_of_the_source(author: str) -> None:
    assert rest_on(thread(("person", SAID), author=author), ("m1", SAID)) == (
        ("thread_7c2e",),
        Origin.AGENT,
        ("person",),
    )
    assert origin("thread_7c2e") is Origin.AGENT


def test_a_learning_rests_on_people_alone() -> None:
    both = thread(("person", SAID), ("tool", PRINTED))
    assert rest_on(both, ("m1", SAID), people_only=True) == (("person:ana@thread_7c2e",), Origin.PERSON, ("person",))
    assert rest_on(both, ("m1", SAID), ("m2", PRINTED), people_only=True) == "not-a-person"


def test_one_quote_that_is_not_there_refuses_the_whole_statement() -> None:
    assert rest_on(thread(("person", SAID)), ("m1", SAID), ("m1", "on port 8444 too")) == "quote-not-found"
    assert rest_on(thread(("person", SAID))) == "no-quote"


def test_the_newest_cited_words_date_the_statement() -> None:
    utterances = thread(("person", SAID), ("person:ben", "Still on port 8443."))
    found = basis_of([Quote("m2", "Still on port 8443."), Quote("m1", SAID)], utterances, statement=CLAIM, zone=UTC)
    assert isinstance(found, Evidenced)
    assert found.dated == date(2026, 10, 21)
    assert found.by_people
    assert found.lines == ("Still on port 8443.", SAID)
    assert found.sources == ("person:ben@thread_7c2e", "person:ana@thread_7c2e")


@pytest.mark.parametrize(
    ("output", "statement", "expected"),
    [
        ("FAIL internal/watch.go:41 timeout after 30s", "`internal/watch.go` times out after 30 s", True),
        ("FAIL internal/watch.go:41 timeout after 30s", "`internal/watch.go` times out after 60 s", False),
        ("PASS 30s", "The build of the docs takes 30s on every machine of the team", False),
        ("the queue was empty", "The queue was found empty", True),
        ("the queue was empty", "Nobody had ever measured latency", False),
        ("anything", "", False),
    ],
)
def test_output_bears_out_what_shares_its_values_and_names(output: str, statement: str, *, expected: bool) -> None:
    assert supports(output, statement) is expected
