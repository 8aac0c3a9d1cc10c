"""Instants as session files write them."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(value: object) -> datetime | None:
    """Return the aware UTC instant of an ISO 8601 text, None for anything else, a time without a zone included."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
