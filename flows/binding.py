"""The ordered tasks of one night, each bound to what it is told."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from config.limits import Limits, Summaries
from dream.guards.screen import shown_or_withheld
from dream.guards.undone import UndoneGuard
from dream.memory.allowance import VERIFICATION
from dream.memory.notes import NoteCache
from dream.memory.operations import Operation, Proposal, touched_by
from dream.memory.outcomes import Plan
from dream.memory.paths import is_topic
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.models.port import Role
from dream.night.isolating import propose_isolated
from dream.night.steps import Step
from dream.night.survey import Survey
from dream.sources.production.port import Probe
from dream.sources.production.recording import Recorder
from dream.sources.pull_requests.values import PullRequest
from dream.sources.sessions.values import Session
from flows.day import Day
from flows.dreaming import NightModels
from flows.gating import Court, shown_to_models
from flows.pull_request_lessons import Find, Outcomes
from flows.taught import learnings_limits
from tasks import daily_note, distil, learnings, production_verification, tidy
from tasks.conversation import ExcerptLimits
from tasks.daily_told import Teller, lines_of_nights, standing_lines
from tasks.declined import turned_down
from tasks.distil import DistilLimits
from tasks.manifest import ManifestLimits
from tasks.order import TASKS
from tasks.state_update import declined_inputs, done_inputs, overdue
from tasks.subjects import Subject, subject_of, subjects_of
from tasks.teaching import Past
from tasks.two_part import Summariser, SummaryLimits
from tasks.verification.choice import choose
from tasks.verification.inquiries import VerificationLimits
from tasks.verification.note_checks import Probing

Input = TypeVar("Input", Session, PullRequest, Subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """What binds a night's tasks: the head they look at, the day they are tonight of, the models, and the limits.

    `summaries` are of tonight's sessions and `outcomes` of its pull requests, made once for whichever task asks first;
    `recorder` asks the `probes`.
    """

    night: date
    survey: Survey
    day: Day
    windows: Mapping[str, Window]
    timezone: ZoneInfo
    notes: NoteCache
    limits: Limits
    models: NightModels
    summaries: Summariser
    outcomes: Outcomes
    recorder: Recorder | None = None
    probes: Sequence[Probe] = ()
    people: Collection[str] = ()
    words: Callable[[str], str | None] = lambda _: None

    def waiting(self, task: str, inputs: Sequence[Input]) -> Sequence[Input]:
        """Return `inputs` without those that `task` has set aside after too many failed nights."""
        aside = self.aside(task)
        return [one for one in inputs if one.source not in aside]

    def aside(self, task: str) -> frozenset[str]:
        """Return the inputs that `task` has set aside."""
        return frozenset(one.input for one in self.survey.state.pending if one.task == task and one.set_aside)


def summariser(configured: Summaries) -> Summariser:
    """Return who makes a night's summaries."""
    return Summariser(
        screen=shown_to_models,
        limits=SummaryLimits(
            excerpt=ExcerptLimits(excerpt=configured.excerpt_characters),
            excerpts=configured.excerpts,
            lasting=configured.lasting,
            stale=configured.stale,
        ),
    )


def ordered_steps(tonight: Tonight, names: Collection[str]) -> tuple[Step, ...]:
    """Return the steps called `names`, in the order of a night."""
    propose = {
        "daily_note": _daily_note,
        "distil": _distil,
        "pr_outcomes": _pr_outcomes,
        "learnings": _learnings,
        "production_verification": _verification,
        "tidy": _tidy,
    }
    return tuple(
        Step(name=name, propose=partial(propose[name], tonight)) for name in TASKS if name in names and name in propose
    )


def _court(tonight: Tonight, task: str) -> Court:
    model = tonight.models.judge(task)
    rejected = turned_down(tonight.survey.state)
    return Court(
        model=model,
        night=tonight.night,
        rejected=rejected,
        examined=tonight.models.examined,
        limits=tonight.limits.gates,
    )


def _teller(tonight: Tonight, tree: Tree, days: Sequence[date]) -> Teller | None:
    """Who words the notes of `days`, beside what `tree` has there; None where nobody is configured to."""
    if not tonight.models.has(Role.DREAMER):
        return None
    court = _court(tonight, "daily_note")
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
    return tonight.outcomes.find(_court(tonight, task), tonight.models.dreamer(task))


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
    court = _court(tonight, "distil")
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
                manifest=ManifestLimits(notes=limits.notes, opened=limits.opened, entries=limits.entries),
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
    court = _court(tonight, "learnings")
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


def _verification(tonight: Tonight, tree: Tree) -> Plan:
    limits, state = tonight.limits.verification, tonight.survey.state
    aside = tonight.aside(VERIFICATION)
    chosen = choose(
        topic_notes=[path for path in tree.paths() if is_topic(path) and path not in aside],
        changed=tonight.survey.changed,
        checked={path: day for path, day in state.checked.items() if path not in tonight.survey.forgotten},
        waiting={path: one.night for path, one in state.waiting.items()},
        today=tonight.night,
        limit=limits.notes,
        reserved=limits.reserved,
    )
    propose = partial(
        production_verification.propose,
        tree=tree,
        notes=tonight.notes,
        code=tonight.day.code,
        today=tonight.night,
        renames=tonight.survey.renames,
        probing=_probing(tonight, tree),
        overdue=overdue(state, night=tonight.night, down_nights=limits.down_nights),
    )
    return propose_isolated(chosen, lambda paths: propose(chosen=paths), name=str)


def _probing(tonight: Tonight, tree: Tree) -> Probing | None:
    """What entries are checked with: the probes and, where a model is configured, who plans, says and judges."""
    if tonight.recorder is None:
        return None
    limits = tonight.limits.verification
    tells_undone = UndoneGuard(tonight.survey.tombstones, alike=tonight.limits.undone.alike)

    def is_undone(operation: Operation) -> bool:
        proposal = Proposal(
            task=VERIFICATION, operation=operation, before=tree, after=tree, touched=touched_by(operation)
        )
        return tells_undone(proposal) is not None

    probing = Probing(
        recorder=tonight.recorder,
        probes=tonight.probes,
        limits=VerificationLimits(
            calls_per_note=limits.calls_per_note,
            calls_per_entry=limits.calls_per_entry,
            entries=limits.entries,
            lines=limits.lines,
        ),
        undone=is_undone,
    )
    if not tonight.models.has(Role.DREAMER):
        return probing
    court = _court(tonight, VERIFICATION)
    return replace(
        probing, dreamer=tonight.models.dreamer(VERIFICATION), rules_on=court.judge.rules_on, unfit=lambda: court.unfit
    )


def _tidy(tonight: Tonight, tree: Tree) -> Plan:
    since = tonight.night - timedelta(days=tonight.limits.duplicates.declined_nights)
    return tidy.propose(
        tree=tree,
        notes=tonight.notes,
        renames=tonight.survey.renames,
        written_today=tonight.survey.changed,
        declined=declined_inputs(tonight.survey.records, "tidy", since=since),
    )
