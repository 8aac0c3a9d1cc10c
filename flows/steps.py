"""The ordered tasks of one night, each bound to what it is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from config.limits import Limits
from dream.guards.screen import screen_line, withheld_marker
from dream.memory.notes import NoteCache
from dream.memory.outcomes import Plan
from dream.memory.paths import is_topic
from dream.memory.sources import Origin
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.night.isolating import propose_isolated
from dream.night.steps import Step
from dream.night.survey import Survey
from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.values import PullRequest
from dream.sources.sessions.values import Session
from flows.day import Day
from tasks import daily_note, pr_outcomes, production_verification, tidy
from tasks.state_update import declined_inputs, done_inputs
from tasks.verification_choice import choose

TASKS = ("daily_note", "pr_outcomes", "production_verification", "tidy", "index_rewrite", "state_update")
"""The tasks of a night, in order."""

AFRESH = ("index_rewrite", "state_update")
"""Those that every landing makes afresh."""

Input = TypeVar("Input", Session, PullRequest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What binds a night's tasks: the head they look at, the day they are told of, and the limits."""

    night: date
    survey: Survey
    day: Day
    windows: Mapping[str, Window]
    timezone: ZoneInfo
    notes: NoteCache
    limits: Limits

    def waiting(self, task: str, inputs: Sequence[Input]) -> Sequence[Input]:
        """Return `inputs` without those that `task` has set aside after too many failed nights."""
        aside = {one.input for one in self.survey.state.pending if one.task == task and one.set_aside}
        return [one for one in inputs if one.source not in aside]


def ordered_steps(told: Told, names: Collection[str]) -> tuple[Step, ...]:
    """Return the steps called `names`, in the order of a night."""
    propose = {
        "daily_note": _daily_note,
        "pr_outcomes": _pr_outcomes,
        "production_verification": _verification,
        "tidy": _tidy,
    }
    return tuple(
        Step(name=name, propose=partial(propose[name], told)) for name in TASKS if name in names and name in propose
    )


def shown_or_withheld(text: str) -> str:
    """Return `text` if it passes the screen of what anybody may have typed, else what says how much was withheld."""
    withheld = screen_line(text, Origin.EXTERNAL)
    return text if withheld is None else withheld_marker(text.encode(), withheld.reason)


def _daily_note(told: Told, tree: Tree) -> Plan:
    window = told.windows["daily_note"]
    return propose_isolated(
        told.waiting("daily_note", told.day.sessions),
        lambda sessions: daily_note.propose(
            tree=tree,
            notes=told.notes,
            sessions=sessions,
            summaries=told.day.summaries,
            pull_requests=told.day.pull_requests,
            classify=partial(classify, agents=KNOWN_AGENTS),
            days=window.days,
            timezone=told.timezone,
            done=done_inputs(told.survey.records, "daily_note"),
            screen=shown_or_withheld,
            most=told.limits.daily_note.lines,
        ),
        name=lambda session: session.source,
    )


def _pr_outcomes(told: Told, tree: Tree) -> Plan:
    window = told.windows["pr_outcomes"]
    return propose_isolated(
        told.waiting("pr_outcomes", told.day.pull_requests),
        lambda pull_requests: pr_outcomes.propose(
            tree=tree,
            notes=told.notes,
            pull_requests=pull_requests,
            classify=partial(classify, agents=KNOWN_AGENTS),
            window_start=window.start,
            window_end=window.end,
            timezone=told.timezone,
            done=done_inputs(told.survey.records, "pr_outcomes"),
        ),
        name=lambda pull_request: pull_request.source,
    )


def _verification(told: Told, tree: Tree) -> Plan:
    limits = told.limits.verification
    checked = {path: day for path, day in told.survey.state.checked.items() if path not in told.survey.forgotten}
    chosen = choose(
        topic_notes=[path for path in tree.paths() if is_topic(path)],
        changed=told.survey.changed,
        checked=checked,
        today=told.night,
        limit=limits.notes,
        reserved=limits.reserved,
    )
    return production_verification.propose(
        tree=tree,
        notes=told.notes,
        chosen=chosen,
        code=told.day.code,
        today=told.night,
        renames=told.survey.renames,
    )


def _tidy(told: Told, tree: Tree) -> Plan:
    since = told.night - timedelta(days=told.limits.duplicates.declined_nights)
    return tidy.propose(
        tree=tree,
        notes=told.notes,
        renames=told.survey.renames,
        written_today=told.survey.changed,
        declined=declined_inputs(told.survey.records, "tidy", since=since),
    )
