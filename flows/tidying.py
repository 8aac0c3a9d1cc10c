"""Tidying, bound to one night: what changed, what was turned down lately, and what earlier nights left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from dream.memory.neighbours.alike import Neighbours
from dream.memory.outcomes import Plan
from dream.memory.records import NightRecord
from dream.memory.tree import Tree
from dream.models.port import Role
from flows.code_files import file_reader
from flows.neighbourhood import neighbours_of
from flows.rulings import Known, rule_on
from flows.tonight import Tonight
from tasks import tidy
from tasks.state_update import declined_inputs
from tasks.tidy import TASK
from tasks.tidying.choosing import notes_waiting
from tasks.tidying.freshness import Freshness


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
    plan, _ = rule_on(
        tree,
        tonight.notes,
        _neighbours(tonight, tree),
        lambda asked, judging: propose(nominations=asked, judging=judging),
        models=tonight.models,
        limits=tonight.limits,
        night=tonight.night,
        known=Known(
            changed={*survey.changed, *_waiting(survey.records)} if survey.records else None,
            code=tonight.day.code,
            read=file_reader(tonight.probes) if tonight.day.code else None,
            declined=declined,
            aside=tonight.aside(TASK),
            fresh=fresh,
        ),
    )
    return plan


def _neighbours(tonight: Tonight, tree: Tree) -> Neighbours:
    if tonight.home is not None:
        return neighbours_of(tonight.home, tree, tonight.notes)
    with TemporaryDirectory() as folder:
        return neighbours_of(Path(folder), tree, tonight.notes)


def _waiting(records: Sequence[NightRecord]) -> Iterator[str]:
    """Return the notes of what the last night that tidied left for another one."""
    last = next((record.tasks[TASK] for record in reversed(records) if record.landed(TASK)), None)
    return notes_waiting(left.input for left in last.left_out) if last else iter(())
