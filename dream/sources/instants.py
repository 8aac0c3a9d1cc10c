"""Instants as session files write them."""

from __future__ import annotations

from datetime import MAXYEAR, MINYEAR, UTC, datetime


def instant(value: object) -> datetime | None:
    """Return the aware UTC instant of an ISO 8601 text, None for anything else, a time without a zone included."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        return in_every_zone(at.astimezone(UTC)) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None


def in_every_zone(at: datetime) -> datetime | None:
    """Return `at`, None where it has no day and time in some zone, as the ends of the calendar have none."""
    return at if MINYEAR < at.year < MAXYEAR else None
