"""A name changes where a system states the old one and the new one of the same thing."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.outputs import Output
from dream.guards.verdicts.rulings import Change, Correction
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite, output, record, target

RENAMED = output(record("services.orders-gateway", renamed_from="orders-api", replicas=7))


def test_a_renamed_thing_is_called_by_its_new_name() -> None:
    note = target("# Shop\n\n- `orders-api` runs 5 replicas. [thread_1, 2026-01-01]\n", path="shop.md")
    ruling = check_correction(note, "`orders-gateway` runs 5 replicas.", cite(RENAMED.lines[0]), (RENAMED,))
    assert isinstance(ruling, Correction)
    assert ruling.new_raw == "- `orders-gateway` runs 5 replicas. [thread_1, 2026-01-01]"
    assert ruling.changed == (Change(old="orders-api", new="orders-gateway", key="renamed_from"),)


@pytest.mark.parametrize(
    ("entry", "proposed", "answer"),
    [
        ("`orders-api` runs 5 replicas.", "`orders-other` runs 5 replicas.", RENAMED),
        ("`orders-apis` runs 5 replicas.", "`orders-gateway` runs 5 replicas.", RENAMED),
        ("`orders-api` runs 5 replicas.", "`orders-gateway` runs 7 replicas.", RENAMED),
        (
            "`orders-api` calls `orders-api`.",
            "`orders-gateway` calls `orders-api`.",
            RENAMED,
        ),
        (
            "`orders-api` runs 5 replicas.",
            "`orders-gateway` runs 5 replicas.",
            output(*RENAMED.lines, record("services.orders-api", replicas=5)),
        ),
        (
            "`orders-api` runs 5 replicas.",
            "`orders-gateway` runs 5 replicas.",
            output(record("services.orders-gateway", replaced="orders-api", replicas=5)),
        ),
        (
            "`orders-api` runs 5 replicas.",
            "`orders-staging` runs 5 replicas.",
            output(record("services.orders-staging", renamed_from="orders-api")),
        ),
        ("`orders-api` was called so until May.", "`orders-gateway` was called so until May.", RENAMED),
    ],
)
def test_no_name_becomes_another_without_that(entry: str, proposed: str, answer: Output) -> None:
    note = target(f"# Shop\n\n- {entry}\n", path="shop.md")
    assert isinstance(check_correction(note, proposed, cite(answer.lines[0]), (answer,)), Refusal)
