"""Which notes a person is asked about: for what they say, and with the links that lead to them."""

from __future__ import annotations

from datetime import date

import pytest

from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Move, Revise
from dream.memory.outcomes import Item
from dream.memory.tree import MappingTree
from tasks.retiring import RetiringLimits, propose
from tasks.tidying.nominations import Matter, Nomination, Place
from tests.tasks.stories import memory

TODAY = date(2026, 11, 30)
LONG = "What is said here is long enough that nobody would call the note that says it nearly empty."


def retired(tree: MappingTree, *nominations: Nomination, without: tuple[str, ...] = ()) -> tuple[Item, ...]:
    return propose(tree, NoteCache(), nominations, today=TODAY, limits=RetiringLimits(), without=without)


def test_a_note_is_retired_for_its_reasons_and_links_to_it_lead_to_the_archive() -> None:
    tree = memory(
        services__old=f"# old\n\n- 2026-01-01: {LONG}\n",
        services__new=f"# new\n\n- 2026-11-01: {LONG} See [old](old.md#x) and [[old]].\n",
        services__plain=f"# plain\n\n{LONG}\n",
    )
    (item,) = retired(tree)
    move, link = item.operations
    assert isinstance(move, Move)
    assert isinstance(link, Revise)
    assert (item.id, item.whole, move.to) == ("services/old.md: retire", True, "archive/services/old.md")
    assert move.basis.why == "its newest statement is of 2026-01-01, 333 days ago"
    assert move.basis.evidence == ("linked from services/new.md",)
    assert link.new == f"- 2026-11-01: {LONG} See [old](../archive/services/old.md#x) and [[old]]."


@pytest.mark.parametrize(
    "text",
    [
        f"# a\n\n- 2026-01-01: {LONG}\n- 2026-11-01: {LONG}\n",
        f"# a\n\n{LONG}\n",
        f"# a\n\n- 2026-07-01: {LONG}\n",
        "---\nname: a\ndescription: what it is\n---\nShort.\n",
        "# a\n\n- 2026-11-01: The port is 8443.\n",
        "---\nbroken: [\n---\nx\n",
    ],
)
def test_what_is_newer_undated_or_cannot_be_told_is_left(text: str) -> None:
    assert retired(memory(services__a=text)) == ()


def test_a_note_that_says_next_to_nothing_is_nearly_empty() -> None:
    (item,) = retired(memory(services__a="# a\n\nSoon.\n"))
    assert item.operations[0].basis.why == "it says next to nothing: 5 characters beside its headings"


def test_logbooks_do_not_grow_stale_and_what_agents_load_first_stays() -> None:
    tree = memory(
        incidents__a=f"# a\n\n- 2026-01-01: {LONG}\n",
        tasks="# Tasks\n",
        index="# Index\n",
        README="# Read me\n",
        daily__a="# x\n",
        archive__b="# x\n",
    )
    assert retired(tree) == ()


def test_incidents_that_became_no_rule_are_named_as_such_and_what_is_changed_otherwise_is_left() -> None:
    tree = memory(incidents__a=f"# a\n\n- 2026-01-01: {LONG}\n")
    note = NoteCache().note(tree, "incidents/a.md")
    assert isinstance(note, Note)
    place = Place(path="incidents/a.md", note=note)
    found = Nomination(matter=Matter.INCIDENTS, places=(place,), score=1, why="three of a kind")
    other = Nomination(matter=Matter.SAME_TOPIC, places=(place, place), score=1)
    (item,) = retired(tree, found, other)
    assert item.operations[0].basis.why == "it tells of what happened, and no rule came of it: three of a kind"
    assert item.operations[0].basis.evidence == ("no note links to it",)
    assert retired(tree, found, without=("incidents/a.md",)) == ()
