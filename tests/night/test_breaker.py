"""When a task is paused by itself: which nights count, which do not, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.records import Effect, NightRecord
from dream.memory.state import Tombstone
from dream.night.breaker import BreakerLimits, Held, held_tasks
from tests.report.records import record, task

FIRST = date(2026, 11, 1)
LIMITS = BreakerLimits()

Night = tuple[int, int]
"""How much a task did in a night, and how much of that was taken back."""


def night(number: int) -> date:
    return FIRST + timedelta(days=number)


def effects(number: int, night_of: Night, name: str, *, by_command: bool) -> list[Effect]:
    done, undone = night_of
    return [
        Effect(id=f"{name}-{number}-{count}", task=name, kind="add", reverted=by_command and count < undone)
        for count in range(done)
    ]


def stones(number: int, night_of: Night, name: str) -> list[Tombstone]:
    return [
        Tombstone(effect=f"{name}-{number}-{count}", kind="add", task=name, paths=(), keys=(), undone=FIRST)
        for count in range(night_of[1])
    ]


def nights_of(
    nights: Sequence[Night], name: str = "tidy", *, by_command: bool = True
) -> tuple[list[NightRecord], list[Tombstone]]:
    """Return the records of nights in a row and what people undid by hand."""
    records = [
        record({name: task()}, night=night(number), effects=effects(number, one, name, by_command=by_command))
        for number, one in enumerate(nights)
    ]
    found = [stone for number, one in enumerate(nights) for stone in stones(number, one, name)]
    return records, [] if by_command else found


@pytest.mark.parametrize("by_command", [True, False])
def test_a_task_taken_back_in_two_of_seven_nights_is_held_however_it_was_taken_back(*, by_command: bool) -> None:
    records, found = nights_of([(4, 2), (3, 0), (3, 3)], by_command=by_command)
    held = held_tasks(records, found, forgiven={}, limits=LIMITS)
    assert held == {"tidy": Held(task="tidy", nights=(night(0), night(2)))}
    assert held["tidy"].why == (
        "paused by itself: what it did in the nights of 2026-11-01 and 2026-11-03 was taken back"
    )
    assert held["tidy"].way_out("acme") == "dream resume acme --task tidy"


def test_a_command_and_a_hand_s_edit_add_up_within_a_night_and_between_nights() -> None:
    records, _ = nights_of([(4, 1), (2, 2)])
    found = [stone.model_copy(update={"effect": "tidy-0-3"}) for stone in stones(0, (4, 1), "tidy")]
    assert list(held_tasks(records, found, forgiven={}, limits=LIMITS)) == ["tidy"]
    assert held_tasks(records, (), forgiven={}, limits=LIMITS) == {}


@pytest.mark.parametrize(
    ("nights", "why"),
    [
        ([(4, 4)], "one night alone"),
        ([(4, 1), (4, 1), (4, 1)], "a little of each"),
        ([(1, 1), *[(1, 0)] * 6, (1, 1)], "seven nights apart"),
        ([(0, 0), (0, 0)], "it did nothing"),
    ],
)
def test_what_does_not_come_to_two_nights_in_seven_holds_nothing(nights: list[Night], why: str) -> None:
    records, found = nights_of(nights)
    assert held_tasks(records, found, forgiven={}, limits=LIMITS) == {}, why


def test_a_share_of_nothing_counts_no_night_in_which_all_of_it_stands() -> None:
    records, found = nights_of([(4, 0), (4, 0)])
    assert held_tasks(records, found, forgiven={}, limits=BreakerLimits(share=0)) == {}


def test_a_task_that_was_held_stays_held_when_the_reverts_are_forgotten_and_goes_on_once_it_is_forgiven() -> None:
    why = f"{Held(task='tidy', nights=(night(0), night(2))).why}; dream resume acme-2026-01-01 --task tidy"
    records = [record({"tidy": task("skipped", reason=why)}, night=night(9)), record({}, night=night(10))]
    assert held_tasks(records, (), forgiven={}, limits=LIMITS) == {
        "tidy": Held(task="tidy", nights=(night(0), night(2)))
    }
    assert held_tasks(records, (), forgiven={"tidy": night(8)}, limits=LIMITS).keys() == {"tidy"}
    assert held_tasks(records, (), forgiven={"tidy": night(9)}, limits=LIMITS) == {}


def test_a_task_that_a_person_paused_is_not_held_by_itself_afterwards() -> None:
    records = [record({"tidy": task("skipped", reason="paused since 2026-11-01 by ana")}, night=night(9))]
    assert held_tasks(records, (), forgiven={}, limits=LIMITS) == {}


NIGHTS = st.lists(st.integers(0, 4).flatmap(lambda done: st.tuples(st.just(done), st.integers(0, done))), max_size=14)
HOW_OFTEN = st.builds(
    BreakerLimits,
    reverts=st.integers(1, 4),
    nights=st.integers(1, 8),
    share=st.sampled_from([0.25, 0.5, 0.75, 1.0]),
)


def counted_plainly(nights: Sequence[Night], limits: BreakerLimits, *, after: int = -1) -> tuple[date, ...]:
    busy = [(number, one) for number, one in enumerate(nights) if one[0] and number > after]
    against = [night(number) for number, (done, undone) in busy[-limits.nights :] if undone >= limits.share * done]
    return tuple(against) if len(against) >= limits.reverts else ()


@given(nights=NIGHTS, limits=HOW_OFTEN, by_command=st.booleans())
def test_only_nights_in_which_the_task_did_something_count_and_only_by_what_was_taken_back(
    *, nights: list[Night], limits: BreakerLimits, by_command: bool
) -> None:
    records, found = nights_of(nights, by_command=by_command)
    against = counted_plainly(nights, limits)
    expected = {"tidy": Held(task="tidy", nights=against)} if against else {}
    assert held_tasks(records, found, forgiven={}, limits=limits) == expected


@given(nights=NIGHTS, limits=HOW_OFTEN, after=st.integers(0, 14))
def test_a_forgiven_night_counts_no_more_and_a_task_that_is_forgiven_every_night_is_never_held(
    *, nights: list[Night], limits: BreakerLimits, after: int
) -> None:
    records, found = nights_of(nights)
    held = held_tasks(records, found, forgiven={"tidy": night(after)}, limits=limits)
    against = counted_plainly(nights, limits, after=after)
    assert held == ({"tidy": Held(task="tidy", nights=against)} if against else {})
    assert held_tasks(records, found, forgiven={"tidy": night(len(nights))}, limits=limits) == {}


@given(nights=NIGHTS, others=NIGHTS, limits=HOW_OFTEN)
def test_what_befalls_one_task_says_nothing_of_another(
    *, nights: list[Night], others: list[Night], limits: BreakerLimits
) -> None:
    records, found = nights_of(nights)
    more, more_found = nights_of(others, "distil", by_command=False)
    of_others = {one.night: one.effects for one in more}
    both = [one.model_copy(update={"effects": (*one.effects, *of_others.get(one.night, ()))}) for one in records]
    alone = held_tasks(records, found, forgiven={}, limits=limits)
    together = held_tasks(both, [*found, *more_found], forgiven={}, limits=limits)
    assert together.get("tidy") == alone.get("tidy")
