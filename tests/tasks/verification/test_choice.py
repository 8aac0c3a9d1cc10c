from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.records import NightRecord
from dream.memory.state import State
from dream.memory.tree import MappingTree
from tasks.state_update import update_state
from tasks.verification.choice import choose

TODAY = date(2026, 10, 22)
PATHS = st.integers(0, 120).map(lambda number: f"services/n{number:03}.md")
DATES = st.integers(-40, 40).map(lambda days: TODAY + timedelta(days=days))


def _notes(count: int) -> list[str]:
    return [f"services/n{number:03}.md" for number in range(count)]


def test_the_changed_come_first_then_the_never_checked_then_those_checked_longest_ago() -> None:
    chosen = choose(
        topic_notes=["a.md", "b.md", "c.md", "d.md", "e.md"],
        changed=["e.md"],
        checked={
            "a.md": date(2026, 10, 20),
            "b.md": date(2026, 9, 1),
            "d.md": TODAY,
            "e.md": TODAY,
        },
        today=TODAY,
    )
    assert chosen == ("e.md", "c.md", "b.md", "a.md")


def test_five_places_are_kept_for_the_others_when_much_changed() -> None:
    notes = _notes(60)
    chosen = choose(topic_notes=notes, changed=notes[:40], checked={}, today=TODAY)
    assert chosen == (*notes[:20], *notes[40:45])


def test_the_kept_places_go_back_to_the_changed_when_nothing_else_waits() -> None:
    notes = _notes(40)
    checked = dict.fromkeys(notes, TODAY)
    assert choose(topic_notes=notes, changed=notes[:38], checked=checked, today=TODAY) == tuple(notes[:25])


def test_the_others_take_the_places_that_the_changed_leave() -> None:
    notes = _notes(60)
    chosen = choose(topic_notes=notes, changed=notes[50:53], checked={}, today=TODAY)
    assert chosen == (*notes[50:53], *notes[:22])


def test_a_date_from_tomorrow_counts_as_no_look() -> None:
    chosen = choose(
        topic_notes=["a.md", "b.md"],
        changed=[],
        checked={"a.md": date(2031, 1, 1), "b.md": date(2026, 1, 1)},
        today=TODAY,
    )
    assert chosen == ("a.md", "b.md")


def test_what_changed_but_is_gone_is_not_chosen() -> None:
    assert choose(topic_notes=["a.md"], changed=["a.md", "gone.md"], checked={}, today=TODAY) == ("a.md",)


@given(
    notes=st.sets(PATHS),
    changed=st.sets(PATHS),
    checked=st.dictionaries(PATHS, DATES),
    limit=st.integers(0, 30),
    reserved=st.integers(0, 30),
)
def test_never_more_than_the_limit_never_twice_and_the_same_in_any_order(
    notes: set[str], changed: set[str], checked: dict[str, date], limit: int, reserved: int
) -> None:
    chosen = choose(topic_notes=notes, changed=changed, checked=checked, today=TODAY, limit=limit, reserved=reserved)
    again = choose(
        topic_notes=sorted(notes, reverse=True),
        changed=sorted(changed),
        checked=dict(sorted(checked.items(), reverse=True)),
        today=TODAY,
        limit=limit,
        reserved=reserved,
    )
    assert chosen == again
    assert len(chosen) == len(set(chosen)) <= limit
    assert set(chosen) <= notes
    assert not {path for path in chosen if checked.get(path) == TODAY} - changed


@given(count=st.integers(1, 140), checked=st.dictionaries(PATHS, DATES.filter(lambda day: day <= TODAY)))
def test_every_note_is_reached_in_so_many_quiet_nights(count: int, checked: dict[str, date]) -> None:
    notes = _notes(count)
    dates, reached = dict(checked), set[str]()
    for night in range(-(-count // 25) + 1):
        today = TODAY + timedelta(days=night)
        chosen = choose(topic_notes=notes, changed=(), checked=dates, today=today)
        reached |= set(chosen)
        dates |= dict.fromkeys(chosen, today)
    assert reached == set(notes)


@given(changes=st.lists(st.sets(PATHS), min_size=30, max_size=30))
def test_busy_nights_delay_the_others_to_five_a_night_at_worst(changes: list[set[str]]) -> None:
    notes = _notes(121)
    dates, reached = dict[str, date](), set[str]()
    for night, changed in enumerate(changes):
        today = TODAY + timedelta(days=night)
        chosen = choose(topic_notes=notes, changed=changed, checked=dates, today=today)
        reached |= set(chosen)
        dates |= dict.fromkeys(chosen, today)
    assert len(reached) >= min(121, 30 * 5)


def test_those_that_wait_for_a_probe_come_after_the_changed_and_take_five_places() -> None:
    notes = _notes(60)
    waiting = dict.fromkeys(notes[:9], TODAY - timedelta(days=1)) | {"services/n008.md": TODAY - timedelta(days=2)}
    chosen = choose(topic_notes=notes, changed=notes[50:], checked={}, waiting=waiting, today=TODAY)
    assert chosen == (*notes[50:], "services/n008.md", *notes[:4], *notes[9:19])


def test_those_that_wait_take_what_nobody_else_needs() -> None:
    notes = _notes(20)
    waiting = dict.fromkeys(notes[:12], TODAY - timedelta(days=1))
    checked = dict.fromkeys(notes[15:], TODAY)
    chosen = choose(topic_notes=notes, changed=(), checked=checked, waiting=waiting, today=TODAY)
    assert chosen == (*notes[:5], *notes[12:15], *notes[5:12])


def test_one_that_waits_since_tonight_is_not_looked_at_again_tonight() -> None:
    assert choose(topic_notes=["a.md"], changed=(), checked={}, waiting={"a.md": TODAY}, today=TODAY) == ()


class Outages:
    """A memory of `count` notes over many quiet nights, in which the notes `down` says have a probe that is down."""

    def __init__(self, count: int, checked: dict[str, date]) -> None:
        self.notes, self.state = _notes(count), State(checked=checked)
        self.reached = set[str]()
        self.most_waiting = 0

    def dream(self, today: date, down: Callable[[str], bool]) -> tuple[str, ...]:
        waiting = {path: one.night for path, one in self.state.waiting.items()}
        chosen = choose(topic_notes=self.notes, changed=(), checked=self.state.checked, waiting=waiting, today=today)
        held = {path for path in chosen if down(path)}
        record = NightRecord(night=today, scheduled=datetime.combine(today, time(4), tzinfo=UTC), run="", base="")
        self.state = update_state(
            self.state,
            tree=MappingTree(dict.fromkeys(self.notes, b"")),
            record=record,
            parent="",
            checked=set(chosen) - held,
            unverified=held,
            waiting=held,
            renames={},
            tombstones=(),
            pending=(),
        )
        self.reached |= set(chosen)
        self.most_waiting = max(self.most_waiting, len(self.state.waiting))
        return chosen


def test_a_thousand_notes_are_reached_in_forty_one_quiet_nights() -> None:
    memory = Outages(1_000, {})
    for night in range(41):
        memory.dream(TODAY + timedelta(days=night), lambda _: False)
    assert memory.reached == set(memory.notes)
    assert memory.state.waiting == {}


def test_a_thousand_notes_whose_probes_are_all_down_are_reached_in_fifty_one_and_none_is_held_for_long() -> None:
    memory = Outages(1_000, {})
    for night in range(51):
        memory.dream(TODAY + timedelta(days=night), lambda _: True)
    assert memory.reached == set(memory.notes)
    assert memory.most_waiting <= 75
    assert len(memory.state.checked) >= 1_000 - 75


@given(
    count=st.integers(1, 140),
    checked=st.dictionaries(PATHS, DATES.filter(lambda day: day <= TODAY)),
    outages=st.lists(st.sets(st.integers(0, 120)), min_size=12, max_size=12),
)
def test_no_outage_keeps_another_note_waiting(count: int, checked: dict[str, date], outages: list[set[int]]) -> None:
    memory = Outages(count, {path: day for path, day in checked.items() if path in _notes(count)})
    for night in range(-(-count // 20) + 1):
        down = {f"services/n{number:03}.md" for number in outages[night]}
        chosen = memory.dream(TODAY + timedelta(days=night), down.__contains__)
        assert len(chosen) <= 25
        for one in memory.state.waiting.values():
            assert 0 <= (TODAY + timedelta(days=night) - one.since).days < 3
    assert memory.reached == set(memory.notes)
