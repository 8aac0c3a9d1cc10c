"""Many nights of learning: what is kept between them, and what never comes back."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dream.memory.outcomes import Plan
from dream.memory.records import Effect, NightRecord, TaskRecord
from dream.memory.state import Tombstone
from dream.memory.undoing.undone import tombstone
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt
from dream.repository.draft import Draft
from dream.sources.sessions.values import Session
from tasks import learnings
from tasks.candidates import ProposedLearnings
from tasks.observations import kept_items
from tests.tasks.stories import talk, thread
from tests.tasks.teaching import (
    EMPTY,
    LINE,
    NIGHT,
    PATH,
    SINCE,
    TOLD,
    Teaching,
    candidate,
    ends,
    ids_of,
    learning,
    line,
    marking,
    proposing,
    the_one,
    three_days,
    told_on,
)

DAY = timedelta(days=1)


def record(plan: Plan, night: date = NIGHT, **fields: Any) -> NightRecord:
    """The record of a night in which all of `plan` was applied."""
    draft = Draft(EMPTY, task="learnings", guards=())
    for item in plan.items:
        for operation in item.operations:
            draft.apply(operation)
    effects = tuple(applied.effect for applied in draft.applied)
    scheduled = datetime(night.year, night.month, night.day, 4, tzinfo=UTC)
    return NightRecord(night=night, scheduled=scheduled, run="r", base="b", effects=effects, **fields)


def test_what_was_undone_stays_away_for_thirty_nights_however_often_the_old_sessions_come_again() -> None:
    first = Teaching().plan(*three_days())
    records = [record(first)]
    (effect,) = records[0].effects
    stones = [tombstone(effect, undone=NIGHT + DAY)]
    kept: tuple[dict[str, Any], ...] = tuple(dict(item) for item in first.observed)
    for number in range(1, 31):
        night = NIGHT + number * DAY
        sessions = [replace(one, digest=f"{number}") for one in three_days()]
        plan = Teaching().plan(
            *sessions, night=night, observations=kept, records=records, tombstones=stones, words=lambda _: TOLD[0]
        )
        assert not any(item.operations for item in plan.items), night
        kept = kept_items(
            kept,
            fresh=plan.observed,
            records=records,
            tombstones=stones,
            night=night,
            days=180,
            look_back=timedelta(days=14),
        )
        assert kept == (), "what was undone is remembered in the record alone"


def test_the_same_words_again_change_nothing_where_the_learning_stands() -> None:
    first = Teaching().plan(*three_days())
    sessions = [replace(one, digest="grown") for one in three_days()]
    plan = Teaching().plan(*sessions, observations=first.observed, records=[record(first)])
    assert set(ends(plan).values()) == {"nothing-to-say"}
    assert plan.findings == ("learnings: 3 stretches marked: 3 already-observed",)


def test_a_part_of_what_was_used_is_not_used_again() -> None:
    first = Teaching().plan(*three_days())
    history = [record(first, NIGHT - 20 * DAY)]

    def part_of(prompt: Prompt) -> Any:
        found = marking(prompt)
        shorter = [one.model_copy(update={"quote": one.quote[4:-4]}) for one in found.observations]
        return found.model_copy(update={"observations": shorter})

    plan = Teaching(marks=part_of).plan(*three_days(), records=history)
    assert plan.observed == ()


@pytest.mark.parametrize(("zone", "end"), [("UTC", "one-day-one-person"), ("Pacific/Kiritimati", "")])
def test_days_are_local_days(zone: str, end: str) -> None:
    hours = (8, 11, 14)  # 22:00, 01:00 and 04:00 at UTC+14
    sessions = [
        thread(f"z{hour}", *talk(f"ana: {text}", start=datetime(2026, 10, 19, hour, tzinfo=UTC)))
        for hour, text in zip(hours, TOLD, strict=True)
    ]
    teaching = Teaching(proposes=everything)
    plan = learnings.propose(
        tree=EMPTY,
        sessions=sessions,
        past=teaching.past,
        night=NIGHT,
        since=SINCE,
        timezone=ZoneInfo(zone),
        dreamer=teaching.dreamer,
        reviewer=teaching.reviewer,
        gates=teaching._gates,  # the same gates, in another zone
        unfit=lambda: "",
        screen=lambda text, _: text,
    )
    found = [item.reason for item in plan.items if not item.digest]
    assert found == ([] if end else [""])


def everything(prompt: Prompt) -> ProposedLearnings:
    return proposing(learning(line(LINE, *ids_of(prompt))))


@pytest.mark.parametrize(
    "secret",
    [
        "Always use the key AKIA" + "Q3EGRW5XJZ7H2KLM when you deploy.",
        "Use the token ghp_" + "a1B2c3D4" * 4 + "e5F6 here.",
    ],
)
def test_a_stretch_with_a_secret_is_never_observed(secret: str) -> None:
    plan = Teaching().plan(told_on(18, secret, name="a18"))
    assert plan.observed == ()
    assert not any(secret[10:30] in repr(part) for part in (plan.findings, plan.items))


def test_every_candidate_of_a_reply_has_an_end_and_the_counts_add_up() -> None:
    def many(prompt: Prompt) -> ProposedLearnings:
        good = learning(line(LINE, *ids_of(prompt)))
        bad = [
            learning(line("Do as you like", *ids_of(prompt)), name="as-you-like"),
            learning(line(LINE, "o9"), name="nobody"),
            learning(action="delete", name="nowhere"),
            learning(action="merge", name="nowhere", absorbs=["elsewhere"]),
        ]
        return proposing(*bad, good, good)

    plan = Teaching(proposes=many).plan(*three_days())
    found = [item for item in plan.items if not item.digest]
    assert len(found) == 6
    assert all(bool(item.operations) != bool(item.reason) for item in found)
    (account,) = [one for one in plan.findings if "proposed" in one]
    assert account.startswith("learnings: 6 candidates proposed: ")
    assert sum(int(one.split()[0]) for one in account.partition("proposed: ")[2].split(", ")) == 6
    assert len([one for one in plan.findings if ", citing " in one]) == 6


@pytest.mark.parametrize("silence", [Reason.TRUNCATED, Reason.INVALID, Reason.RATE_LIMITED, Reason.FILTERED])
def test_a_session_is_done_only_with_an_answer(silence: Reason) -> None:
    sessions: list[Session] = list(three_days())
    plan = Teaching(marks=lambda _: Unanswered(reason=silence)).plan(*sessions)
    assert all(item.pending for item in plan.items)
    done = {item.id: item.digest for item in plan.items if not item.pending}
    assert candidate(Teaching().plan(*sessions, done=done)).operations


def test_candidates_without_an_answer_are_taken_up_though_no_session_is_new() -> None:
    sessions = three_days()
    silent = Teaching(reviews=lambda _: Unanswered(reason=Reason.OUTAGE)).plan(*sessions)
    left = [{"input": item.id, "reason": item.reason} for item in silent.items if item.pending]
    failed = TaskRecord.model_validate({"outcome": "failed", "left_out": left})
    done = {one.source: one.digest for one in sessions}
    before: dict[str, Any] = {"done": done, "observations": silent.observed}
    again = Teaching(proposes=the_one).plan(*sessions, records=[record(Plan(), tasks={"learnings": failed})], **before)
    assert candidate(again).operations
    settled = TaskRecord.model_validate({"outcome": "unchanged"})
    quiet = Teaching().plan(*sessions, records=[record(Plan(), tasks={"learnings": settled})], **before)
    assert quiet.items == ()


def test_a_tombstone_of_another_task_or_path_holds_nothing_up() -> None:
    stone = Tombstone(effect="e", kind="add", task="distil", paths=(PATH,), keys=("- x [t]",), undone=NIGHT)
    assert candidate(Teaching().plan(*three_days(), tombstones=[stone])).operations
    other = Tombstone(
        effect="e", kind="add", task="learnings", paths=("learnings/x/SKILL.md",), keys=("- Squash. [t]",), undone=NIGHT
    )
    assert candidate(Teaching().plan(*three_days(), tombstones=[other])).operations


def test_effects_are_counted_with_what_an_earlier_landing_of_the_night_made() -> None:
    made = Effect(id="e", task="learnings", kind="add")
    taken_back = made.model_copy(update={"id": "f", "reverted": True})
    two = record(Plan()).model_copy(update={"effects": (made, made.model_copy(update={"id": "g"}))})
    assert candidate(Teaching().plan(*three_days(), records=[two])).reason == "waits-its-turn"
    one = record(Plan()).model_copy(update={"effects": (made, taken_back)})
    assert candidate(Teaching().plan(*three_days(), records=[one])).operations
    yesterday = two.model_copy(update={"night": NIGHT - DAY})
    assert candidate(Teaching().plan(*three_days(), records=[yesterday])).operations
