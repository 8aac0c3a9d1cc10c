"""The ordered tasks of one night, each bound to what it is told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from dream.guards.screen import shown_or_withheld
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.models.port import Role
from dream.night.isolating import propose_isolated
from dream.night.steps import Step
from dream.sources.sessions.values import Session
from flows.gating import shown_to_models
from flows.pull_request_lessons import Find
from flows.taught import learnings_limits
from flows.tidying import tidy_memory
from flows.tonight import Tonight, court_of
from flows.verifying import verify
from tasks import daily_note, distil, learnings
from tasks.daily_told import Teller, lines_of_nights, standing_lines
from tasks.distil import DistilLimits
from tasks.order import TASKS
from tasks.shelf import ShelfLimits
from tasks.state_update import done_inputs
from tasks.subjects import subject_of, subjects_of
from tasks.teaching import Past


def ordered_steps(tonight: Tonight, names: Collection[str]) -> tuple[Step, ...]:
    """Return the steps called `names`, in the order of a night."""
    propose = {
        "daily_note": _daily_note,
        "distil": _distil,
        "pr_outcomes": _pr_outcomes,
        "learnings": _learnings,
        "production_verification": verify,
        "tidy": tidy_memory,
    }
    return tuple(
        Step(name=name, propose=partial(propose[name], tonight)) for name in TASKS if name in names and name in propose
    )


def _teller(tonight: Tonight, tree: Tree, days: Sequence[date]) -> Teller | None:
    """Who words the notes of `days`, beside what `tree` has there; None where nobody is configured to."""
    if not tonight.models.has(Role.DREAMER):
        return None
    court = court_of(tonight, "daily_note")
    return Teller(
        summarise=partial(tonight.summaries.summarise, model=tonight.models.summariser("daily_note")),
        subject=lambda thread: subject_of(thread.session, timezone=tonight.timezone),
        gates=court.gates,
        unfit=lambda: court.unfit,
        said=standing_lines(tree, tonight.notes, days),
    )


def _lessons(tonight: Tonight, task: str) -> Find:
    """Who says for `task` what a pull request teaches; by code alone where no model is configured."""
    if not tonight.models.has(Role.DREAMER):
        return tonight.outcomes.find()
    return tonight.outcomes.find(court_of(tonight, task), tonight.models.dreamer(task))


def _daily_note(tonight: Tonight, tree: Tree) -> Plan:
    return propose_isolated(
        tonight.waiting("daily_note", tonight.day.sessions),
        lambda sessions: _told(tonight, tree, sessions),
        name=lambda session: session.source,
    )


def _told(tonight: Tonight, tree: Tree, sessions: Sequence[Session]) -> Plan:
    days = tonight.windows["daily_note"].days
    teller = _teller(tonight, tree, days)
    plan = daily_note.propose(
        tree=tree,
        notes=tonight.notes,
        sessions=sessions,
        summaries=tonight.day.summaries,
        pull_requests=tonight.day.pull_requests,
        classify=tonight.outcomes.classify,
        days=days,
        timezone=tonight.timezone,
        done=done_inputs(tonight.survey.records, "daily_note"),
        screen=partial(shown_or_withheld, origin=Origin.EXTERNAL),  # anybody may have typed it
        most=tonight.limits.daily_note.lines,
        tell=teller,
        taught=tonight.outcomes.telling(_lessons(tonight, "daily_note")),
        written=lines_of_nights(tonight.survey.records),
    )
    return replace(plan, findings=(*plan.findings, *teller.findings())) if teller else plan


def _distil(tonight: Tonight, tree: Tree) -> Plan:
    if not tonight.models.has(Role.DREAMER):
        return Plan(skipped="no model is configured")
    court = court_of(tonight, "distil")
    start, limits = tonight.windows["distil"].start, tonight.limits.distil
    subjects = subjects_of(
        [session for session in tonight.day.sessions if session.ended >= start],
        [summary for summary in tonight.day.summaries if summary.ended >= start],
        timezone=tonight.timezone,
    )
    return propose_isolated(
        tonight.waiting("distil", subjects),
        lambda waiting: distil.propose(
            tree=tree,
            notes=tonight.notes,
            subjects=waiting,
            done=done_inputs(tonight.survey.records, "distil"),
            summarise=partial(tonight.summaries.summarise, model=tonight.models.summariser("distil")),
            dreamer=tonight.models.dreamer("distil"),
            gates=court.gates,
            unfit=lambda: court.unfit,
            screen=shown_to_models,
            limits=DistilLimits(
                shelf=ShelfLimits(notes=limits.notes, opened=limits.opened, entries=limits.entries),
                statements=limits.statements,
            ),
        ),
        name=lambda subject: subject.source,
    )


def _pr_outcomes(tonight: Tonight, tree: Tree) -> Plan:
    return tonight.outcomes.propose(
        tree,
        window=tonight.windows["pr_outcomes"],
        night=tonight.night,
        find=_lessons(tonight, "pr_outcomes"),
        aside=tonight.aside("pr_outcomes"),
    )


def _learnings(tonight: Tonight, tree: Tree) -> Plan:
    if not tonight.models.has(Role.DREAMER):
        return Plan(skipped="no model is configured")
    if not tonight.models.has_own_reviewer:
        return Plan(skipped=learnings.NO_REVIEWER)
    court = court_of(tonight, "learnings")
    window, state = tonight.windows["learnings"], tonight.survey.state
    past = Past(
        observations=state.observations,
        own=state.learnings,
        done=done_inputs(tonight.survey.records, "learnings"),
        records=tonight.survey.records,
        tombstones=tonight.survey.tombstones,
        rejected=court.rejected,
        words=tonight.words,
    )
    return propose_isolated(
        tonight.waiting("learnings", [one for one in tonight.day.sessions if one.ended >= window.start]),
        lambda sessions: learnings.propose(
            tree=tree,
            sessions=sessions,
            past=past,
            night=tonight.night,
            since=window.end - timedelta(days=tonight.limits.learnings.look_back_days),
            timezone=tonight.timezone,
            dreamer=tonight.models.dreamer("learnings"),
            reviewer=tonight.models.reviewer("learnings"),
            gates=partial(court.gates, people_only=True),
            unfit=lambda: court.unfit,
            screen=shown_to_models,
            people=tonight.people,
            limits=learnings_limits(tonight.limits),
        ),
        name=lambda session: session.source,
    )
