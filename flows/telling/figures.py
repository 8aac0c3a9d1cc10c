"""The figures of a night: what is told of it where nobody may read a note."""

from __future__ import annotations

from collections.abc import Mapping

from dream.memory.records import NightRecord
from dream.night.result import NightResult
from dream.report.accounts import night_account
from dream.report.spend import night_spend

Figures = Mapping[str, int | float]

_OF_RECORD = (
    "inputs",
    "written",
    "not_written",
    "pending",
    "refused",
    "notes",
    "statements",
    "notes_lost",
    "statements_lost",
    "questions",
    "unanswered",
    "tokens",
    "dollars",
)


def figures_of(result: NightResult, *, seconds: float = 0) -> Figures:
    """Return the counts of a night, the same keys for every night.

    `notes` and `statements` are how many the memory holds, `notes_lost` and `statements_lost` what the night took away,
    `dollars` US dollars by the prices that are known, `seconds` how long this run took, `tries` its pushes.
    """
    return {
        **(_of_record(result.record) if result.record else dict.fromkeys(_OF_RECORD, 0)),
        "failed_tasks": len(result.failed),
        "findings": len(result.findings),
        "seconds": round(seconds, 1),
        "tries": result.tries,
    }


def _of_record(record: NightRecord) -> dict[str, int | float]:
    account, spend = night_account(record), night_spend(record)
    counts = (
        account.inputs,
        account.written,
        sum(account.not_written.values()),
        account.pending,
        sum(account.refusals.values()),
        record.loss.topic_notes,
        record.loss.statement_count,
        record.loss.notes,
        record.loss.statements,
        spend.questions,
        spend.unanswered,
        spend.tokens,
        float(round(spend.dollars, 4)),
    )
    return dict(zip(_OF_RECORD, counts, strict=True))
