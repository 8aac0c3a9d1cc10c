"""What binds the tasks of one night: what they are told, and who answers and judges for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar
from zoneinfo import ZoneInfo

from config.limits import Limits, Summaries
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.night.survey import Survey
from dream.sources.production.port import Probe
from dream.sources.production.recording import Recorder
from dream.sources.pull_requests.values import PullRequest
from dream.sources.sessions.values import Session
from flows.day import Day
from flows.dreaming import NightModels
from flows.gating import Court, shown_to_models
from flows.pull_request_lessons import Outcomes
from tasks.conversation import ExcerptLimits
from tasks.declined import turned_down
from tasks.subjects import Subject
from tasks.two_part import Summariser, SummaryLimits

Input = TypeVar("Input", Session, PullRequest, Subject)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tonight:
    """What binds a night's tasks: the head they look at, the day they are tonight of, the models, and the limits.

    `summaries` are of tonight's sessions and `outcomes` of its pull requests, made once for whichever task asks first;
    `recorder` asks the `probes`. `home` is the organisation's own folder, where what can be made again is kept. `seen`
    returns the tree that a task left when it last landed.
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
    home: Path | None = None
    seen: Callable[[str], Tree | None] = lambda _: None

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


def court_of(tonight: Tonight, task: str) -> Court:
    """Return who rules on what `task` would write tonight."""
    model = tonight.models.judge(task)
    rejected = turned_down(tonight.survey.state)
    return Court(
        model=model,
        night=tonight.night,
        rejected=rejected,
        examined=tonight.models.examined,
        limits=tonight.limits.gates,
    )
