"""What a night makes afresh at every planting: the index, and what the flow knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from config.limits import Limits
from dream.memory.allowance import VERIFICATION
from dream.memory.index.loaded import loaded_notes
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache
from dream.memory.operations import touched_by
from dream.memory.outcomes import Failed
from dream.memory.paths import Kind, is_topic, kind_of
from dream.memory.records import Figures, NightRecord
from dream.memory.state import PendingInput, State
from dream.memory.tree import Tree
from dream.night.isolating import is_failure
from dream.night.planting import Planted
from dream.night.steps import PlannedTask, Rewritten
from dream.night.survey import Survey
from dream.repository.change_dates import change_dates
from dream.repository.history import changed_paths
from dream.repository.mirror import Mirror
from flows.day import Day
from flows.note_reads import merged_notes, reads_of
from flows.opening import Opened
from flows.workplace import Workplace
from tasks import index_rewrite, observations
from tasks.declined import remembered
from tasks.lessons.candidates import TASK as LESSONS
from tasks.lessons.candidates import kept_candidates
from tasks.state_update import pending_inputs, state_files, update_state


def dates_of_change(mirror: Mirror, survey: Survey) -> dict[str, date]:
    """Return when each path of the surveyed head last changed; what an earlier night found out is not walked again."""
    if not survey.head:
        return {}
    return {path: instant.date() for path, instant in change_dates(mirror, survey.head).items()}


def index_of(
    tree: Tree,
    notes: NoteCache,
    *,
    survey: Survey,
    changes: Mapping[str, date],
    landed: Tree,
    today: date,
    limits: Limits,
) -> Rewritten:
    """Return the index and catalog of `tree`; what differs from the surveyed head changed `today`."""
    tonight = {path: today for path in tree.paths() if tree.blob(path) != survey.tree.blob(path)}
    return index_rewrite.propose(
        tree=tree,
        notes=notes,
        changed={**changes, **tonight},
        today=today,
        limits=index_limits(limits),
        landed=landed,
        renames=survey.renames,
    )


def index_limits(limits: Limits) -> IndexLimits:
    """Return how big index, catalog and the notes that they list may be."""
    return IndexLimits(
        lines=limits.index.lines,
        bytes=limits.index.bytes,
        slack_percent=limits.index.slack_percent,
        catalog_notes=limits.index.catalog_notes,
        page_bytes=limits.index.catalog_page_bytes,
        file_bytes=limits.notes.most_bytes,
    )


def figures_of(tree: Tree, notes: NoteCache, state: State) -> Figures:
    """Return how much `tree` holds, and what of it was never checked or not borne out as `state` knows it."""
    topics = [path for path in tree.paths() if is_topic(path)]
    read = (notes.note(tree, path) for path in topics if path not in tree.oddities())
    return Figures(
        notes=len(topics),
        statements=sum(len({entry.key for entry in note.entries}) for note in read if isinstance(note, Note)),
        unchecked=sum(path not in state.checked for path in topics),
        unverified=len(state.unverified),
    )


def _not_made(tasks: Sequence[PlannedTask]) -> set[str]:
    """Return the notes with a correction that was not let through, which still say what production does not."""
    return {
        path
        for task in tasks
        if task.name == VERIFICATION
        for settled in task.items
        for refused in settled.refused
        for path in touched_by(refused.operation)
    }


def _with(records: Sequence[NightRecord], record: NightRecord) -> Sequence[NightRecord]:
    """Return the records as they are with that of tonight."""
    return [*(one for one in records if one.night != record.night), record]


class Books:
    """Makes index and state for whatever head the night is planted on."""

    def __init__(self, workplace: Workplace, mirror: Mirror, opened: Opened, day: Day, notes: NoteCache) -> None:
        """Keep the books of one run of one night."""
        self._workplace = workplace
        self._mirror = mirror
        self._opened = opened
        self._day = day
        self._notes = notes
        self._limits = workplace.organisation.limits
        self._changes: dict[str, dict[str, date]] = {}
        self._read: dict[str, dict[str, date]] = {}

    def rewrite_index(self, survey: Survey, tree: Tree) -> Rewritten:
        """Return the index and catalog of `tree`, which grew from `survey`'s."""
        if survey.head not in self._changes:
            self._changes[survey.head] = dates_of_change(self._mirror, survey)
        return index_of(
            tree,
            self._notes,
            survey=survey,
            changes=self._changes[survey.head],
            landed=self._mirror.tree(survey.landed or None),
            today=self._opened.night,
            limits=self._limits,
        )

    def arrived(self, base: str, head: str) -> Sequence[str]:
        """Return the paths that others changed between two commits."""
        if base == head:
            return ()
        differing = changed_paths(self._mirror.tree(base or None), self._mirror.tree(head))
        return [path for path in differing if kind_of(path) is not Kind.DOT]

    def write_state(
        self, survey: Survey, tree: Tree, record: NightRecord, parent: str, tasks: Sequence[PlannedTask]
    ) -> Rewritten:
        """Return the files of `.dream/` after a night of `record` whose last commit is `parent`."""
        learnt = [task for task in tasks if task.name == observations.TASK]
        looked = [task for task in tasks if not isinstance(task.outcome, Failed)]
        state = update_state(
            survey.state,
            tree=tree,
            record=record,
            parent=parent,
            checked=frozenset().union(*(task.checked for task in looked)),
            unverified=frozenset().union(*(task.unverified for task in tasks), survey.disputed, _not_made(tasks)),
            waiting=frozenset().union(*(task.waiting for task in looked)),
            read=self._reads(survey),
            merged=merged_notes(tasks),
            shown=loaded_notes(tree, limits=index_limits(self._limits)),
            down_nights=self._limits.verification.down_nights,
            renames=survey.renames,
            tombstones=survey.tombstones,
            pending=self._pending(survey, record, tasks),
            declined=self._declined(survey, record, tasks),
            observations=self._observations(survey, record, learnt),
            tentative=self._tentative(survey, record, tasks),
            learnings={path for task in learnt for operation in task.operations for path in touched_by(operation)},
            forgotten=survey.forgotten,
            seal=self._workplace.seal,
        )
        record = record.model_copy(update={"figures": figures_of(tree, self._notes, state)})
        files = state_files(state, tree=tree, record=record, keep=self._limits.records.kept)
        return Rewritten(files={**survey.restored, **files})

    @property
    def _look_back(self) -> timedelta:
        return timedelta(days=self._limits.window.look_back_days)

    def _pending(self, survey: Survey, record: NightRecord, tasks: Sequence[PlannedTask]) -> Sequence[PendingInput]:
        failed = {
            task.name: [settled.item.id for settled in task.items if is_failure(settled.item.reason)] for task in tasks
        }
        return pending_inputs(
            survey.state,
            night=record.night,
            look_back=self._look_back,
            failed={name: inputs for name, inputs in failed.items() if inputs},
            settled=[task.name for task in tasks if not isinstance(task.outcome, Failed)],
            nights=self._limits.records.failed_nights,
        )

    def _declined(self, survey: Survey, record: NightRecord, tasks: Sequence[PlannedTask]) -> Sequence[dict[str, Any]]:
        return remembered(
            survey.state,
            night=record.night,
            look_back=self._look_back,
            fresh=[one for task in tasks for one in task.declined],
            learnings=timedelta(days=self._limits.learnings.declined_nights),
        )

    def _observations(
        self, survey: Survey, record: NightRecord, learnt: Sequence[PlannedTask]
    ) -> Sequence[dict[str, Any]]:
        return observations.kept_items(
            survey.state.observations,
            fresh=[item for task in learnt for item in task.observed],
            records=_with(survey.records, record),
            tombstones=survey.tombstones,
            night=record.night,
            days=self._limits.learnings.observation_days,
            look_back=self._look_back,
        )

    def _tentative(self, survey: Survey, record: NightRecord, tasks: Sequence[PlannedTask]) -> Sequence[dict[str, Any]]:
        return kept_candidates(
            survey.state.tentative,
            fresh=[item for task in tasks if task.name == LESSONS for item in task.observed],
            records=_with(survey.records, record),
            tombstones=survey.tombstones,
            night=record.night,
            days=self._limits.lessons.tentative_days,
        )

    def _reads(self, survey: Survey) -> dict[str, date]:
        """Return when agents last read each note, by where it stands on the surveyed head."""
        if survey.head not in self._read:
            landed = self._mirror.tree(survey.landed or None)
            self._read[survey.head] = reads_of(
                self._day, [landed, survey.tree], memory=self._workplace.organisation.memory, renames=survey.renames
            )
        return self._read[survey.head]

    def findings(self, planted: Planted) -> tuple[str, ...]:
        """Return everything that a person should be told of this run."""
        tasks = [finding for record in planted.record.tasks.values() for finding in record.findings]
        return (*self._opened.survey.findings, *self._day.findings, *tasks)
