"""Tidying, bound to one night: what is nominated, who rules on it, and what was turned down lately."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dream.guards.screen import shown_or_withheld
from dream.memory.neighbours import Neighbours
from dream.memory.outcomes import Plan
from dream.memory.records import NightRecord
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.models.port import Role
from flows.neighbourhood import neighbours_of
from flows.tonight import Tonight
from tasks import tidy
from tasks.state_update import declined_inputs
from tasks.tidying.deciding import Judging, not_declined
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.merging import are_of_two_things
from tasks.tidying.nominating import nominate
from tasks.tidying.nominations import Matter, Nomination
from tasks.tidying.topics import are_of_two_topics

TASK = "tidy"
_MORE = 4
_INPUT = re.compile(rf"(?:{'|'.join(Matter)}) (?P<paths>.+): [0-9a-f]{{8}}")


def tidy_memory(tonight: Tonight, tree: Tree) -> Plan:
    """Return what putting `tree` in order comes to: by code, and where a model is configured by its rulings."""
    survey, since = tonight.survey, tonight.night - timedelta(days=tonight.limits.duplicates.declined_nights)
    declined = declined_inputs(survey.records, TASK, since=since)
    propose = partial(
        tidy.propose,
        tree=tree,
        notes=tonight.notes,
        renames=survey.renames,
        written_today=survey.changed,
        declined=declined,
        fresh=Freshness(survey.changed, landed=survey.landed_tree, notes=tonight.notes, renames=survey.renames),
        records=survey.records,
    )
    if not tonight.models.has(Role.DREAMER):
        return propose()
    judging = Judging(
        model=tonight.models.dreamer(TASK),
        screen=_shown,
        salt=str(tonight.night.toordinal() // max(tonight.limits.duplicates.declined_nights, 1)),
        limits=_limits(tonight),
    )
    return propose(nominations=_nominated(tonight, tree, declined), judging=judging)


def _limits(tonight: Tonight) -> TidyLimits:
    return TidyLimits(**{one.name: getattr(tonight.limits.tidy, one.name) for one in fields(TidyLimits)})


def _nominated(tonight: Tonight, tree: Tree, declined: Mapping[str, str]) -> Sequence[Nomination]:
    """Return what is ruled on tonight: what was declined lately takes nobody's place."""
    limits, records = _limits(tonight), tonight.survey.records
    found = nominate(
        tree,
        tonight.notes,
        _neighbours(tonight, tree),
        changed={*tonight.survey.changed, *_waiting(records)} if records else None,
        night=tonight.night,
        limits=limits,
        most=_MORE * limits.nominations + len(declined),
    )
    aside = tonight.aside(TASK)
    left = [one for one in not_declined(found, declined) if one.id not in aside and not _is_settled_by_code(one)]
    return left[: limits.nominations]


def _is_settled_by_code(one: Nomination) -> bool:
    """Whether nobody need be asked about a pair, because it is about two things whatever anybody says."""
    return are_of_two_topics(one) if one.matter is Matter.SAME_TOPIC else are_of_two_things(one)


def _neighbours(tonight: Tonight, tree: Tree) -> Neighbours:
    if tonight.home is not None:
        return neighbours_of(tonight.home, tree, tonight.notes)
    with TemporaryDirectory() as folder:
        return neighbours_of(Path(folder), tree, tonight.notes)


def _waiting(records: Sequence[NightRecord]) -> Iterator[str]:
    """Yield the notes of what the last night that tidied left for another one."""
    last = next((record.tasks[TASK] for record in reversed(records) if record.landed(TASK)), None)
    for left in last.left_out if last else ():
        match = _INPUT.fullmatch(left.input)
        if match:
            yield from match["paths"].split(" + ")


def _shown(line: str, origin: Origin) -> str:
    return shown_or_withheld(line, origin=origin)
