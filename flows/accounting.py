"""What the models' part in a task comes to: its spend, what was left out, whether it failed for want of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from dream.memory.outcomes import Failed, Skipped
from dream.memory.records import LEFT_UNASKED, NOT_ASKED, RoleSpend
from dream.models.ledger import Row
from dream.models.port import Reason, Unanswered
from dream.models.prices import PriceTable
from dream.night.steps import PlannedTask

_OUT_OF_REACH = frozenset({Reason.UNAUTHORISED, Reason.MISCONFIGURED, Reason.QUOTA, Reason.OUTAGE, Reason.RATE_LIMITED})
"""Reasons for which a model was not so much as asked; a ceiling is none of them: what a cap defers is no failure."""


def account_for_models(
    planned: PlannedTask, rows: Sequence[Row], *, prices: PriceTable, stopped_by: Unanswered | None
) -> PlannedTask:
    """Return `planned` with what its questions, in `rows`, took, and with what was left out for want of answers.

    A task that wrote nothing and in one of whose roles nobody could be asked at all has failed: its inputs wait, and
    somebody is told. What it could write without a model stands.
    """
    if not rows:
        return planned
    told = replace(
        planned,
        spend={row.role.value: _spend(row, prices) for row in rows},
        findings=(*planned.findings, *_left_out(rows, stopped_by)),
    )
    if isinstance(planned.outcome, Failed | Skipped) or planned.operations:
        return told
    for row in rows:
        reason = _out_of_reach(row, stopped_by)
        if reason is not None:
            return replace(told, outcome=Failed(f"{NOT_ASKED}{reason.value}"))
    return told


def _spend(row: Row, prices: PriceTable) -> RoleSpend:
    usage = row.usage
    cost = prices.cost(row.model, usage)
    return RoleSpend(
        model=row.model,
        questions=row.questions,
        unanswered={reason.value: count for reason, count in sorted(row.unanswered.items())},
        calls=usage.calls,
        input=usage.input,
        cached=usage.cached,
        cache_written=usage.cache_written,
        output=usage.output,
        dollars="" if cost is None else f"{cost.normalize():f}",
        priced=None if cost is None else prices.dated,
    )


def _left_out(rows: Sequence[Row], stopped_by: Unanswered | None) -> list[str]:
    """Return a line for what was not asked any more, naming the ceiling, and one for what got no reply."""
    counts: Counter[Reason] = Counter()
    for row in rows:
        counts.update(row.unanswered)
    unasked = counts.pop(Reason.STOPPED, 0) + counts.pop(Reason.OVER_BUDGET, 0)
    lines = []
    if unasked:
        lines.append(f"{_questions(unasked)} {LEFT_UNASKED}{_why(stopped_by)}")
    if counts:
        told = ", ".join(f"{count} {reason.value}" for reason, count in sorted(counts.items()))
        lines.append(f"{_questions(counts.total())} asked and not answered: {told}")
    return lines


def _why(stopped_by: Unanswered | None) -> str:
    if stopped_by is None:
        return "the budget of the night"
    return stopped_by.detail if stopped_by.reason is Reason.OVER_BUDGET else stopped_by.reason.value


def _questions(count: int) -> str:
    return "1 question was" if count == 1 else f"{count} questions were"


def _out_of_reach(row: Row, stopped_by: Unanswered | None) -> Reason | None:
    """Return why nobody could be asked in this row's role, None where somebody was or a ceiling stood against it.

    What was answered before and kept, as the first cases of a judge's examination, was not asked now.
    """
    if row.answered > row.kept or not row.unanswered:
        return None
    reasons = {stopped_by.reason if reason is Reason.STOPPED and stopped_by else reason for reason in row.unanswered}
    if not reasons <= _OUT_OF_REACH:
        return None
    return min(reasons)
