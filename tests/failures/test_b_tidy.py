"""B03, B36, B38, B45 where a model rules on what is alike, and says yes to everything."""

from __future__ import annotations

from itertools import pairwise

from dream.guards.specifics import guard_specifics
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import Remove
from dream.memory.tree import MappingTree, Tree
from tasks.tidying.nominations import Matter
from tests.guards.proposals import propose
from tests.tasks.stories import planted, text_of
from tests.tasks.tidying.rulers import Ruler, pair, tidied

MEMORIES = 931
NOTE = "services/orders-api.md"


def keys_of(tree: Tree, path: str = NOTE) -> list[str]:
    note = NoteCache().note(tree, path)
    assert isinstance(note, Note)
    return [entry.key for entry in note.entries]


def test_b03_no_memory_with_a_fact_of_its_own_is_merged_away() -> None:
    lines = [f"- 2026-09-01: orders-api keeps shard s{number} in rack r{number % 7}." for number in range(MEMORIES)]
    tree = MappingTree({NOTE: ("# orders-api\n\n" + "\n".join(lines) + "\n").encode()})
    some = [pair(tree, NOTE, NOTE, entries=two) for two in pairwise(range(0, MEMORIES, 10))]
    plan = tidied(tree, *some, ruler=Ruler(wording=lambda one, other: f"{one}; {other}"))
    assert keys_of(planted(tree, plan)) == keys_of(tree)


def test_b36_the_same_again_leaves_one_and_a_second_night_changes_nothing() -> None:
    line = "- 2026-09-01: orders-api keeps 20 connections. [thread_a, 2026-09-01]"
    tree = MappingTree({NOTE: f"# orders-api\n\n{line}\n{line}\n".encode()})
    after = planted(tree, tidied(tree, pair(tree, NOTE, NOTE, entries=(0, 1)), ruler=Ruler()))
    assert text_of(after, NOTE) == f"# orders-api\n\n{line}\n"
    again = tidied(after, pair(after, NOTE, NOTE, entries=(0, 0)), ruler=Ruler())
    assert planted(after, again).read(NOTE) == after.read(NOTE)


def test_b38_a_correction_leaves_one_value() -> None:
    old = "- 2026-09-01: The pool of orders-api holds 20 connections. [thread_a, 2026-09-01]"
    new = "- 2026-10-01: The pool of orders-api holds 30 connections. [person:ana@thread_b, 2026-10-01]"
    tree = MappingTree({NOTE: f"# orders-api\n\n{old}\n{new}\n".encode()})
    one = pair(tree, NOTE, NOTE, entries=(0, 1), matter=Matter.CONTRADICTION)
    plan = tidied(tree, one, ruler=Ruler(rules=lambda _one, _other: "contradicts"))
    assert isinstance(plan.items[0].operations[0], Remove)
    assert keys_of(planted(tree, plan)) == ["The pool of orders-api holds 30 connections."]


def test_b45_a_guess_that_takes_in_what_was_verified_stays_a_guess() -> None:
    guess = "- 2026-09-01: The pool of orders-api holds 20 connections. (tentative) [thread_a, 2026-09-01]"
    known = "- 2026-10-01: The pool of orders-api keeps 20 connections. [probe:orders-db, 2026-10-01]"
    tree = MappingTree({NOTE: f"# orders-api\n\n{guess}\n{known}\n".encode()})
    plan = tidied(tree, pair(tree, NOTE, NOTE, entries=(0, 1)), ruler=Ruler())
    (operation,) = plan.items[0].operations
    assert guard_specifics(propose(operation, tree)) is None
    assert text_of(planted(tree, plan), NOTE).splitlines()[2:] == [
        "- 2026-09-01: The pool of orders-api keeps 20 connections. (tentative) [probe:orders-db, thread_a, 2026-09-01]"
    ]
