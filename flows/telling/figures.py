"""The figures of a night: what is told of it where nobody may read a note."""

from __future__ import annotations

from collections.abc import Mapping

from dream.errors import (
    DreamError,
    FatalError,
    HistoryRewrittenError,
    NewerStateError,
    NotAMemoryError,
    RemoteError,
    TransientError,
    UsageError,
)
from dream.memory.records import NightRecord
from dream.night.result import NightResult
from dream.object_store import StoreDownError
from dream.report.accounts import night_account
from dream.report.spend import night_spend

Figures = Mapping[str, int | float]

_OWN_WORDS = (
    FatalError,
    HistoryRewrittenError,
    NewerStateError,
    NotAMemoryError,
    StoreDownError,
    TransientError,
    UsageError,
)
"""The kinds of failure that are told in this project's own words; those under them may name a note."""

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


def public_reason(error: Exception) -> str:
    """Return why a night failed, in words that can hold nothing of a memory, of a remote's answer or of a note."""
    if isinstance(error, DreamError) and "cause" in error.data:
        return f"{error.data.get('address', 'the remote')}: {error.data['cause']}"
    if isinstance(error, RemoteError):
        return "the remote refuses; its own words are not told here"
    if type(error) in _OWN_WORDS:
        return str(error)
    return f"{type(error).__name__}; its words are not told here, as they may quote a memory"


def way_out_of(organisation: str, error: Exception) -> str:
    """Return the next step after `error`, always as something that can be done at once."""
    told = error.way_out if isinstance(error, DreamError) and type(error) in (*_OWN_WORDS, RemoteError) else ""
    return told or f"dream status {organisation}"


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
