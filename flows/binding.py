"""The ordered tasks of one night, each bound to what it is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import TypeVar
from zoneinfo import ZoneInfo

from config.limits import Limits
from dream.guards.screen import shown_or_withheld
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
from flows.dreaming import NightModels
from tasks import daily_note, pr_outcomes, production_verification, tidy
from tasks.order import TASKS
from tasks.state_update import declined_inputs, done_inputs
from tasks.verification_choice import choose

Input = TypeVar("Input", Session, PullRequest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """What binds a night's tasks: the head they look at, the day they are tonight of, the models, and the limits."""

    night: date
    survey: Survey
    day: Day
    windows: Mapping[str, Window]
    timezone: ZoneInfo
    notes: NoteCache
    limits: Limits
    models: NightModels

    def waiting(self, task: str, inputs: Sequence[Input]) -> Sequence[Input]:
        """Return `inputs` without those that `task` has set aside after too many failed nights."""
        aside = {one.input for one in self.survey.state.pending if one.task == task and one.set_aside}
        return [one for one in inputs if one.source not in aside]


def ordered_steps(tonight: Tonight, names: Collection[str]) -> tuple[Step, ...]:
    """Return the steps called `names`, in the order of a night."""
    propose = {
        "daily_note": _daily_note,
        "pr_outcomes": _pr_outcomes,
        "production_verification": _verification,
        "tidy": _tidy,
    }
    return tuple(
        Step(name=name, propose=partial(propose[name], tonight)) for name in TASKS if name in names and name in propose
    )


def _daily_note(tonight: Tonight, tree: Tree) -> Plan:
    window = tonight.windows["daily_note"]
    return propose_isolated(
        tonight.waiting("daily_note", tonight.day.sessions),
        lambda sessions: daily_note.propose(
            tree=tree,
            notes=tonight.notes,
            sessions=sessions,
            summaries=tonight.day.summaries,
            pull_requests=tonight.day.pull_requests,
            classify=partial(classify, agents=KNOWN_AGENTS),
            days=window.days,
            timezone=tonight.timezone,
            done=done_inputs(tonight.survey.records, "daily_note"),
            screen=partial(shown_or_withheld, origin=Origin.EXTERNAL),  # anybody may have typed it
            most=tonight.limits.daily_note.lines,
        ),
        name=lambda session: session.source,
    )


def _pr_outcomes(tonight: Tonight, tree: Tree) -> Plan:
    window = tonight.windows["pr_outcomes"]
    return propose_isolated(
        tonight.waiting("pr_outcomes", tonight.day.pull_requests),
        lambda pull_requests: pr_outcomes.propose(
            tree=tree,
            notes=tonight.notes,
            pull_requests=pull_requests,
            classify=partial(classify, agents=KNOWN_AGENTS),
            window_start=window.start,
            window_end=window.end,
            timezone=tonight.timezone,
            done=done_inputs(tonight.survey.records, "pr_outcomes"),
        ),
        name=lambda pull_request: pull_request.source,
    )


def _verification(tonight: Tonight, tree: Tree) -> Plan:
    limits = tonight.limits.verification
    checked = {path: day for path, day in tonight.survey.state.checked.items() if path not in tonight.survey.forgotten}
    chosen = choose(
        topic_notes=[path for path in tree.paths() if is_topic(path)],
        changed=tonight.survey.changed,
        checked=checked,
        today=tonight.night,
        limit=limits.notes,
        reserved=limits.reserved,
    )
    return production_verification.propose(
        tree=tree,
        notes=tonight.notes,
        chosen=chosen,
        code=tonight.day.code,
        today=tonight.night,
        renames=tonight.survey.renames,
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
