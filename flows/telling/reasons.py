"""Why something failed, and what next, in words that everybody may read who can open Prefect's page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

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
from dream.object_store import StoreDownError
from flows.crashes import crash_way_out, write_crash

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
    return public_way_out(error) or f"dream status {organisation}"


def public_way_out(error: Exception) -> str:
    """Return the next step that `error` names, empty where its words may quote a memory."""
    return error.way_out if isinstance(error, DreamError) and type(error) in (*_OWN_WORDS, RemoteError) else ""


def expected(failure: Exception, home: Path, command: Sequence[str]) -> DreamError:
    """Return `failure` as one that can be told: a defect is written down, and told by the place of its report.

    That place is the `crash` of its data; `command` is what the report says was under way.
    """
    if isinstance(failure, DreamError):
        return failure
    crash = write_crash(home, failure, command, at=datetime.now(UTC))
    message = f"a defect: {type(failure).__name__}"
    return FatalError(message, way_out=crash_way_out(crash), crash=str(crash or ""))
