from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from dream.memory.records import DoneInput, Effect, NightRecord, TaskRecord
from dream.memory.state import STATE_VERSION, PendingInput, State, Waiting, parse_state, render_state
from dream.memory.tree import MappingTree, blob_id
from tasks.state_update import pending_inputs, revert_state, update_state, without_done

NIGHT = date(2026, 10, 22)


def test_a_night_writes_the_state_of_an_older_version_in_its_own() -> None:
    record = NightRecord(night=NIGHT, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="", base="")
    state = update_state(
        State(version=0),
        tree=MappingTree({}),
        record=record,
        parent="",
        checked=(),
        unverified=(),
        renames={},
        tombstones=(),
        pending=(),
    )
    assert state.version == STATE_VERSION


def test_a_learning_is_the_nights_own_while_it_reads_as_the_night_wrote_it() -> None:
    mine, theirs, new = (f"learnings/{name}/SKILL.md" for name in ("mine", "theirs", "new"))
    tree = MappingTree({mine: b"mine", theirs: b"edited", new: b"new"})
    record = NightRecord(night=NIGHT, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="", base="")
    before = {mine: blob_id(b"mine"), theirs: blob_id(b"theirs"), "learnings/gone/SKILL.md": blob_id(b"gone")}
    state = update_state(
        State(learnings=before),
        tree=tree,
        record=record,
        parent="",
        checked=(),
        unverified=(),
        renames={},
        tombstones=(),
        pending=(),
        observations=({"digest": "x"},),
        learnings=(new, "learnings/gone/SKILL.md"),
    )
    assert state.learnings == {mine: blob_id(b"mine"), new: blob_id(b"new")}
    assert state.observations == ({"digest": "x"},)
    assert parse_state(render_state(state)) == state
    assert b"learnings" not in render_state(State())


def night_of(state: State, night: date, *, waiting: tuple[str, ...] = (), **told: Any) -> State:
    """Return the state after a night in which the probes of the notes `waiting` were down."""
    record = NightRecord(night=night, scheduled=datetime.combine(night, time(4), tzinfo=UTC), run="", base="")
    return update_state(
        state,
        tree=MappingTree(dict.fromkeys(told.pop("paths", ["a.md", "b.md"]), b"")),
        record=record,
        parent="",
        checked=told.pop("checked", ()),
        unverified=waiting,
        renames=told.pop("renames", {}),
        tombstones=(),
        pending=(),
        waiting=waiting,
        **told,
    )


def test_a_probe_that_is_down_leaves_the_date_for_three_nights_and_then_the_note_moves_on() -> None:
    long_ago = NIGHT - timedelta(days=40)
    state = State(checked={"a.md": long_ago})
    for number in range(3):
        state = night_of(state, NIGHT + timedelta(days=number), waiting=("a.md",))
        state = night_of(state, NIGHT + timedelta(days=number), waiting=("a.md",))  # a night twice is a night once
        assert state.waiting == {"a.md": Waiting(since=NIGHT, night=NIGHT + timedelta(days=number))}
        assert (state.checked, state.unverified) == ({"a.md": long_ago}, ("a.md",))
    state = night_of(state, NIGHT + timedelta(days=3), waiting=("a.md",))
    assert (state.checked, state.unverified) == ({"a.md": NIGHT + timedelta(days=3)}, ("a.md",))
    assert state.waiting == {}
    assert b"waiting" not in render_state(state)


def test_one_that_found_no_place_again_moves_on_with_the_date_of_its_last_look() -> None:
    state = night_of(State(), NIGHT, waiting=("a.md",))
    assert parse_state(render_state(state)) == state
    state = night_of(state, NIGHT + timedelta(days=3))
    assert (state.checked, state.waiting, state.unverified) == ({"a.md": NIGHT}, {}, ("a.md",))


def test_one_that_was_answered_waits_no_longer_nor_does_one_that_is_gone_and_a_rename_is_followed() -> None:
    state = night_of(State(), NIGHT, waiting=("a.md", "b.md", "c.md"), paths=["a.md", "b.md", "c.md"])
    state = night_of(
        state, NIGHT + timedelta(days=1), checked=("a.md",), renames={"b.md": "d.md"}, paths=["a.md", "d.md"]
    )
    assert state.waiting == {"d.md": Waiting(since=NIGHT, night=NIGHT)}
    assert (state.checked, state.unverified) == ({"a.md": NIGHT + timedelta(days=1)}, ("d.md",))


def test_a_read_moves_no_check_and_the_latest_day_of_it_is_kept() -> None:
    before = State(checked={"a.md": date(2026, 10, 1)}, read={"a.md": date(2026, 10, 20), "b.md": date(2026, 10, 2)})
    state = night_of(before, NIGHT, read={"a.md": date(2026, 10, 19), "b.md": date(2026, 10, 21)})
    assert state.read == {"a.md": date(2026, 10, 20), "b.md": date(2026, 10, 21)}
    assert state.checked == {"a.md": date(2026, 10, 1)}


def test_the_first_night_that_a_note_was_shown_is_kept() -> None:
    before = State(shown={"a.md": date(2026, 10, 3)})
    assert night_of(before, NIGHT, shown=["a.md", "b.md"]).shown == {"a.md": date(2026, 10, 3), "b.md": NIGHT}


def test_reads_follow_a_rename_and_a_merge_and_go_with_their_note() -> None:
    before = State(
        read={"a.md": date(2026, 10, 3), "old.md": date(2026, 10, 5), "twin.md": date(2026, 10, 9), "x.md": NIGHT},
        shown={"twin.md": date(2026, 9, 1), "b.md": date(2026, 9, 5)},
    )
    state = night_of(before, NIGHT, renames={"old.md": "b.md"}, merged={"twin.md": "b.md"})
    assert state.read == {"a.md": date(2026, 10, 3), "b.md": date(2026, 10, 9)}
    assert state.shown == {"b.md": date(2026, 9, 1)}
    assert parse_state(render_state(state)) == state


def test_a_state_without_reads_reads_as_before() -> None:
    assert b"read" not in render_state(State())
    assert b"shown" not in render_state(State())


def test_a_revert_writes_the_state_of_an_older_version_in_its_own() -> None:
    state = revert_state(State(version=0), parent="", night=NIGHT, effects=(), keep_tombstones=True)
    assert state.version == STATE_VERSION


def pending(before: tuple[PendingInput, ...], night: date, *failed: str) -> tuple[PendingInput, ...]:
    return pending_inputs(
        State(pending=before),
        night=night,
        failed={"daily_note": failed} if failed else {},
        settled=("daily_note",),
        nights=3,
        look_back=timedelta(days=14),
    )


def test_an_input_is_set_aside_after_three_failed_nights_and_a_night_counts_once() -> None:
    kept: tuple[PendingInput, ...] = ()
    counted = []
    for day in (1, 1, 1, 2, 3):
        kept = pending(kept, date(2026, 10, day), "thread_7c2e")
        counted.append((kept[0].nights, kept[0].set_aside))
    assert counted == [(1, False), (1, False), (1, False), (2, False), (3, True)]


def test_an_input_that_is_set_aside_is_kept_for_as_long_as_a_night_could_look_at_it() -> None:
    aside = PendingInput(task="daily_note", input="thread_7c2e", nights=3, night=date(2026, 10, 3), set_aside=True)
    assert pending((aside,), date(2026, 10, 17)) == (aside,)
    assert pending((aside,), date(2026, 10, 18)) == ()


def test_an_input_that_no_longer_fails_waits_no_longer() -> None:
    waiting = PendingInput(task="daily_note", input="thread_7c2e", nights=2, night=date(2026, 10, 3))
    assert pending((waiting,), date(2026, 10, 4)) == ()


def test_a_task_that_was_skipped_has_covered_nothing() -> None:
    midnight = datetime(2026, 10, 22, tzinfo=UTC)
    window = (midnight - timedelta(days=1), midnight)
    record = NightRecord(
        night=NIGHT,
        scheduled=midnight,
        run="",
        base="",
        windows={"daily_note": window, "distil": window},
        tasks={"daily_note": TaskRecord(outcome="unchanged"), "distil": TaskRecord(outcome="skipped")},
    )
    state = update_state(
        State(),
        tree=MappingTree({}),
        record=record,
        parent="",
        checked=(),
        unverified=(),
        renames={},
        tombstones=(),
        pending=(),
    )
    assert state.covered == {"daily_note": midnight}


def test_what_was_counted_is_not_counted_again_and_what_it_teaches_is_looked_at_anew() -> None:
    done = tuple(DoneInput(id=f"acme/web#41{part}", digest="d") for part in ("", "/lessons"))
    effect = Effect.model_construct(id="e", task="pr_outcomes", kind="add", sources=("acme/web#41",), reverted=False)
    record = NightRecord(
        night=NIGHT,
        scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC),
        run="",
        base="",
        tasks={"pr_outcomes": TaskRecord(outcome="changed", done=done)},
        effects=(effect,),
    )
    lifted = without_done(record, ["pr_outcomes"], undone=())
    assert lifted.tasks["pr_outcomes"].done == done[:1]


def test_what_one_pull_request_alone_has_taught_is_kept_as_it_is_told() -> None:
    record = NightRecord(night=NIGHT, scheduled=datetime(2026, 10, 22, 4, tzinfo=UTC), run="", base="")
    told: dict[str, Any] = {"key": "k"}

    def after(tentative: list[dict[str, Any]] | None) -> State:
        return update_state(
            State(tentative=({"a": 1},)),
            tree=MappingTree({}),
            record=record,
            parent="",
            checked=(),
            unverified=(),
            renames={},
            tombstones=(),
            pending=(),
            tentative=tentative,
        )

    assert after(None).tentative == ({"a": 1},)
    assert after([told]).tentative == (told,)
