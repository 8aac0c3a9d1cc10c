from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from dream.memory.outcomes import Declined
from dream.memory.state import State, parse_state, render_state
from tasks.declined import remembered, turned_down

NIGHT = date(2026, 10, 22)
LOOK_BACK = timedelta(days=14)
ONE = Declined(digest="9f86d081884c7d659a2feaa0c55ad015", source="thread_7c2e", reason="not-entailed")


def after(state: State, night: date, *fresh: Declined) -> State:
    return state.model_copy(update={"declined": remembered(state, night=night, look_back=LOOK_BACK, fresh=fresh)})


def test_what_was_turned_down_is_remembered_without_its_words() -> None:
    state = parse_state(render_state(after(State(), NIGHT, ONE)))
    assert state.declined == (
        {"digest": ONE.digest, "night": "2026-10-22", "reason": "not-entailed", "source": "thread_7c2e"},
    )
    assert turned_down(state) == {ONE.digest}


def test_it_is_forgotten_when_no_session_of_the_look_back_can_say_it_again() -> None:
    state = after(State(), NIGHT, ONE)
    assert turned_down(after(state, NIGHT + LOOK_BACK)) == turned_down(state)
    assert turned_down(after(state, NIGHT + LOOK_BACK + timedelta(days=1))) == frozenset()


def test_being_turned_down_again_makes_it_no_younger() -> None:
    state = after(after(State(), NIGHT, ONE), NIGHT + timedelta(days=3), ONE)
    assert [item["night"] for item in state.declined] == ["2026-10-22"]


def test_what_a_later_version_keeps_there_stays() -> None:
    strange = {"pair": ["a.md", "b.md"]}
    state = after(State(declined=(strange,)), NIGHT, ONE)
    assert state.declined[0] == strange
    assert turned_down(state) == {ONE.digest}


def test_what_a_reviewer_turned_down_is_remembered_for_longer_than_a_session() -> None:
    taught = Declined(digest="0" * 32, source="learnings/run-fmt/SKILL.md", reason="not-approved")
    state = after(State(), NIGHT, ONE, taught)
    told: dict[str, Any] = {"look_back": LOOK_BACK, "learnings": timedelta(days=30), "fresh": ()}
    kept = remembered(state, night=NIGHT + timedelta(days=30), **told)
    assert [item["digest"] for item in kept] == [taught.digest]
    assert remembered(state, night=NIGHT + timedelta(days=31), **told) == ()
