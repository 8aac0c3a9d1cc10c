from __future__ import annotations

import pytest

from dream.guards.removals import RemovalGuard
from dream.guards.specifics import guard_specifics
from dream.memory.allowance import Charge
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.operations import Proposal, Remove, Revise
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, Tree
from dream.memory.units import BaseUnits
from tasks.tidying.freshness import Freshness
from tasks.tidying.nominations import Matter
from tests.guards.proposals import propose
from tests.support.stage import NIGHT
from tests.tasks.stories import planted, reasons, text_of
from tests.tasks.tidying.rulers import Ruler, pair, tidied

HERE, THERE = "services/orders-api.md", "services/pools.md"
AGENT = "- 2026-09-01: The pool of orders-api holds 20 connections. [thread_a, 2026-09-01]"
PERSON = "- 2026-10-01: The pool of orders-api holds 30 connections. [person:ana@thread_b, 2026-10-01]"
LATER = "- 2026-10-01: The pool of orders-api holds 30 connections. [thread_b, 2026-10-01]"


def two(one: str, other: str) -> MappingTree:
    notes = {
        HERE: f"# orders-api\n\n{one}\n- 2026-08-01: It is old.\n",
        THERE: f"# Pools\n\n{other}\n- 2026-08-01: Slow.\n",
    }
    return MappingTree({path: text.encode() for path, text in notes.items()})


def settled(tree: Tree, *, says: str = "contradicts", fresh: Freshness | None = None) -> Plan:
    one = pair(tree, HERE, THERE, matter=Matter.CONTRADICTION)
    return tidied(tree, one, ruler=Ruler(rules=lambda _one, _other: says), fresh=fresh)


def takes_one(proposal: Proposal) -> Charge:
    return Charge(night=NIGHT, task=proposal.task, notes=0, statements=1)


@pytest.mark.parametrize(
    "winner", [PERSON, PERSON.replace("person:ana@thread_b", "thread_b, probe:orders-db")], ids=["person", "check"]
)
def test_a_later_check_or_a_stronger_source_supersedes_and_the_removal_names_its_evidence(winner: str) -> None:
    tree = two(AGENT, winner)
    plan = settled(tree)
    (operation,) = plan.items[0].operations
    assert isinstance(operation, Remove)
    (evidence,) = operation.basis.evidence
    assert evidence.startswith("supersedes 20: ")
    assert "holds 30 connections" in evidence
    assert [span.path for span in operation.basis.reads] == [THERE]
    assert text_of(planted(tree, plan), HERE) == "# orders-api\n\n- 2026-08-01: It is old.\n"
    assert RemovalGuard(takes_one)(propose(operation, tree)) is None
    assert plan.findings == ("tidy: 1 pairs ruled on: 1 contradicts",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (AGENT, LATER),
        (AGENT, PERSON.replace("2026-10-01", "2026-08-01")),
        (AGENT, PERSON.replace(". [", ". (tentative) [")),
        (AGENT, PERSON.replace("30 connections", "30 connections in staging")),
        (AGENT, PERSON.replace("30 connections", "30 threads")),
        (
            AGENT.replace("pool of orders-api", "orders-api node 1"),
            PERSON.replace("pool of orders-api", "orders-api node 2"),
        ),
        (AGENT.replace(" [thread_a, 2026-09-01]", ""), PERSON),
    ],
)
def test_where_nothing_shows_which_holds_both_stay_and_both_notes_say_so(one: str, other: str) -> None:
    tree = two(one, other)
    plan = settled(tree)
    after = planted(tree, plan)
    for path, line in ((HERE, one), (THERE, other)):
        head, _, rest = text_of(after, path).partition("\n\n")
        assert head.startswith("# ")
        assert rest.startswith('> Disputed: here "')
        assert line in rest.split("\n")
    assert plan.findings[-1] == f"{HERE}:3 and {THERE}:3 are at odds; nothing shows which of them holds"
    assert all(guard_specifics(propose(one, tree)) is None for one in plan.items[0].operations)


def test_what_was_written_today_is_not_superseded() -> None:
    fresh = Freshness([HERE])
    assert [(item.reason, item.pending) for item in settled(two(AGENT, PERSON), fresh=fresh).items] == [
        ("written-today", True)
    ]


def test_a_line_about_a_dispute_is_no_statement_and_stands_once() -> None:
    tree = two(AGENT, LATER)
    after = planted(tree, settled(tree))
    note, before = (parse_note(one.read(HERE) or b"") for one in (after, tree))
    assert isinstance(note, Note)
    assert isinstance(before, Note)
    assert ([entry.key for entry in note.entries], note.other, note.title) == (
        [entry.key for entry in before.entries],
        before.other,
        before.title,
    )
    units = [BaseUnits(one, NoteCache()).units(HERE).signature for one in (after, tree)]
    assert units[0] == units[1]
    assert list(reasons(settled(after)).values()) == ["at-odds"]


def test_the_line_goes_once_a_side_is_gone_without_any_model() -> None:
    tree = two(AGENT, LATER)
    after = planted(tree, settled(tree))
    files = {path: (after.read(path) or b"").replace(f"{AGENT}\n".encode(), b"") for path in after.paths()}
    plan = tidied(MappingTree(files), ruler=Ruler())
    assert {item.id for item in plan.items} == {f"{HERE}: disputes", f"{THERE}: disputes"}
    assert all(isinstance(operation, Revise) for item in plan.items for operation in item.operations)
    over = planted(MappingTree(files), plan)
    assert text_of(over, THERE) == text_of(tree, THERE)
    assert text_of(over, HERE) == text_of(tree, HERE).replace(f"{AGENT}\n", "")
    assert tidied(after, ruler=Ruler()).items == ()


def test_same_is_no_way_to_settle_a_contradiction() -> None:
    assert list(reasons(settled(two(AGENT, PERSON), says="same")).values()) == ["differing-word"]
