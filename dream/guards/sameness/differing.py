"""Two statements that say another value of one and the same thing, and differ in nothing else."""

from __future__ import annotations

from dream.guards.sameness.reading import VALUE, Word, read_saying
from dream.guards.sameness.tables import NOT
from dream.guards.verdicts.environments import environments_in, regions_in

_COUNTED = frozenset(
    {
        "node", "queue", "step", "phase", "shard", "partition", "number", "pod", "host", "ticket", "issue", "room",
        "team", "tier", "zone", "table", "item", "option", "rule", "section", "chapter", "server", "worker",
        "instance", "case", "part", "line", "page", "build", "job", "sprint", "week", "attempt", "group", "track",
        "unit", "cluster", "region", "environment", "slot", "rack", "disk", "channel", "stage", "layer",
    }
)  # fmt: skip
"""What a number behind it may be the name of."""


def differing_values(one: str, other: str) -> tuple[str, str] | None:
    """Return the value that each of two statements (comparison keys) gives to one thing; None where that is not all.

    Every other word that says something is the same and stands in the same order, the name of the thing before the
    value; both are told of the same environment. A number that may be a name (`node 3`) is no value. A statement that
    only says no where the other does not has the values `not` and nothing.
    """
    if environments_in([one]) | regions_in([one]) != environments_in([other]) | regions_in([other]):
        return None
    ours, theirs = _telling(one), _telling(other)
    head = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a.means != b.means), None)
    if head is None:
        head = min(len(ours), len(theirs))
    tail = 0
    while tail < min(len(ours), len(theirs)) - head and ours[-1 - tail].means == theirs[-1 - tail].means:
        tail += 1
    mine, yours = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    if not any(word.is_name and not VALUE.fullmatch(word.means) for word in ours[:head]):
        return None
    if not _is_one_value(mine, yours) or (mine and yours and _names_a_thing(ours[:head])):
        return None
    return " ".join(word.said for word in mine), " ".join(word.said for word in yours)


def _is_one_value(mine: list[Word], yours: list[Word]) -> bool:
    if len(mine) == len(yours) == 1:
        return all(VALUE.fullmatch(side[0].means) for side in (mine, yours))
    return [[word.means for word in side] for side in sorted((mine, yours), key=len)] == [[], [NOT]]


def _names_a_thing(head: list[Word]) -> bool:
    said = head[-1].said if head else ""
    return {said, said.removesuffix("s")} & _COUNTED != set()


def _telling(text: str) -> list[Word]:
    return [word for clause in read_saying(text) for word in clause if not word.is_free]
