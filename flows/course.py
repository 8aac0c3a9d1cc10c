"""The course of one night between its opening and its end: tasks planned, index and state made, landed, remembered."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import structlog

from dream.memory.notes import NoteCache
from dream.memory.outcomes import Failed, Skipped
from dream.memory.tree import Tree
from dream.night.branch import Signing
from dream.night.identity import run_id
from dream.night.landing import Superseded, land_prepared, superseded
from dream.night.planning import plan_task
from dream.night.planting import Nursery, Planted, plant_night
from dream.night.result import NightResult
from dream.night.seen import seen_tree
from dream.night.steps import Afresh, PlannedTask, Rewritten, Step
from dream.night.survey import Survey, survey_head
from dream.night.watch import NightWatch, WatchLimits
from dream.report.shadow import LANDED_NOWHERE, shadow_way_out
from dream.repository.history import has_commit
from dream.repository.landing import DryLanding, PushLanding
from dream.repository.mirror import Mirror
from flows.accounting import account_for_models
from flows.bookkeeping import Books
from flows.braking import Brakes
from flows.clock import Clock
from flows.day import Day
from flows.dreaming import NightModels
from flows.opening import Opened, Request, fetch_head, without_redone
from flows.production import AskedProduction, keep_recordings
from flows.pull_request_lessons import Outcomes, observed_before
from flows.remembering import open_history, remember_day
from flows.taught import RememberedWords
from flows.tonight import Tonight, summariser
from flows.workplace import Workplace
from prompts.versions import prompt_versions
from tasks.order import TASKS

log = structlog.get_logger()

StepMaker = Callable[[Tonight, Sequence[str]], Sequence[Step]]


class NightCourse:
    """A night between its opening and its end: what is planned so far, and the tree that this leaves."""

    def __init__(
        self,
        workplace: Workplace,
        mirror: Mirror,
        opened: Opened,
        *,
        request: Request,
        brakes: Brakes,
        day: Day,
        steps: StepMaker,
        models: NightModels,
        production: AskedProduction,
    ) -> None:
        """Begin with what the night was opened with, what its day told, who stops it, and who answers and is asked."""
        self._brakes = brakes
        self._paused: NightResult | None = None
        self._production = production
        self._steps = steps
        self._models = models
        self._summaries = summariser(workplace.organisation.limits.summaries)
        self._workplace = workplace
        self._mirror = mirror
        self._repository = mirror.repository
        self._request = request
        self._opened = opened
        self._day = day
        self._notes = NoteCache(max_bytes=workplace.organisation.limits.notes.most_bytes)
        self._limits = workplace.organisation.limits
        self._outcomes = Outcomes(opened.survey, day, notes=self._notes, organisation=workplace.organisation)
        self._tree: Tree = opened.survey.tree
        self._planned: list[PlannedTask] = []
        self._planted: dict[str, Planted] = {}
        self._watch = self._watch_over(opened.survey)
        self._books = Books(workplace, mirror, opened, day, self._notes)
        self._words = RememberedWords(open_history(workplace))

    def plan(self, name: str) -> PlannedTask:
        """Plan one task on the tree that those before it left, unless it is paused."""
        why = self._brakes.of_tasks(self._opened.survey.records, self._opened.survey.tombstones).get(name)
        if why:
            self._planned.append(PlannedTask(name=name, outcome=Skipped(why)))
            return self._planned[-1]
        tonight = Tonight(
            night=self._opened.night,
            survey=self._opened.survey,
            day=self._day,
            windows=self._opened.windows,
            timezone=self._workplace.organisation.zone,
            notes=self._notes,
            limits=self._limits,
            models=self._models,
            people=self._workplace.organisation.people,
            words=self._words,
            summaries=self._summaries,
            recorder=self._production.recorder,
            probes=self._production.probes,
            home=self._workplace.home,
            seen=self._seen,
            outcomes=self._outcomes,
        )
        (step,) = self._steps(tonight, [name])
        planned, self._tree = plan_task(step, tree=self._tree, guards=self._watch.guards(name))
        planned = account_for_models(
            planned,
            self._models.ledger.rows(name),
            prices=self._models.prices,
            stopped_by=self._models.stopped_by,
        )
        if not isinstance(planned.outcome, Failed):
            self._watch.keep()
        self._planned.append(planned)
        return planned

    def rewrite_index(self) -> Rewritten:
        """Return what the index comes to on the planned tree; every planting makes it afresh."""
        return self._books.rewrite_index(self._opened.survey, self._tree)

    def plant_on_base(self) -> Planted:
        """Build the night's commits on its base and keep them under the night's own reference."""
        return self._plant(self._opened.survey)

    def land(self, clock: Clock) -> NightResult:
        """Publish the night unless it is paused; in a dry run or in shadow return only what it would be."""
        outcome = land_prepared(
            head=self._survey_again,
            plant=self._plant,
            stop=self._stop,
            landing=DryLanding(self._mirror) if self._lands_nowhere else PushLanding(self._mirror),
            patience=clock.patience(self._limits.landing.seconds),
        )
        if isinstance(outcome, Superseded):
            return self._paused or NightResult(
                organisation=self._workplace.name,
                night=self._opened.night,
                status="superseded",
                reason=outcome.reason,
            )
        result = NightResult(
            organisation=self._workplace.name,
            night=self._opened.night,
            status=self._status,
            reason=LANDED_NOWHERE if self._status == "shadow" else "",
            way_out=shadow_way_out(self._workplace.name, self._opened.night) if self._status == "shadow" else "",
            tip=outcome.planted.tip,
            tries=outcome.tries,
            record=outcome.planted.record,
            ran=tuple(name for name in self._opened.names if name in outcome.planted.record.tasks),
            findings=(*self._books.findings(outcome.planted), *self._models.findings()),
        )
        log.info("night.rehearsed" if self._lands_nowhere else "night.landed", tip=result.tip, tries=result.tries)
        return replace(result, exit_code=1 if result.failed else 0)

    def remember(self) -> tuple[str, ...]:
        """Keep the day's sessions in the history, unless this lands nowhere; return what a person should be told."""
        if self._lands_nowhere:
            return ()
        kept = keep_recordings(
            self._workplace,
            self._production.recorder.recordings,
            night=self._opened.night,
            landings=self._opened.landings,
        )
        told = remember_day(
            self._workplace,
            self._day,
            night=self._opened.night,
            memory=lambda: self._mirror.tree(self._mirror.tracked() or None),
            describe=lambda session: self._summaries.description(session.source, session.digest),
        )
        return (*kept, *told)

    @property
    def _status(self) -> Literal["dry-run", "shadow", "landed"]:
        if self._request.dry_run:
            return "dry-run"
        return "shadow" if self._workplace.organisation.shadow else "landed"

    @property
    def _lands_nowhere(self) -> bool:
        return self._status != "landed"

    def _stop(self, survey: Survey) -> str:
        """Return why nothing is to land on `survey`; a task that was paused since it was planned is left out of it."""
        reason = superseded(survey, self._opened.night, landings=self._opened.landings)
        if reason:
            return reason
        self._paused = self._brakes.stopped(self._opened.night)
        if self._paused is not None:
            return self._paused.reason
        left = self._brakes.left_out(self._planned, survey)
        if left != self._planned:
            self._planned = left
            self._planted.clear()
        return ""

    def _seen(self, task: str) -> Tree | None:
        return seen_tree(self._mirror, self._opened.survey.landed, task, keeper=self._workplace.keeper())

    def _survey_again(self) -> Survey:
        head = fetch_head(self._workplace, self._mirror, accept_history=self._request.accept_history)
        if head == self._opened.survey.head and self._mirror.repository is self._repository:
            return self._opened.survey
        survey = survey_head(
            self._mirror,
            head,
            keeper=self._workplace.keeper(),
            today=self._opened.night,
            accept_history=self._request.accept_history,
        )
        return without_redone(survey, self._opened.night, self._request.redo)

    def _plant(self, survey: Survey) -> Planted:
        """Plant on a head, once for each: what was built there is what is pushed."""
        built = self._planted.get(survey.head)
        if built is None or not has_commit(self._mirror.repository, built.tip):
            self._planted[survey.head] = plant_night(self._mirror, survey, self._planned, self._nursery(survey))
        planted = self._planted[survey.head]
        self._mirror.keep_night_tip(self._opened.night, planted.tip)
        return planted

    def _nursery(self, survey: Survey) -> Nursery:
        opened = self._opened
        return Nursery(
            signing=Signing(
                identity=self._workplace.identity,
                organisation=self._workplace.name,
                night=opened.night,
                at=opened.scheduled,
                run=run_id(
                    organisation=self._workplace.name,
                    night=opened.night,
                    base=opened.survey.head,
                    configuration=self._models.configuration,
                    prompts=prompt_versions(),
                    version=importlib.metadata.version("nightly-dreaming"),
                ),
            ),
            night=opened.night,
            scheduled=opened.scheduled,
            base=opened.survey.head,
            windows={
                name: (window.start, window.end) for name, window in opened.windows.items() if name in opened.names
            },
            watch=self._watch_over,
            index=Afresh(name="index_rewrite", write=lambda tree: self._books.rewrite_index(survey, tree)),
            state=self._books.write_state,
            arrived=self._books.arrived,
            tasks=TASKS,
        )

    def _watch_over(self, survey: Survey) -> NightWatch:
        return NightWatch(
            self._mirror,
            survey,
            night=self._opened.night,
            notes=self._notes,
            sources=self._day.sources | self._production.sources,
            observed=observed_before(survey.state),
            limits=WatchLimits(
                loss=self._workplace.loss_limits(),
                note_bytes=self._limits.notes.most_bytes,
                same=self._limits.duplicates.same,
                alike=self._limits.undone.alike,
            ),
        )
