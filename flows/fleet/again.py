"""How long is waited before a night is tried again whose remote is down."""

from __future__ import annotations


def waits(*, first: float, longest: float, total: float) -> tuple[float, ...]:
    """Return the waits between tries, in seconds: each twice the one before, none over `longest`, `total` in all."""
    found: list[float] = []
    left, wait = total, min(first, longest)
    while left > 0:
        found.append(min(wait, left))
        left -= found[-1]
        wait = min(wait * 2, longest)
    return tuple(found)
