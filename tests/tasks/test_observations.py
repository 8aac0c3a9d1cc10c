"""What is remembered of people's words, and what it takes for them to count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.records import Effect, NightRecord
from dream.memory.state import Tombstone
from tasks.observations import (
    Observation,
    Recurrence,
    Spent,
    digest_of_words,
    kept_items,
    observation_item,
    observed_sources,
    read_observations,
    unspent,
    with_words,
)
from tests.tasks.stories import talk, thread

NIGHT = date(2026, 10, 22)
START = datetime(2026, 10, 1, 9, tzinfo=UTC)
RULE = Recurrence()


def seen(session: str, *, hours: float = 0, person: str = "ana", words: str = "use uv, not pip") -> Observation:
    at = START + timedelta(hours=hours)
    return Observation(
        session=f"thread_{session}",
        message="m1",
        start=0,
        end=len(words),
        digest=digest_of_words(words),
        at=at,
        day=at.date(),
        seen=NIGHT,
        person=person,
        words=words,
    )


def record(*effects: Effect, night: date = NIGHT) -> NightRecord:
    return NightRecord(night=night, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="r", base="b", effects=effects)


def used(one: Observation, *, reverted: bool = False) -> Effect:
    return Effect(id="e1", task="learnings", kind="add", quotes=(one.mark,), reverted=reverted)


STONE = Tombstone(effect="e1", kind="add", task="learnings", paths=(), keys=(), undone=NIGHT)


@pytest.mark.parametrize(
    ("observations", "shortfall"),
    [
        ([seen("a"), seen("b", hours=24), seen("c", hours=48)], ""),
        ([seen("a"), seen("b", hours=24)], "too-few-sessions"),
        ([seen("a"), seen("b", hours=2), seen("c", hours=4)], "one-day-one-person"),
        ([seen("a"), seen("b", hours=2), seen("c", hours=4, person="bo")], ""),
        ([seen("a", person=""), seen("b", hours=2, person=""), seen("c", hours=4, person="")], "one-day-one-person"),
        ([seen("a"), seen("b", hours=2, person=""), seen("c", hours=4)], "one-day-one-person"),
        ([seen("a"), seen("b", hours=0.5, person=""), seen("c", hours=24)], "too-few-sessions"),
        ([seen("a"), seen("b", hours=2, person="Ana "), seen("c", hours=4)], "one-day-one-person"),
        (
            [
                seen("a", person="Jos\u00e9"),
                seen("b", hours=2, person="Jose\u0301"),
                seen("c", hours=4, person="JOS\u00c9"),
            ],
            "one-day-one-person",
        ),
        ([seen("a"), seen("a", hours=24), seen("a", hours=48)], "too-few-sessions"),
        ([seen("a"), seen("b", hours=0.2), seen("c", hours=0.5)], "too-few-sessions"),
        ([seen("a", hours=14.7), seen("b", hours=14.9), seen("c", hours=15.2)], "too-few-sessions"),
        ([seen("a"), seen("b", hours=0.1, person="bo"), seen("c", hours=0.2, person="chidi")], ""),
        ([], "too-few-sessions"),
    ],
    ids=[
        "three days",
        "two sessions",
        "one day, one person",
        "one day, two people",
        "people without a name are one",
        "who has no name may be who has one",
        "and spoke within the hour",
        "one name, written twice",
        "one name, in two normal forms",
        "one session of three days",
        "one angry hour",
        "one angry hour over midnight",
        "three people in an hour",
        "nothing",
    ],
)
def test_a_rule_needs_three_sessions_on_two_days_or_from_two_people(
    observations: list[Observation], shortfall: str
) -> None:
    assert RULE.shortfall(observations) == shortfall


def test_long_words_that_are_the_same_to_the_letter_were_copied() -> None:
    template = (
        "Please review this change carefully and tell me about every single problem that you can find in it. " * 2
    )
    days = [seen(name, hours=24 * n, words=template) for n, name in enumerate("abc")]
    assert RULE.shortfall(days) == "too-few-sessions"
    cut = [seen(name, hours=24 * n, words=template[n : 150 + n]) for n, name in enumerate("abc")]
    assert RULE.shortfall(cut) == "too-few-sessions"
    unread = [replace(one, digest=f"{n}" * 64, words="") for n, one in enumerate(days)]
    assert RULE.shortfall(unread) == ""


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), st.floats(0, 100), st.sampled_from(["ana", "bo", ""])), max_size=12),
    st.tuples(st.sampled_from("abcdef"), st.floats(0, 100), st.sampled_from(["ana", "bo", ""])),
)
def test_what_counts_never_exceeds_sessions_or_hours(
    told: list[tuple[str, float, str]], more: tuple[str, float, str]
) -> None:
    observations = [seen(session, hours=hours, person=person) for session, hours, person in [*told, more]]
    counted = RULE.counted(observations)
    assert len({one.session for one in counted}) == len(counted)
    for one in counted:
        apart = [abs(one.at - other.at) for other in counted if other.person == one.person and other is not one]
        assert all(gap >= RULE.apart for gap in apart)
    assert RULE.counted(list(reversed(observations))) == counted


def test_an_observation_is_kept_without_its_words() -> None:
    one = seen("a")
    item = observation_item(one)
    assert "uv" not in repr(item)
    assert read_observations([item]) == (replace(one, words=""),)
    assert observed_sources([item]) == {"thread_a", "person:ana@thread_a"}


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"session": 1},
        {"at": "yesterday"},
        {"at": "2026-10-01T09:00:00"},
        {"start": 5, "end": 5},
        {"start": -1},
        {"day": "1st"},
        {"digest": None},
        {"message": "m" + "9" * 5_000},
        {"message": "the first"},
    ],
)
def test_what_is_no_observation_is_kept_and_never_used(broken: Mapping[str, Any]) -> None:
    item = {**observation_item(seen("a")), **broken} if broken else {}
    assert read_observations([item]) == ()
    kept = kept_items([item], fresh=(), records=(), tombstones=(), night=NIGHT, days=180, look_back=timedelta(14))
    assert kept == (item,)


def test_words_come_from_tonights_session_or_from_the_history_and_only_if_they_are_the_same() -> None:
    session = thread("a", *talk("ana: use uv, not pip"))
    one, gone = replace(seen("a"), words=""), replace(seen("b"), words="")
    assert [found.words for found in with_words([one], [session], lambda _: None)] == ["use uv, not pip"]
    asked: list[str] = []

    def history(mark: str) -> str | None:
        asked.append(mark)
        return "use uv, not pip"

    assert [found.words for found in with_words([gone], [session], history)] == ["use uv, not pip"]
    assert asked == [gone.mark]
    assert with_words([gone], [session], lambda _: "use pip, not uv") == ()
    assert with_words([gone], [], lambda _: None) == ()
    moved = thread("a", *talk("ana: wait", "ana: use uv, not pip"))
    assert with_words([one], [moved], lambda _: None) == ()


def test_what_was_used_is_not_used_again_nor_what_overlaps_it() -> None:
    one = seen("a")
    beside = replace(one, start=8, end=30)
    spent = Spent([record(used(one))])
    assert one in spent
    assert beside in spent
    assert replace(one, message="m2") not in spent
    assert unspent([one, seen("b")], spent=spent, night=NIGHT, days=180) == (seen("b"),)


@pytest.mark.parametrize(
    ("reverted", "stones", "is_spent"),
    [(False, [], True), (True, [], False), (True, [STONE], True), (False, [STONE], True)],
    ids=["it stands", "taken back to be tried again", "taken back", "undone by hand"],
)
def test_what_was_undone_stays_used_unless_it_is_to_be_tried_again(
    *, reverted: bool, stones: list[Tombstone], is_spent: bool
) -> None:
    one = seen("a")
    assert (one in Spent([record(used(one, reverted=reverted))], stones)) is is_spent


def test_the_state_keeps_what_can_still_be_used() -> None:
    old, one, new = seen("old", hours=-24 * 200), seen("a"), seen("b", hours=24)
    items = [observation_item(each) for each in (old, one)]

    def kept(**told: Any) -> list[str]:
        given = {"fresh": [observation_item(new)], "records": (), "tombstones": (), "night": NIGHT, **told}
        found = kept_items(items, days=180, look_back=timedelta(days=14), **given)
        return [str(item["session"]) for item in found]

    assert kept() == ["thread_a", "thread_b"]
    assert kept(records=[record(used(one))]) == ["thread_a", "thread_b"], "it may be taken back to be tried again"
    assert kept(records=[record(used(one))], tombstones=[STONE]) == ["thread_b"]
    assert kept(records=[record(used(one), night=NIGHT - timedelta(days=15))]) == ["thread_b"]
    assert kept(fresh=[observation_item(replace(one, start=3))]) == ["thread_a"]
