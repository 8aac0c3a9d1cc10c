"""The short version of the replays: real sessions and memories, a few nights each, and nothing violated."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bench.nights.__main__ import SEED, replay_all
from bench.nights.labels import Label, LabelledDay, read_labels, score
from bench.nights.losses import loss_of, units_of
from bench.nights.memories import day_by_day
from bench.nights.scripts import NAMES
from bench.nights.tables import render
from dream.memory.loss import measure_loss
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree
from dream.memory.units import BaseUnits

A_NOTE = b"# Orders\n\n- Orders are archived after ninety days.\n- Orders are kept in two regions.\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_few_nights_of_every_replay_violate_nothing(shared_data: Path, tmp_path: Path, name: str) -> None:
    (told,) = replay_all(shared_data, tmp_path, short=True, only=[name])
    assert told.violations == []
    assert told.statuses["landed"] == told.nights > 0
    assert told.people_commits > 0
    assert bool(told.written) == bool(told.sessions)
    assert f"| {name} | {told.nights} |" in render([told], (), seed=SEED)


def test_a_line_tells_a_label_only_with_its_thread_and_all_of_its_words() -> None:
    labels = (
        Label(thread="7c2e", kind="asked", fact="refunds were asked for", says=("refund", "limit|cap")),
        Label(thread="7c2e", kind="outcome", fact="it was done", says=("done",)),
        Label(thread="0bad", kind="asked", fact="something else", says=("refund",)),
    )
    note = (
        "# 2026-10-21\n\n## web\n\n"
        '- 2026-10-21: ana asked "Cap refunds"; 1 message by people. [thread_7c2e, 2026-10-21]\n'
        '- 2026-10-21: ana asked "Queues"; 1 message by people. [thread_7c2f, 2026-10-21]\n'
    )
    found = score(LabelledDay(replay="acme", day=date(2026, 10, 21), labels=labels), note)
    assert (found.told, found.labels, found.wanted, found.lines) == (1, 3, 1, 2)
    assert found.by_kind == {"asked": (1, 2), "outcome": (0, 1)}


def test_five_days_are_labelled_with_several_facts_each() -> None:
    days = read_labels()
    assert len(days) == 5
    assert {day.replay for day in days} == {"packmind", "specstory"}
    assert all(len(day.labels) >= 5 and len({one.thread for one in day.labels}) >= 3 for day in days)


def test_a_renamed_note_is_no_loss_and_a_deleted_one_is() -> None:
    other = {f"n{number}.md": b"- Something else %d.\n" % number for number in range(4)}
    assert loss_of({"a.md": A_NOTE, **other}, {"b.md": A_NOTE, **other}).notes == 0
    gone = loss_of({"a.md": A_NOTE, **other}, other)
    assert (gone.notes, gone.statements, gone.topic_notes, gone.statement_count) == (1, 2, 5, 6)


def test_a_merged_note_is_lost_and_its_statements_are_not() -> None:
    one, two = b"- First of the notes.\n", b"- Second of the notes.\n- Third of them.\n"
    loss = loss_of({"a.md": one, "b.md": two}, {"b.md": two + one})
    assert (loss.notes, loss.statements) == (1, 0)


def test_a_revised_statement_counts_as_kept_in_its_own_note() -> None:
    revised = A_NOTE.replace(b"ninety", b"sixty")
    assert loss_of({"a.md": A_NOTE}, {"a.md": revised}).statements == 0
    assert loss_of({"a.md": A_NOTE}, {"a.md": A_NOTE.replace(b"Orders are kept in two regions", b"No")}).statements == 1


def test_tasks_that_are_done_go_with_what_stands_under_them_unless_something_there_is_open() -> None:
    done = b"# Tasks\n\n- [x] Ship the parcel\n  - Weigh it\n\n    and stamp it.\n- [ ] Sweep the yard\n"
    assert loss_of({"tasks.md": done}, {"tasks.md": b"# Tasks\n\n- [ ] Sweep the yard\n"}).statements == 0
    half = b"# Tasks\n\n- [x] Ship the parcel\n  - [ ] Weigh it\n- [ ] Sweep the yard\n"
    assert loss_of({"tasks.md": half}, {"tasks.md": b"# Tasks\n\n- [ ] Sweep the yard\n"}).statements == 1


def test_entries_are_told_without_dates_and_sources() -> None:
    dated = b"# T\n\nNot one.\n\n- 2026-10-01: It listens\n  on 8443. [thread_1, 2026-10-01]\n"
    assert units_of(dated).statements == {"It listens on 8443."}
    assert units_of(b"---\nname: a\ntype: user\n---\nOne.\n\nTwo.\n").statements == {"One. Two."}


@pytest.mark.parametrize(
    ("place", "folder", "most"),
    [
        ("AnotherSava__bga-assistant/_nights/auto-memory", ".claude/memory/", 9),
        ("elViRafa__agentic-memory/_nights/ai-memory", ".ai-memory/", 5),
    ],
)
def test_the_plain_count_of_losses_agrees_with_the_products_own(
    shared_data: Path, place: str, folder: str, most: int
) -> None:
    now: dict[str, bytes] = {}
    for day in day_by_day(shared_data / "memory_trees" / place)[:most]:
        before = {path.removeprefix(folder): data for path, data in now.items()}
        now = {path: data for path, data in {**now, **day.files}.items() if path not in day.deleted}
        after = {path.removeprefix(folder): data for path, data in now.items()}
        plain = loss_of(before, after)
        own = measure_loss(BaseUnits(MappingTree(before), NoteCache()), MappingTree(after))
        assert (plain.notes, plain.topic_notes) == (len(own.notes), own.topic_notes)
        assert abs(plain.statement_count - own.statement_count) <= own.statement_count * 0.05
        assert abs(plain.statements - len(own.statements)) <= len(own.statements) * 0.2
