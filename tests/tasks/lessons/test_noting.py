from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial

from dream.guards.screen import shown_or_withheld
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.tree import MappingTree, Tree
from tasks import daily_note
from tasks.lessons.noting import told_of
from tests.tasks.lessons.records import Record, closed, edit, finder, merged, read, said
from tests.tasks.stories import ZONE, done, planted, reasons, text_of

DAY = date(2026, 10, 21)
NOTE = "daily/2026-10-21.md"
LOGGED = ("  console.error(problem);", "  logger.error(problem);")
RENAMED = ("  oldClient.call(one);", "  newClient.call(one);")


def tell(tree: Tree, *records: Record, known: Mapping[str, str] | None = None, most: int = 40) -> Plan:
    pull_requests = read(*records)
    found = finder(pull_requests)
    return daily_note.propose(
        tree=tree,
        notes=NoteCache(),
        sessions=(),
        summaries=(),
        pull_requests=pull_requests,
        classify=found.classify,
        days=[DAY],
        timezone=ZONE,
        done=known or {},
        screen=partial(shown_or_withheld, origin=Origin.EXTERNAL),
        most=most,
        taught=partial(told_of, find=partial(found.find, asking=None), is_repeated=found.is_repeated),
    )


def logged(number: int, *more: tuple[str, str]) -> Record:
    return merged(number, edit("src/api/orders.ts", LOGGED, *more, around=f"of {number}"))


def lines(tree: Tree) -> list[str]:
    return [line for line in text_of(tree, NOTE).split("\n") if line.startswith("- ")]


def test_a_candidate_has_one_line_of_its_own_marked_tentative() -> None:
    plan = tell(MappingTree({}), logged(41, RENAMED))
    assert lines(planted(MappingTree({}), plan)) == [
        '- 2026-10-21: acme/web#41 "Work 41" was merged after people\'s edits. [acme/web#41, 2026-10-21]',
        (
            "- 2026-10-21: acme/web#41: In 'src/api/orders.ts' people changed 'oldClient.call' to 'newClient.call' "
            "in agents' pull requests, and 1 more of this kind. (tentative) [acme/web#41, 2026-10-21]"
        ),
    ]
    assert [item.id for item in plan.items] == ["acme/web#41", "acme/web#41/lessons"]


def test_what_another_pull_request_has_taught_before_is_not_tentative() -> None:
    plan = tell(MappingTree({}), logged(41), logged(52))
    told = [line for line in lines(planted(MappingTree({}), plan)) if "people changed" in line]
    assert ["(tentative)" in line for line in told] == [True, False]


def test_what_teaches_nothing_has_no_line_and_is_no_input() -> None:
    plan = tell(MappingTree({}), merged(41, edit("yarn.lock", LOGGED)), closed(42, said("LGTM")))
    assert [item.id for item in plan.items] == ["acme/web#41", "acme/web#42"]


def test_a_line_that_was_told_is_not_told_again() -> None:
    first = tell(MappingTree({}), logged(41))
    tree = planted(MappingTree({}), first)
    assert tell(tree, logged(41), known=done(first)) == Plan()
    assert reasons(tell(tree, logged(41))) == {"acme/web#41": "already-there", "acme/web#41/lessons": "already-there"}


def test_lines_beyond_the_most_are_counted_with_their_pull_requests() -> None:
    plan = tell(MappingTree({}), *(logged(number) for number in range(1, 31)), most=10)
    told = lines(planted(MappingTree({}), plan))
    assert len(told) <= 10
    assert len([item for item in plan.items if item.operations]) == 60
