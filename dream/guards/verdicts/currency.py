"""Whether a line tells of now, or of a thing that has ended."""

from __future__ import annotations

import re
from datetime import datetime

from dream.guards.verdicts.readings import Reading
from dream.guards.verdicts.words import listed, parts_of

_ENDED = listed("deleted removed decommissioned decomissioned retired terminated destroyed archived purged")
_ENDING = frozenset({"at", "on", "in", "by", "date", "time", "timestamp", "commit", "since"})
_STATE = frozenset({"status", "state", "phase", "lifecycle", "condition"})
_OF = frozenset(
    {"service", "resource", "deployment", "lifecycle", "current", "app", "queue", "database", "host", "is", "was"}
)
_EMPTY = frozenset({"", "null", "none", "nil", "false", "no", "0", "never", "-", "n/a", "{}", "[]", "~", "unknown"})
_TRUE = frozenset({"true", "yes", "1"})
_NOT_CURRENT = frozenset({"planned", "draft", "proposed", "pending", "scheduled", "inactive", "stale", "superseded"})
_OVER = listed(
    "validto validuntil endedat endedon endat expiredat supersededby replacedby supersededat effectiveto until enddate"
)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")


def ended_by(reading: Reading, at: datetime) -> tuple[str, str] | None:
    """Return the field that says that the thing on the line has ended by `at`, None where none says just that.

    It is a date, a commit or a yes under a word for the end (`deleted_on`, `removed`), or such a word as its state.
    """
    if reading.within:
        return None
    for key, value in reading.fields:
        parts = parts_of(key)
        plain = value.strip().lower()
        if _is_end(parts) and plain not in _EMPTY and not _is_to_come(plain, at):
            is_dated = len(parts) > 1 and parts[-1] in _ENDING
            if is_dated or plain in _TRUE:
                return key, value
        if _is_state(parts) and plain in _ENDED:
            return key, value
    return None


def is_past(reading: Reading, at: datetime) -> bool:
    """Whether a line tells of what has ended, is planned, or was replaced, and so of nothing that is so now."""
    for key, value in reading.fields:
        parts, plain = parts_of(key), value.strip().lower()
        if _ENDED.intersection(parts) and _is_end(parts) and plain not in _EMPTY:
            return True
        if _is_state(parts) and (plain in _ENDED or plain in _NOT_CURRENT):
            return True
        if "".join(parts) in _OVER and plain not in _EMPTY:
            return True
        if parts[-1:] == ("current",) and plain in {"false", "no", "0"}:
            return True
    return ended_by(reading, at) is not None


def _is_end(parts: tuple[str, ...]) -> bool:
    rest = [part for part in parts if part not in _OF]
    return bool(rest) and rest[0] in _ENDED and all(part in _ENDING for part in rest[1:])


def _is_state(parts: tuple[str, ...]) -> bool:
    return bool(parts) and parts[-1] in _STATE and all(part in _OF or part in _STATE for part in parts)


def _is_to_come(value: str, at: datetime) -> bool:
    day = _DAY.match(value)
    return day is not None and value[:10] > at.date().isoformat()
