"""The short version of what merging makes of pairs whose relation is known, and of writers who say the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.tidy.corpus import Relation, pairs
from bench.tidy.merging import HEADS, RULERS, rows, wrong_merges
from bench.tidy.restating import fact_in, facts
from bench.tidy.treadmill import run, shown


@pytest.mark.parametrize("ruler", RULERS)
def test_whoever_rules_no_contradiction_is_merged_and_no_specific_is_lost(shared_data: Path, ruler: str) -> None:
    made = pairs(shared_data, most=8)
    assert {pair.relation for pair in made} == {*Relation}
    assert wrong_merges(made, RULERS[ruler]) == {}


def test_a_truthful_ruler_merges_statements_said_anew(shared_data: Path) -> None:
    made = [pair for pair in pairs(shared_data, most=16) if pair.relation is Relation.PARAPHRASE]
    merged = next(row for row in rows(made) if row[:2] == ("the truth", Relation.PARAPHRASE))
    assert merged[HEADS.index("merged")] != 0


def test_a_memory_of_restatements_holds_every_fact_and_fewer_entries_than_were_written() -> None:
    days = list(run(nights=2, count=4))
    assert [day.told for day in days] == [4, 4]
    assert all(day.entries < day.said for day in days)
    assert f"| 2 | {days[-1].said} |" in shown(days)


def test_a_fact_is_known_by_its_words_alone() -> None:
    told = facts(100)
    assert len({*told}) == 100
    assert fact_in("Note that " + "orders-api listens on port 1", told) is None
