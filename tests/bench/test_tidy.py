from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.tidy.changes import another_value, denied, narrowed, said_anew
from bench.tidy.corpus import Relation, pairs
from bench.tidy.nominating import nominated
from tasks.tidying.nominations import Matter

CHANCE = random.Random(1)  # noqa: S311 - repeatable on purpose


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When the queue is full, the worker drops messages.", "The worker drops messages when the queue is full."),
        ("The worker reads small batches of messages.", "Small batches of messages are read by the worker."),
    ],
)
def test_what_is_said_anew_has_another_order(text: str, expected: str) -> None:
    found = said_anew(text, CHANCE)
    assert found.lower().endswith(expected.lower()) or found.lower().endswith(
        expected.replace("drops", "drops").lower()
    )


def test_what_cannot_be_changed_for_certain_gives_nothing() -> None:
    assert another_value("The worker drops messages.", CHANCE) == ""
    assert another_value("See line 40 of the file.", CHANCE) == ""
    assert denied("The worker must not drop messages.", CHANCE) == ""
    assert denied("Nobody knows that it is full.", CHANCE) == ""
    assert said_anew("Zebras graze.", CHANCE) == ""


def test_another_value_and_a_condition_are_where_nothing_was() -> None:
    assert "40" not in another_value("The worker keeps 40 messages.", CHANCE)
    assert denied("The queue is full at noon.", random.Random(3)) == "The queue is not full at noon."  # noqa: S311
    assert narrowed("The queue is full.", CHANCE).startswith("The queue is full, ")


def test_contradictions_are_nominated_as_such_and_what_is_unrelated_is_not(shared_data: Path) -> None:
    made = pairs(shared_data, most=30)
    assert made == pairs(shared_data, most=30)
    found = nominated(made)
    share = {
        relation: [found.get(place) for place, pair in enumerate(made) if pair.relation is relation]
        for relation in Relation
    }
    assert all(len(several) >= 25 for several in share.values())
    for relation, matter in (
        (Relation.PARAPHRASE, Matter.DUPLICATE),
        (Relation.NARROWER, Matter.DUPLICATE),
        (Relation.OTHER_VALUE, Matter.CONTRADICTION),
        (Relation.NEGATED, Matter.CONTRADICTION),
        (Relation.UNRELATED, None),
    ):
        assert share[relation].count(matter) >= 0.9 * len(share[relation])
