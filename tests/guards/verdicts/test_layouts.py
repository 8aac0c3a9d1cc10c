"""An entry is read as the same fact in whatever layout its note keeps it."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.falsehoods import check_falsehood
from dream.guards.verdicts.outputs import Output
from dream.guards.verdicts.rulings import Confirmed, Correction, Falsehood, Target
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite, output, record, sample, target

LEDGER = output(record("", name="ledger-api", version="7.25.3"), asked="/services/ledger-api", names=("ledger-api",))
SERIES = output(
    sample("service_replicas", 10, instance="127.0.0.1:34685", job="shop", namespace="shop", service="ledger-api"),
    asked='service_replicas{service="ledger-api"}',
    names=("ledger-api",),
)
SECTIONS = (
    "# Facts\n\n## pricing-api 0\n\n**Updated:** 2026-08-14\n\n`pricing-api` runs version 1.0.0.\n\n"
    "## ledger-api 1\n\n**Updated:** 2026-08-14\n\n`ledger-api` runs version 6.25.3.\n"
)


def section() -> Target:
    return target(SECTIONS, path="facts.md", place=1)


def told(lead: str, text: str = "`ledger-api` runs version 6.25.3.") -> Target:
    return target(f"# ledger-api\n\n{lead}\n\n- {text}\n", path="services/ledger-api.md", place=1)


@pytest.mark.parametrize(
    "statement", ["`ledger-api` runs version 7.25.3.", "ledger-api 1 `ledger-api` runs version 7.25.3."]
)
def test_a_section_is_corrected_below_its_heading_whether_that_is_repeated_or_not(statement: str) -> None:
    ruling = check_correction(section(), statement, cite(LEDGER.lines[0]), (LEDGER,))
    assert isinstance(ruling, Correction)
    assert ruling.new_raw == "## ledger-api 1\n\n**Updated:** 2026-08-14\n\n`ledger-api` runs version 7.25.3."


@pytest.mark.parametrize(
    "statement",
    ["ledger-api 7 `ledger-api` runs version 7.25.3.", "runs version 7.25.3.", "7.25.3", "", "`pricing-api` 7.25.3."],
)
def test_a_section_changes_in_nothing_else(statement: str) -> None:
    assert isinstance(check_correction(section(), statement, cite(LEDGER.lines[0]), (LEDGER,)), Refusal)


@pytest.mark.parametrize("lead", ["What is known of `ledger-api`:", "Facts:", "About ledger-api:"])
def test_a_line_that_says_that_facts_follow_is_no_condition(lead: str) -> None:
    ruling = check_correction(told(lead), "`ledger-api` runs version 7.25.3.", cite(LEDGER.lines[0]), (LEDGER,))
    assert isinstance(ruling, Correction)


@pytest.mark.parametrize(
    "lead",
    ["In staging:", "What is known of `pricing-api`:", "What is known of the worker:", "Facts for the sale:"],
)
def test_a_line_that_says_of_what_they_are_is(lead: str) -> None:
    ruling = check_correction(told(lead), "`ledger-api` runs version 7.25.3.", cite(LEDGER.lines[0]), (LEDGER,))
    assert isinstance(ruling, Refusal)


def test_a_series_is_of_its_service_whatever_scraped_it() -> None:
    entry = told("Facts:", "There are 10 replicas of `ledger-api`.")
    assert isinstance(check_true(entry, cite(SERIES.lines[0]), (SERIES,)), Confirmed)


def test_a_word_in_a_code_span_is_a_value() -> None:
    answer = output(record("services.ledger-api", log_level="warning"))
    for level, kind in (("warning", Confirmed), ("debug", Refusal)):
        entry = told("Facts:", f"The log level of `ledger-api` is `{level}`.")
        assert isinstance(check_true(entry, cite(answer.lines[0]), (answer,)), kind)


def test_a_name_of_the_past_is_no_word_of_the_past() -> None:
    answer = output(record("services.shop-legacy", status="decommissioned", decommissioned_on="2026-09-30"))
    path = "services/shop-legacy.md"
    for text, kind in (("`shop-legacy` runs 2 replicas.", Falsehood), ("The legacy `shop-legacy` is old.", Refusal)):
        entry = target(f"# shop-legacy\n\n- {text}\n", path=path)
        assert isinstance(check_falsehood(entry, cite(answer.lines[0]), (answer,)), kind)


def test_a_note_of_one_letter_names_no_thing() -> None:
    note = target("# Notes\n\n- `ledger-api` gives up after a timeout of 30 s.\n", path="areas/l.md", others=("s", "l"))
    answer = output(record("services.ledger-api", timeout_seconds=30))
    assert isinstance(check_true(note, cite(answer.lines[0]), (answer,)), Confirmed)


def test_answers_of_one_thing_confirm_nothing_of_the_section_before() -> None:
    entry: Target = target(SECTIONS, path="facts.md", place=0)
    answer: Output = LEDGER
    assert isinstance(check_true(entry, cite(answer.lines[0]), (answer,)), Refusal)
