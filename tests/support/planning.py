"""One task of one night, planned on a memory with a vendor on this machine: everything of a night but its git."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from config.limits import Limits
from config.organisation import Organisation
from config.settings import Settings
from dream.memory.notes import NoteCache
from dream.memory.tree import Tree
from dream.memory.windows import night_window, scheduled_instant
from dream.night.planning import plan_task
from dream.night.steps import PlannedTask
from dream.sources.sessions.values import Session
from flows.accounting import account_for_models
from flows.binding import ordered_steps
from flows.clock import Clock
from flows.day import Day
from flows.dreaming import NightModels, build_models
from flows.pull_request_lessons import Outcomes
from flows.tonight import Tonight, summariser
from flows.workplace import Workplace
from tests.support.scripted import watch_over, watched
from tests.support.sensible import configured
from tests.support.stage import MEMORY, NIGHT
from tests.support.vendors import VendorServer

_ZONE = ZoneInfo("UTC")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What a task came to: its account, the memory that it leaves, and the models that it asked."""

    task: PlannedTask
    before: Tree
    after: Tree
    models: NightModels

    @property
    def changes(self) -> dict[str, str]:
        """Every file that is another one now."""
        paths = {*self.before.paths(), *self.after.paths()}
        texts = {
            path: (self.after.read(path) or b"").decode()
            for path in paths
            if self.before.blob(path) != self.after.blob(path)
        }
        return dict(sorted(texts.items()))

    @property
    def ends(self) -> dict[str, str]:
        """What became of each input: `written`, or why not, after `waits:` where it waits."""
        return {
            one.item.id: "written" if one.written else f"waits: {one.reason}" if one.pending else one.reason
            for one in self.task.items
        }


@dataclass(kw_only=True)
class Planner:
    """Plans tasks on one memory; `waits` are the seconds that its clock was asked to sleep."""

    folder: Path
    waits: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._mirror, self._survey, _ = watched(self.folder, MEMORY)

    def plan(
        self,
        task: str,
        sessions: Sequence[Session],
        *,
        server: VendorServer,
        wire: str,
        home: Path,
        night: date = NIGHT,
    ) -> Planned:
        """Return what `task` makes of `sessions`; `home` keeps answers and what is spent, as a night's does."""
        document = {
            "organisation": "acme",
            "memory": {"url": "/m"},
            "models": {"dreamer": configured(self.folder, server, wire)},
        }
        settings = Settings(home=home)
        workplace = Workplace(organisation=Organisation.model_validate(document), settings=settings)
        models = build_models(workplace, night=night, clock=self._clock())
        day = Day(sessions=tuple(sessions))
        window = night_window(
            scheduled=scheduled_instant(night),
            timezone=_ZONE,
            covered=scheduled_instant(NIGHT),
            began=None,
            look_back=timedelta(days=14),
        )
        notes = NoteCache()
        tonight = Tonight(
            night=night,
            survey=self._survey,
            day=day,
            windows={task: window},
            timezone=_ZONE,
            notes=notes,
            limits=Limits(),
            models=models,
            summaries=summariser(Limits().summaries),
            outcomes=Outcomes(self._survey, day, notes=notes, organisation=workplace.organisation),
        )
        (step,) = ordered_steps(tonight, [task])
        guards = watch_over(self._mirror, self._survey, night=night, sources=day.sources).guards(task)
        planned, after = plan_task(step, tree=self._survey.tree, guards=guards)
        told = account_for_models(planned, models.ledger.rows(task), prices=models.prices, stopped_by=models.stopped_by)
        return Planned(task=told, before=self._survey.tree, after=after, models=models)

    def _clock(self) -> Clock:
        ticks = [0.0]

        def sleep(seconds: float) -> None:
            ticks[0] += seconds
            self.waits.append(seconds)

        return Clock(
            now=lambda: scheduled_instant(NIGHT),
            monotonic=lambda: ticks[0],
            sleep=sleep,
            jitter=lambda seconds: seconds,
        )
