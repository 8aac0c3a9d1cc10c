"""How long is waited before a night is tried again whose remote is down, and what is said meanwhile."""

from __future__ import annotations

_MINUTE = 60
_HOUR = 3600


def waits(*, first: float, longest: float, total: float) -> tuple[float, ...]:
    """Return the waits between tries, in seconds: each twice the one before, none over `longest`, `total` in all."""
    found: list[float] = []
    left, wait = total, min(first, longest)
    while left > 0:
        found.append(min(wait, left))
        left -= found[-1]
        wait = min(wait * 2, longest)
    return tuple(found)


def spoken_seconds(seconds: float) -> str:
    """Read `5 minutes`, `1 hour`, `90 seconds`."""
    for unit, name in ((_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= unit and seconds % unit == 0:
            count = round(seconds / unit)
            return f"{count} {name}" + ("s" if count > 1 else "")
    return f"{round(seconds / _MINUTE)} minutes" if seconds > 2 * _MINUTE else f"{round(seconds)} seconds"
