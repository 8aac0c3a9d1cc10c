from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.similarity import lost_specifics, similarity, specifics, word_set


def test_the_same_text_is_alike_and_other_text_is_not() -> None:
    assert similarity("checkout-api times out", "checkout-api times out") == 1.0
    assert similarity("Checkout-API times out", "checkout-api times out") == 1.0
    assert similarity("checkout-api times out after a deploy", "the invoices of March were never sent") < 0.5


def test_a_clause_that_moved_costs_nothing() -> None:
    assert similarity("after a deploy checkout-api times out", "checkout-api times out after a deploy") == 1.0


def test_a_hollowed_statement_is_not_alike_though_all_it_says_was_said_before() -> None:
    assert similarity("checkout-api", "checkout-api times out after a deploy because the pool is cold") < 0.6


def test_what_is_below_the_cutoff_is_nothing() -> None:
    assert similarity("checkout-api times out", "invoices were sent", cutoff=0.9) == 0.0
    assert similarity("checkout-api times out", "checkout-api timed out", cutoff=0.85) == pytest.approx(
        21 / 22, abs=0.05
    )


def test_long_bodies_are_compared_too() -> None:
    body = " ".join(f"word{n}" for n in range(5000))
    assert similarity(body, body.replace("word1 ", "other "), cutoff=0.6) > 0.99
    assert similarity(body, " ".join(f"else{n}" for n in range(5000)), cutoff=0.6) == 0.0


@given(st.text(max_size=40), st.text(max_size=40), st.floats(0, 1))
def test_similarity_is_symmetric_and_between_nothing_and_all(a: str, b: str, cutoff: float) -> None:
    alike = similarity(a, b)
    assert 0.0 <= alike <= 1.0
    assert alike == similarity(b, a)
    assert similarity(a, b, cutoff=cutoff) in {0.0, alike}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("times out after 1,000 ms", {"1000 ms"}),
        ("times out after 1000ms", {"1000 ms"}),
        ("30 seconds, 30s, 30 sec", {"30 s"}),
        ("5% of 2 GB", {"5 %", "2 GB"}),
        ("99.9 percent", {"99.9 %"}),
        ("1'000 and 1_000 and 1\u202f000", {"1000"}),
        ("three replicas", {"3"}),
        ("costs $5, or -3 degrees", {"$5", "-3"}),
        ("Python 3.10, not v1.2.3 or v2", {"3.10", "1.2.3", "v2", "not 1"}),
        ("at 04:00 on 2026-10-14", {"04:00", "2026-10-14"}),
        ("runs `make test` in src/app/ of acme/web#41", {"make test", "src/app", "acme/web#41"}),
        (
            "see [the notes](../a/b.md#c), [[d]] and https://a.example/x?y=1.",
            {"../a/b.md#c", "d", "https://a.example/x?y=1"},
        ),
        ("snake_case CamelCase fooBar HTTPServer", {"snake_case", "CamelCase", "fooBar", "HTTPServer"}),
        ("eu-west-1, p99, --force, node.js, @ann", {"eu-west-1", "p99", "--force", "node.js", "@ann"}),
        ("an ordinary follow-up, well-known and/or e.g. Foo.", set()),
        ("at least 3, at most 5", {"≥", "3", "≤", "5"}),
        ("It doesn\u2019t and never will; no, cannot", {"not 1", "not 2", "not 3", "not 4"}),
        ("is enabled, not disabled", {"enabled", "disabled", "not 1"}),
        ("服务超时30秒 不要重启", {"30", "not 1"}),
        ("", set()),
    ],
)
def test_the_specifics_of_a_statement(text: str, expected: set[str]) -> None:
    assert specifics(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("retries 3 times", "retries 5 times"),
        ("retries three times", "retries 5 times"),
        ("waits 30 s", "waits 30 ms"),
        ("runs 3.1", "runs 3.10"),
        ("restart it", "do not restart it"),
        ("is enabled", "is disabled"),
        ("at least 5", "at most 5"),
        ("in eu-west-1", "in eu-west-2"),
        ("see a/b.md", "see a/c.md"),
        ("owns fooBar", "owns fooBaz"),
        ("on 2026-10-14", "on 2026-10-15"),
    ],
)
def test_a_differing_value_or_a_negation_differs_in_specifics(one: str, other: str) -> None:
    assert specifics(one) != specifics(other)


def test_specifics_that_a_result_holds_to_the_letter_are_not_lost() -> None:
    inputs = ["`checkout-api` waits 30 seconds in notes.md", "not in eu-west-1"]
    assert lost_specifics(inputs, "checkout-api waits 30 s (notes.md), never in eu-west-1") == frozenset()
    assert lost_specifics(inputs, "checkout-api waits 3 s, in eu-west-12") == {"30 s", "notes.md", "not 1", "eu-west-1"}


@given(st.text(alphabet="ab12,.'_-/`[]()<>:#@$% \nN不ot\u202f", max_size=80))
def test_any_text_keeps_its_own_specifics(text: str) -> None:
    assert lost_specifics([text], text) == frozenset()
    assert "" not in specifics(text)


def test_words_are_folded_and_scripts_without_blanks_give_pairs() -> None:
    assert word_set("Checkout-API, the_end") == {"checkout", "api", "the", "end"}
    assert word_set("服务超时30秒") == {"服务", "务超", "超时", "30", "秒"}
