"""An entry counts as verified where its values stand in the cited lines, each for its own attribute."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.outputs import Output
from dream.guards.verdicts.rulings import Confirmed
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import AT, cite, output, record, target

ANSWER = output(
    record("services.orders-api", replicas=7, port=8080, timeout_seconds=60, caching_enabled=True, region="eu-1")
)


@pytest.mark.parametrize(
    "entry",
    [
        "Runs 7 replicas.",
        "`orders-api` runs seven replicas on port 8080.",
        "The timeout is 1 minute.",
        "Caching is enabled.",
        "orders-api runs in eu-1.",
        "Replicas: 7, timeout: 60 s",
    ],
)
def test_what_stands_in_the_line_is_confirmed(entry: str) -> None:
    ruling = check_true(target(f"# orders-api\n\n- {entry}\n"), cite(ANSWER.lines[0]), (ANSWER,))
    assert isinstance(ruling, Confirmed)
    assert ruling.dated == AT.date()


@pytest.mark.parametrize(
    ("entry", "answer", "reason"),
    [
        ("Runs 5 replicas.", ANSWER, "not-borne-out"),
        ("Runs 7 replicas on port 9090.", ANSWER, "not-borne-out"),
        ("Runs 60 replicas.", ANSWER, "not-borne-out"),
        ("The worker runs 7 replicas.", ANSWER, "not-borne-out"),
        ("Caching is disabled.", ANSWER, "not-borne-out"),
        ("It is the checkout backend.", ANSWER, "nothing-to-compare"),
        ("`billing` runs 7 replicas.", ANSWER, "other-resource"),
        ("Runs 7 replicas in staging.", ANSWER, "other-resource"),
        ("Ran 7 replicas until May.", ANSWER, "not-checkable"),
        ("Runs 7 replicas.", output(*ANSWER.lines, record("services.orders-api", replicas=6)), "conflict"),
    ],
)
def test_what_does_not_is_not(entry: str, answer: Output, reason: str) -> None:
    ruling = check_true(target(f"# orders-api\n\n- {entry}\n"), cite(ANSWER.lines[0]), (answer,))
    assert isinstance(ruling, Refusal)
    assert ruling.reason == reason
