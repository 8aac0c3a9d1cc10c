"""What a night learns from pull requests: found once for all tasks of a run, and written by one of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from datetime import date
from functools import partial

from config.limits import Limits
from config.organisation import Organisation
from dream.cached import cached_property
from dream.guards.screen import screen_line
from dream.memory.notes import Note, NoteCache
from dream.memory.outcomes import Plan
from dream.memory.sources import Origin
from dream.memory.state import State
from dream.memory.tree import Tree
from dream.memory.windows import Window
from dream.models.port import Model
from dream.night.isolating import propose_isolated
from dream.night.survey import Survey
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.values import Classification, PullRequest
from flows.day import Day
from flows.gating import Court, shown_to_models
from flows.pull_requests import agents_of
from tasks import observations, pr_outcomes
from tasks.daily_threads import Retold
from tasks.lessons import candidates as pr_candidates
from tasks.lessons import lessons as pr_lessons
from tasks.lessons.candidates import (
    Candidate,
    is_taught_in,
    key_of_matter,
    lessons_id,
    lessons_of_nights,
    read_candidates,
)
from tasks.lessons.finding import Asking, Finder, Waits
from tasks.lessons.lessons import Past
from tasks.lessons.limits import LessonLimits
from tasks.lessons.noting import told_of
from tasks.lessons.teachers import Teachers
from tasks.pr_outcomes import conventions_path, parse_tally
from tasks.state_update import done_inputs

Find = Callable[[PullRequest], tuple[Candidate, ...] | Waits]


class Outcomes:
    """What the pull requests of a run's day teach beside what earlier nights have found; nothing is read before asked.

    Whichever task asks first, each pull request is looked at once, and no model is asked twice.
    """

    def __init__(self, survey: Survey, day: Day, *, notes: NoteCache, organisation: Organisation) -> None:
        """Look at the pull requests of `day`, and at what `survey` says of earlier nights."""
        self._survey = survey
        self._day = day
        self._notes = notes
        self._organisation = organisation

    def classify(self, pull_request: PullRequest) -> Classification:
        """Return what became of a pull request, by the organisation's own agents."""
        return classify(pull_request, agents_of(self._organisation))

    def find(self, court: Court | None = None, dreamer: Model | None = None) -> Find:
        """Return who says what a pull request teaches: code, and where there are any `dreamer` and `court` as well."""
        asking = None
        if court is not None and dreamer is not None:
            known = court
            asking = Asking(
                dreamer=dreamer,
                gates=lambda subject, is_said: known.gates(subject, people_only=is_said),
                unfit=lambda: known.unfit,
            )
        return lambda pull_request: self._finder.find(pull_request, asking=asking)

    def telling(self, find: Find) -> Callable[[PullRequest], Retold | None]:
        """Return what the day's note tells of a pull request; no model is asked about one that earlier nights ended."""
        done, by_code = done_inputs(self._survey.records, pr_candidates.TASK), self.find()
        pending = self._survey.state.pending
        aside = {one.input for one in pending if one.task == pr_candidates.TASK and one.set_aside}

        def found(pull_request: PullRequest) -> tuple[Candidate, ...] | Waits:
            name = lessons_id(pull_request)
            is_over = name in aside or done.get(name) == pull_request.digest
            return by_code(pull_request) if is_over else find(pull_request)

        return partial(told_of, find=found, is_repeated=self._finder.is_repeated)

    def propose(self, tree: Tree, *, window: Window, night: date, find: Find, aside: Collection[str]) -> Plan:
        """Return the counts of what ended in `window`, what is written of what it teaches, and what waits to repeat.

        The two are inputs of their own: what cannot be learned from tonight is counted all the same, and only once.
        """
        done = done_inputs(self._survey.records, pr_candidates.TASK)
        counted = propose_isolated(
            [one for one in self._day.pull_requests if one.source not in aside],
            lambda pull_requests: pr_outcomes.propose(
                tree=tree,
                notes=self._notes,
                pull_requests=pull_requests,
                classify=self.classify,
                window_start=window.start,
                window_end=window.end,
                timezone=self._organisation.zone,
                done=done,
            ),
            name=lambda pull_request: pull_request.source,
        )
        taught = propose_isolated(
            self._day.pull_requests,
            lambda pull_requests: pr_lessons.propose(
                tree=tree,
                notes=self._notes,
                pull_requests=pull_requests,
                classify=self.classify,
                find=find,
                past=Past(
                    tentative=read_candidates(self._survey.state.tentative),
                    written=self._written,
                    undone=self._undone,
                    done=done,
                    aside=aside,
                ),
                window=window,
                night=night,
                limits=self._finder.limits,
            ),
            name=lessons_id,
        )
        return Plan(
            items=(*counted.items, *taught.items),
            findings=(*counted.findings, *taught.findings, *self._finder.findings(), *self._ended_before(window)),
            observed=taught.observed,
        )

    def _ended_before(self, window: Window) -> Iterator[str]:
        """Yield, on a first night, how many ended before its window: nobody counts them, then or later."""
        settled = [one.settled_at for one in self._day.pull_requests if one.settled_at]
        early = sum(at < window.start for at in settled)
        if early and pr_candidates.TASK not in self._survey.state.covered:
            day = window.start.astimezone(self._organisation.zone).date().isoformat()
            among = f"{early} of {len(settled)} pull requests of agents"
            yield f"{among} ended before {day}, where the first night begins, and are not counted"

    @cached_property
    def _finder(self) -> Finder:
        standing: dict[str, list[Candidate]] = {}
        for one in (*read_candidates(self._survey.state.tentative), *self._lessons()):
            standing.setdefault(one.repository, []).append(one)
        return Finder(
            classify=self.classify,
            teachers=Teachers.of(self._day.pull_requests, agents=agents_of(self._organisation)),
            timezone=self._organisation.zone,
            screen=shown_to_models,
            passes=lambda text: screen_line(text, Origin.EXTERNAL) is None,
            standing=standing,
            limits=_limits(self._organisation.limits),
        )

    @cached_property
    def _undone(self) -> frozenset[str]:
        stones = [one for one in self._survey.tombstones if one.task == pr_candidates.TASK]
        return pr_lessons.own_lines(key for one in stones for key in one.keys)

    @cached_property
    def _written(self) -> frozenset[str]:
        return pr_lessons.own_lines(lessons_of_nights(self._survey.records))

    def _lessons(self) -> Iterator[Candidate]:
        """Yield the lessons that nights wrote and that still stand as they did, so that they can be repeated."""
        tree = self._survey.tree
        for repository in sorted({one.repository for one in self._day.pull_requests}):
            path = conventions_path(tree, repository)
            if tree.blob(path) is None or path in tree.oddities():
                continue
            note = self._notes.note(tree, path)
            for entry in note.entries if isinstance(note, Note) else ():
                is_lesson = entry.key in self._written and not parse_tally(entry.key)
                if is_lesson and entry.date and entry.sources and is_taught_in(repository, entry.sources):
                    statement = entry.key.removesuffix(".")
                    yield Candidate(
                        kind="stated",
                        key=key_of_matter(repository, statement.casefold()),
                        statement=statement,
                        repository=repository,
                        pull_request=entry.sources[0].rpartition("@")[2],
                        sources=entry.sources,
                        day=entry.date,
                    )


def observed_before(state: State) -> Mapping[str, Collection[str]]:
    """Return which sources of earlier nights a task may cite: learnings and lessons rest on several nights."""
    return {
        observations.TASK: observations.observed_sources(state.observations),
        pr_candidates.TASK: pr_candidates.candidate_sources(state.tentative),
    }


def _limits(limits: Limits) -> LessonLimits:
    configured = {field.name for field in fields(LessonLimits)} & {*type(limits.lessons).model_fields}
    return LessonLimits(**{name: getattr(limits.lessons, name) for name in configured})
