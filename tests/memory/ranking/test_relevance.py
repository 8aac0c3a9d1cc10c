"""How relevance fades, and that no note is ever lost by it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.ranking.relevance import RankingLimits, Signs, freshness, rank

TODAY = date(2026, 11, 30)
LIMITS = RankingLimits()
DATES = st.none() | st.dates(date(2024, 1, 1), date(2027, 6, 1))
SIGNS = st.builds(Signs, changed=DATES, checked=DATES, read=DATES, shown=DATES)
NOTES = st.dictionaries(st.text("abc/", min_size=1, max_size=6), SIGNS, max_size=12)


def days_ago(days: int) -> date:
    return TODAY - timedelta(days=days)


def left(**days: int) -> float:
    signs = Signs(**{name: days_ago(count) for name, count in days.items()})
    return freshness(signs, today=TODAY, limits=LIMITS)


def test_relevance_halves_every_thirty_days_since_the_last_sign_of_life() -> None:
    assert [left(changed=days, shown=900) for days in (0, 30, 60, 90)] == [1.0, 0.5, 0.25, 0.125]


def test_a_check_and_a_read_count_as_a_change_does() -> None:
    assert left(changed=90, checked=30, shown=900) == left(changed=90, read=30, shown=900) == 0.5


def test_what_no_agent_was_shown_does_not_fade_in_its_days_of_grace() -> None:
    assert left(changed=30) == 1.0
    assert left(changed=60) == 0.5


def test_grace_ends_on_the_day_that_a_note_is_first_shown() -> None:
    assert left(changed=60, shown=50) == 2 ** (-50 / 30)
    assert left(changed=60, shown=0) == left(changed=60)


def test_a_note_without_a_date_is_as_old_as_can_be_and_stands_last() -> None:
    assert freshness(Signs(shown=TODAY), today=TODAY, limits=LIMITS) == 0.0
    ranked = rank({"a": Signs(), "b": Signs(changed=days_ago(9_000))}, today=TODAY, limits=LIMITS)
    assert [one.path for one in ranked] == ["b", "a"]


def test_a_clock_that_goes_ahead_gains_nothing() -> None:
    assert left(changed=-5) == left(changed=0) == 1.0


def test_a_question_multiplies_and_what_does_not_answer_it_is_left_out() -> None:
    notes = {name: Signs(changed=days_ago(days), shown=days_ago(900)) for name, days in (("a", 60), ("b", 0), ("c", 0))}
    ranked = rank(notes, today=TODAY, limits=LIMITS, matches={"a": 8.0, "b": 1.0})
    assert [(one.path, one.relevance) for one in ranked] == [("a", 2.0), ("b", 1.0)]


@given(notes=NOTES)
def test_every_note_is_ranked_once_in_whatever_order_they_come(notes: dict[str, Signs]) -> None:
    ranked = rank(notes, today=TODAY, limits=LIMITS)
    assert sorted(one.path for one in ranked) == sorted(notes)
    assert rank(dict(reversed(notes.items())), today=TODAY, limits=LIMITS) == ranked


@given(signs=SIGNS, kind=st.sampled_from(["changed", "checked", "read", "shown"]), later=st.integers(0, 900))
def test_no_later_sign_of_any_kind_makes_a_note_less_relevant(signs: Signs, kind: str, later: int) -> None:
    day: date | None = getattr(signs, kind)
    if day is None and kind == "shown":
        return  # never shown is the most that grace can be
    moved = replace(signs, **{kind: (day or date(2024, 1, 1)) + timedelta(days=later)})
    assert freshness(moved, today=TODAY, limits=LIMITS) >= freshness(signs, today=TODAY, limits=LIMITS)


@given(signs=SIGNS, days=st.integers(0, 400))
def test_time_alone_never_makes_a_note_more_relevant(signs: Signs, days: int) -> None:
    before = Signs(**{name: day and min(day, TODAY) for name, day in _days_of(signs).items()})
    later = TODAY + timedelta(days=days)
    assert freshness(before, today=later, limits=LIMITS) <= freshness(before, today=TODAY, limits=LIMITS)


def _days_of(signs: Signs) -> dict[str, date | None]:
    return {"changed": signs.changed, "checked": signs.checked, "read": signs.read, "shown": signs.shown}
