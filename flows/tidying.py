"""Tidying, bound to one night: what is nominated, who rules on it, and what was turned down lately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from config.limits import Limits
from dream.guards.screen import shown_or_withheld
from dream.memory.neighbours.alike import Neighbours
from dream.memory.neighbours.words import MOST_WORDS
from dream.memory.outcomes import Plan
from dream.memory.records import NightRecord
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.models.port import Role
from flows.attesting import attester_of
from flows.code_files import file_reader
from flows.neighbourhood import neighbours_of
from flows.tonight import Tonight
from tasks import tidy
from tasks.state_update import declined_inputs
from tasks.tidying.choosing import choose, notes_waiting
from tasks.tidying.deciding import Judging
from tasks.tidying.freshness import Freshness
from tasks.tidying.limits import TidyLimits
from tasks.tidying.nominating.tonight import nominate
from tasks.tidying.nominations import Nomination

TASK = "tidy"
_MORE = 10
"""How many times as many pairs are nominated as are asked about: code tells most of them apart."""


def tidy_memory(tonight: Tonight, tree: Tree) -> Plan:
    """Return what putting `tree` in order comes to: by code, and where a model is configured by its rulings."""
    survey, since = tonight.survey, tonight.night - timedelta(days=tonight.limits.duplicates.declined_nights)
    declined = declined_inputs(survey.records, TASK, since=since)
    fresh = Freshness(survey.changed, landed=tonight.seen(TASK), notes=tonight.notes, renames=survey.renames)
    propose = partial(
        tidy.propose,
        tree=tree,
        notes=tonight.notes,
        renames=survey.renames,
        written_today=survey.changed,
        declined=declined,
        fresh=fresh,
        records=survey.records,
    )
    if not tonight.models.has(Role.DREAMER):
        return propose()
    attester = attester_of(tonight, TASK)
    judging = Judging(
        model=tonight.models.dreamer(TASK),
        attester=attester,
        screen=_shown,
        salt=str(tonight.night.toordinal() // max(tonight.limits.duplicates.declined_nights, 1)),
        limits=tidy_limits(tonight.limits),
    )
    neighbours = _neighbours(tonight, tree)
    chosen = choose(
        _nominated(tonight, tree, neighbours, in_other_words=attester is not None),
        declined=declined,
        aside=tonight.aside(TASK),
        fresh=fresh,
        most=tonight.limits.tidy.nominations,
        attests=attester is not None,
    )
    plan = propose(nominations=chosen.asked, judging=judging)
    findings = (*plan.findings, *_not_compared(neighbours))
    return replace(plan, items=(*plan.items, *chosen.items), findings=findings)


def tidy_limits(limits: Limits) -> TidyLimits:
    """Return how alike what tidy looks at must be, and how much of it is ruled on, as configured."""
    return TidyLimits(**{one.name: getattr(limits.tidy, one.name) for one in fields(TidyLimits)})


def _nominated(tonight: Tonight, tree: Tree, neighbours: Neighbours, *, in_other_words: bool) -> Sequence[Nomination]:
    """Return what may be wrong in notes that changed since the last night, or that it left for another one."""
    limits, records = tidy_limits(tonight.limits), tonight.survey.records
    return nominate(
        tree,
        tonight.notes,
        neighbours,
        changed={*tonight.survey.changed, *_waiting(records)} if records else None,
        code=tonight.day.code,
        read=file_reader(tonight.probes) if tonight.day.code else None,
        night=tonight.night,
        limits=limits,
        most=_MORE * limits.nominations,
        in_other_words=in_other_words,
    )


def _not_compared(neighbours: Neighbours) -> Iterator[str]:
    """Tell of what was not compared with everything: what is alike there may have been missed."""
    if neighbours.cut:
        yield f"{TASK}: {neighbours.cut} times so many statements shared their words that not each was compared"
    if neighbours.left_out:
        told = "1 new entry is" if neighbours.left_out == 1 else f"{neighbours.left_out} new entries are"
        yield f"{TASK}: {told} longer than {MOST_WORDS} distinct words and compared with none"


def _neighbours(tonight: Tonight, tree: Tree) -> Neighbours:
    if tonight.home is not None:
        return neighbours_of(tonight.home, tree, tonight.notes)
    with TemporaryDirectory() as folder:
        return neighbours_of(Path(folder), tree, tonight.notes)


def _waiting(records: Sequence[NightRecord]) -> Iterator[str]:
    """Return the notes of what the last night that tidied left for another one."""
    last = next((record.tasks[TASK] for record in reversed(records) if record.landed(TASK)), None)
    return notes_waiting(left.input for left in last.left_out) if last else iter(())


def _shown(line: str, origin: Origin) -> str:
    return shown_or_withheld(line, origin=origin)
