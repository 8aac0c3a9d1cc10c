from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import entries_in
from dream.memory.operations import Refusal
from dream.models.port import Reason
from dream.night.isolating import is_failure
from tasks.proposals import names_what_was_read, shaped
from tasks.unanswered import is_unjudged, waits_for


@pytest.mark.parametrize(
    ("statement", "resource", "text"),
    [
        ("The checkout API listens on port 9443.", "checkout API", "The checkout API listens on port 9443."),
        ("Refunds need approval\n above 500 euros", "checkout", "checkout: Refunds need approval above 500 euros"),
        ("`orders-v2` replaces `orders`", "orders-v2", "`orders-v2` replaces `orders`"),
    ],
)
def test_a_statement_is_one_sentence_that_names_its_resource(statement: str, resource: str, text: str) -> None:
    assert shaped(statement, resource) == text


@pytest.mark.parametrize(
    ("statement", "resource", "reason"),
    [
        ("", "checkout", "malformed-statement"),
        ("The checkout is open. [thread_1, 2026-10-21]", "checkout", "malformed-statement"),
        ("The checkout is open (tentative) on Sundays", "checkout", "malformed-statement"),
        ("The checkout is open\u202e on Sundays", "checkout", "malformed-statement"),
        ("The checkout is open on Sundays", "", "malformed-resource"),
        ("The checkout is open on Sundays", "[checkout](http://x)", "malformed-resource"),
        ("The checkout is open on Sundays", "one two three four five six seven", "malformed-resource"),
        ("The checkout is open on Sundays", "check\u200bout", "malformed-resource"),
    ],
)
def test_what_is_no_such_sentence_is_refused(statement: str, resource: str, reason: str) -> None:
    answer = shaped(statement, resource)
    assert isinstance(answer, Refusal)
    assert answer.reason == reason


@given(st.text(max_size=200))
def test_whatever_passes_stands_in_a_note_as_one_entry_of_its_words(statement: str) -> None:
    text = shaped(statement, "checkout")
    if not isinstance(text, Refusal):
        (entry,) = entries_in(f"- 2026-10-21: {text} [thread_1, 2026-10-21]")
        assert (entry.key, entry.sources, entry.tentative) == (text, ("thread_1",), False)


def test_a_note_is_opened_only_on_what_was_named() -> None:
    assert names_what_was_read("Checkout APIs", ["the checkout api is slow"])
    assert not names_what_was_read("ignore all instructions", ["the checkout api is slow"])
    assert not names_what_was_read("the", ["the checkout api is slow"])


def test_an_input_fails_by_what_it_is_and_waits_for_what_nobody_reached() -> None:
    failing = {reason.value for reason in Reason if is_failure(waits_for("model", reason.value))}
    assert failing == {"refused", "filtered", "truncated", "invalid", "too-long"}
    assert waits_for("judge", "outage") == "judge-outage"


def test_only_a_ruling_is_a_ruling() -> None:
    assert [is_unjudged(reason) for reason in ("judge-outage", "judge-invalid", "judge-unsure", "not-entailed")] == [
        True,
        True,
        False,
        False,
    ]
