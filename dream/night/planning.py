"""Planning a task: what it proposes, drafted under the guards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import structlog

from dream.errors import DreamError
from dream.memory.operations import Guard, Merge, Move, Operation, Refusal
from dream.memory.outcomes import Changed, Failed, Item, Skipped, Unchanged
from dream.memory.tree import Tree
from dream.night.steps import PlannedTask, Refused, SettledItem, Step, counted
from dream.repository.draft import Applied, Draft

log = structlog.get_logger()


def plan_task(step: Step, *, tree: Tree, guards: Sequence[Guard]) -> tuple[PlannedTask, Tree]:
    """Run `step` on `tree` and return what it contributes, with the tree that it leaves.

    This is the boundary of a task: one that breaks off contributes nothing, is named, and does not stop the others.
    """
    try:
        plan = step.propose(tree)
        if plan.skipped:
            return PlannedTask(name=step.name, outcome=Skipped(plan.skipped), findings=plan.findings), tree
        draft = Draft(tree, task=step.name, guards=guards)
        settling = _Settling(draft)
        items = tuple(settling.settle(item, item.operations) for item in plan.items)
    except DreamError as error:
        return _failed(step, str(error)), tree
    except Exception as error:
        log.exception("task.failed", task=step.name)
        return _failed(step, f"{type(error).__name__}: {error}"), tree
    planned = PlannedTask(
        name=step.name,
        outcome=Unchanged("nothing to change"),
        items=items,
        findings=plan.findings,
        checked=plan.checked,
        unverified=plan.unverified,
        waiting=plan.waiting,
        declined=plan.declined,
        observed=plan.observed,
    )
    return with_outcome(planned), draft.tree


def replant_task(planned: PlannedTask, draft: Draft) -> PlannedTask:
    """Apply to `draft` the operations that `planned` holds and return what was left of them.

    The other side wins: an operation whose ground has changed is dropped whole and named.
    """
    if isinstance(planned.outcome, Failed | Skipped):
        return planned
    settling = _Settling(draft)
    items = []
    for settled in planned.items:
        again = settling.settle(settled.item, settled.operations)
        items.append(replace(again, refused=(*settled.refused, *again.refused)))
    return with_outcome(replace(planned, items=tuple(items)))


def with_outcome(planned: PlannedTask) -> PlannedTask:
    """Return `planned` with the outcome that its items come to."""
    tally = planned.tally
    edits = len(planned.operations)
    if edits:
        counted_edits = "1 edit" if edits == 1 else f"{edits} edits"
        outcome: Changed | Unchanged = Changed(f"{tally.written} of {tally.inputs} inputs, {counted_edits}")
    elif tally.not_written or tally.pending:
        outcome = Unchanged(counted({**tally.not_written, **({"pending": tally.pending} if tally.pending else {})}))
    else:
        outcome = Unchanged("no input" if not tally.inputs else "nothing to change")
    return replace(planned, outcome=outcome)


class _Settling:
    """Applies operations to a draft, one that several inputs share only once.

    What follows a merge or a move in its item rests on it: links are pointed away only from a note that goes. Of an
    item that is whole nothing is left where one of its operations is refused.
    """

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._seen: dict[Operation, Applied | Refusal] = {}

    def settle(self, item: Item, operations: Sequence[Operation]) -> SettledItem:
        applied: list[Operation] = []
        refused: list[Refused] = []
        mark = self._draft.mark()
        for number, operation in enumerate(operations):
            if any(item.whole or isinstance(before.operation, Merge | Move) for before in refused):
                refused.append(replace(refused[0], operation=operation))
                continue
            if operation not in self._seen:
                self._seen[operation] = self._draft.apply(operation, following=operations[number + 1 :])
            match self._seen[operation]:
                case Applied():
                    applied.append(operation)
                case Refusal(reason=reason, detail=detail):
                    refused.append(Refused(operation=operation, reason=reason, detail=detail))
        if item.whole and refused and applied:
            self._draft.take_back(mark)
            for operation in applied:
                del self._seen[operation]
            refused += [replace(refused[0], operation=operation) for operation in applied]
            applied = []
        return SettledItem(item=item, operations=tuple(applied), refused=tuple(refused))


def _failed(step: Step, reason: str) -> PlannedTask:
    return PlannedTask(name=step.name, outcome=Failed(reason))
