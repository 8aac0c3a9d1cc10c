"""Planting a planned night on a head: one commit per task, index and state made afresh, all of it in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, assert_never

from dream.memory.operations import Guard
from dream.memory.outcomes import Changed, Failed, Outcome, Skipped, Unchanged
from dream.memory.records import DoneInput, Effect, LossRecord, NightRecord, OutcomeName, TaskRecord
from dream.memory.tree import Tree
from dream.night.branch import Branch, Signing
from dream.night.messages import files_body, files_summary, summary_of, task_body, task_subject
from dream.night.planning import replant_task
from dream.night.steps import Afresh, PlannedTask, Rewritten
from dream.night.survey import Survey, with_unseen
from dream.repository.draft import Draft
from dream.repository.mirror import Mirror


class Watch(Protocol):
    """The guards of one landing: what a task may do depends on what the tasks before it did."""

    def guards(self, task: str) -> Sequence[Guard]:
        """Return the guards of `task`, which starts where the last kept one ended."""
        ...

    def keep(self) -> None:
        """Count what the task that was asked for last did; one that broke off is not kept."""
        ...

    def loss(self) -> LossRecord:
        """Return what the kept tasks took away."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Nursery:
    """What planting needs besides the plan: who commits, under which night, and how guards and state are made.

    `watch` makes the guards for the survey that the night is planted on; `state` makes the flow's files for the record
    and the commit before them; `arrived` names what others changed between two commits; `tasks` are all that a night
    has, of which this landing may do only some.
    """

    signing: Signing
    night: date
    scheduled: datetime
    base: str
    windows: Mapping[str, tuple[datetime, datetime]]
    watch: Callable[[Survey], Watch]
    index: Afresh
    state: Callable[[Survey, Tree, NightRecord, str, Sequence[PlannedTask]], Rewritten]
    arrived: Callable[[str, str], Sequence[str]]
    tasks: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A night on a head: its last commit, its record, and what was left of each task."""

    tip: str
    record: NightRecord
    tasks: tuple[PlannedTask, ...]
    commits: tuple[str, ...]


def plant_night(mirror: Mirror, survey: Survey, planned: Sequence[PlannedTask], nursery: Nursery) -> Planted:
    """Build the night's commits on `survey.head` and return them; nothing is pushed."""
    branch = Branch(mirror, survey.tree, survey.head, nursery.signing)
    watch = nursery.watch(survey)
    tasks: list[PlannedTask] = []
    records: dict[str, TaskRecord] = {}
    effects: list[Effect] = []
    for plan in planned:
        draft = Draft(branch.tree, task=plan.name, guards=watch.guards(plan.name))
        task = replant_task(plan, draft)
        made = [applied.effect for applied in draft.applied]
        commit = branch.commit(
            plan.name,
            draft.files,
            subject=task_subject(plan.name, night=nursery.night, summary=summary_of(task)),
            body=task_body(task, made),
            model=task.models,
        )
        tasks.append(task)
        effects += made
        records[plan.name] = _task_record(task, commit)
        watch.keep()
    rewritten = nursery.index.write(branch.tree)
    commit = branch.commit(
        nursery.index.name,
        rewritten.files,
        subject=task_subject(nursery.index.name, night=nursery.night, summary=files_summary(len(rewritten.files))),
        body=files_body(rewritten.files, ()),
    )
    records[nursery.index.name] = TaskRecord(
        outcome="changed" if commit else "unchanged", commit=commit, findings=rewritten.findings
    )
    records["state_update"] = TaskRecord(outcome="changed", reason="recorded")
    record = _night_record(survey, nursery, records, effects, watch.loss())
    state = nursery.state(survey, branch.tree, record, branch.tip, tasks)
    branch.commit(
        "state_update",
        state.files,
        subject=task_subject("state_update", night=nursery.night, summary="recorded"),
        body=files_body(state.files, record.findings),
    )
    return Planted(tip=branch.tip, record=record, tasks=tuple(tasks), commits=tuple(branch.commits))


def _task_record(task: PlannedTask, commit: str) -> TaskRecord:
    tally = task.tally
    name, reason = _name(task.outcome)
    return TaskRecord(
        outcome=name,
        reason=reason,
        commit=commit,
        inputs=tally.inputs,
        written=tally.written,
        not_written=dict(tally.not_written),
        pending=tally.pending,
        refusals=task.refusals,
        left_out=task.left_out,
        done=tuple(
            DoneInput(id=settled.item.id, digest=settled.item.digest, last=settled.item.last, reason=settled.reason)
            for settled in task.items
            if not settled.pending and settled.item.digest
        ),
        findings=task.findings,
        spend=dict(task.spend),
    )


def _name(outcome: Outcome) -> tuple[OutcomeName, str]:
    match outcome:
        case Changed(summary):
            return "changed", summary
        case Unchanged(reason):
            return "unchanged", reason
        case Skipped(reason):
            return "skipped", reason
        case Failed(reason):
            return "failed", reason
        case _ as unreachable:
            assert_never(unreachable)


def _night_record(
    survey: Survey,
    nursery: Nursery,
    records: Mapping[str, TaskRecord],
    effects: Sequence[Effect],
    loss: LossRecord,
) -> NightRecord:
    """Return tonight's record; where a part of the night landed before, what that record says is kept beside it.

    What others changed is left to the next night where not every task of this one has seen it in one landing.
    """
    before = survey.record(nursery.night)
    arrived = nursery.arrived(nursery.base, survey.head)
    record = NightRecord(
        night=nursery.night,
        scheduled=nursery.scheduled,
        run=nursery.signing.run,
        base=nursery.base,
        landings=before.landings + 1 if before else 1,
        windows={**(before.windows if before else {}), **nursery.windows},
        tasks={**(before.tasks if before else {}), **_with_older_marks(before, records)},
        effects=(*(before.effects if before else ()), *effects),
        loss=_added(before.loss, loss) if before else loss,
        arrived=tuple(sorted({*(before.arrived if before else ()), *arrived})),
        renamed=dict(survey.renames) if arrived else {},
        findings=survey.findings,
    )
    is_whole = before is None and all(record.landed(name) for name in nursery.tasks)
    return record if is_whole else with_unseen(record, survey)


def _with_older_marks(before: NightRecord | None, records: Mapping[str, TaskRecord]) -> dict[str, TaskRecord]:
    """Return `records`, each also with the inputs that its task had done in an earlier landing of the night."""
    merged = dict(records)
    for name in records.keys() & (before.tasks if before else {}).keys():
        marks = {one.id: one for one in (*before.tasks[name].done, *records[name].done)} if before else {}
        merged[name] = records[name].model_copy(update={"done": tuple(marks.values())})
    return merged


def _added(before: LossRecord, loss: LossRecord) -> LossRecord:
    tasks = sorted({*before.by_task, *loss.by_task})
    zero = (0, 0)
    return LossRecord(
        notes=before.notes + loss.notes,
        statements=before.statements + loss.statements,
        topic_notes=loss.topic_notes,
        statement_count=loss.statement_count,
        by_task={
            task: (
                before.by_task.get(task, zero)[0] + loss.by_task.get(task, zero)[0],
                before.by_task.get(task, zero)[1] + loss.by_task.get(task, zero)[1],
            )
            for task in tasks
        },
    )
