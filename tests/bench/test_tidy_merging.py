"""The short version of what merging makes of pairs whose relation is known, and of writers who say the same again."""

from __future__ import annotations

import random
from functools import lru_cache
from pathlib import Path

import pytest

from bench.tidy.corpus import Pair, Relation, pairs
from bench.tidy.merging import HEADS, JUDGES, RULERS, WHO, nights_through, rows, wrong_merges
from bench.tidy.restating import fact_in, facts
from bench.tidy.treadmill import run, shown
from bench.tidy.wordings import WORDINGS, reworded
from dream.guards.sameness.closed import closed_difference
from dream.guards.sameness.covering import uncovered

DICE = random.Random(1)  # noqa: S311 - repeatable on purpose
MOST_APART = 2
"""A sentence that names who does it first, and one that names it last; what else differs a judge may decide."""

ROBUST = [(ruler, judge) for ruler, judge in WHO if not judge.startswith("95 %")]


@lru_cache(maxsize=1)
def made_of(data: Path) -> tuple[Pair, ...]:
    """Return fifty pairs of each relation: reading the trees takes most of the time."""
    return tuple(pairs(data, most=50))


def of_each(data: Path, most: int) -> list[Pair]:
    return [pair for relation in Relation for pair in [one for one in made_of(data) if one.relation is relation][:most]]


@pytest.mark.parametrize(("ruler", "judge"), ROBUST)
def test_whoever_rules_no_contradiction_is_merged_and_no_specific_is_lost(
    shared_data: Path, ruler: str, judge: str
) -> None:
    made = of_each(shared_data, 2)
    assert {pair.relation for pair in made} == {*Relation}
    assert wrong_merges(made, RULERS[ruler], JUDGES[judge]) == {}


def test_closed_classes_tell_apart_whatever_contradicts_even_for_a_judge_that_is_wrong(shared_data: Path) -> None:
    wrong = {Relation.OTHER_VALUE, Relation.NEGATED, Relation.NARROWER}
    made = [pair for pair in of_each(shared_data, 50) if pair.relation in wrong]
    assert len(made) == 150
    assert [pair for pair in made if not closed_difference(pair.one, pair.other)] == []


def test_a_truthful_judge_merges_what_is_said_in_other_words_and_code_alone_does_not(shared_data: Path) -> None:
    made = [pair for pair in of_each(shared_data, 6) if pair.relation is Relation.REWORDED]
    who = [("yes to everything", judge) for judge in ("the truth", "none", "yes to everything")]
    merged = [row[HEADS.index("merged")] for row in rows(made, who)]
    assert merged[0] != 0
    assert merged[1:] == [0, 0]


def test_restatements_are_in_really_new_words() -> None:
    pairs_of_words = [(fact.said(DICE), fact.reworded(DICE)) for fact in facts(100)]
    differing = [pair for pair in pairs_of_words if uncovered(*pair) and uncovered(*reversed(pair))]
    assert 2 * len(differing) >= len(pairs_of_words)


def test_a_careless_judge_seldom_passes_its_examination() -> None:
    assert nights_through(right=1.0, nights=3) == 3
    assert nights_through(right=0.8, nights=8) <= 1


def test_a_memory_of_restatements_holds_every_fact_and_fewer_entries_than_were_written() -> None:
    days = list(run(nights=2, count=2))
    assert [(day.night, day.said, day.told) for day in days] == [(1, 6, 2), (2, 8, 2)]
    assert days[0].merged > 0
    assert all(day.entries < day.said for day in days)
    assert f"| 2 | {days[-1].said} |" in shown(days)


@pytest.mark.parametrize("attribute", sorted(WORDINGS))
def test_few_wordings_of_a_fact_are_kept_from_one_another_by_what_is_closed(attribute: str) -> None:
    value = "Falcon" if attribute == "owner" else "30"
    dice = random.Random(attribute)  # noqa: S311 - repeatable on purpose
    said = [reworded(attribute, "orders-api", value, dice) for _ in range(80)]
    kept: list[str] = []
    for one in said:
        if all(closed_difference(other, one) for other in kept):
            kept.append(one)
    assert len(kept) <= MOST_APART


def test_a_fact_is_known_by_its_words_alone() -> None:
    told = facts(100)
    assert len({*told}) == 100
    assert fact_in("Note that " + "orders-api listens on port 1", told) is None
    for unseen in (False, True):
        assert all(fact_in(fact.reworded(DICE, unseen=unseen), told) == fact for fact in told)
