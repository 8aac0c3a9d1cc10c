"""How long something takes, as people say it."""

from __future__ import annotations

_MINUTE = 60
_HOUR = 3600


def spoken_seconds(seconds: float) -> str:
    """Read `5 minutes`, `1 hour`, `90 seconds`."""
    for unit, name in ((_HOUR, "hour"), (_MINUTE, "minute")):
        if seconds >= unit and seconds % unit == 0:
            count = round(seconds / unit)
            return f"{count} {name}" + ("s" if count > 1 else "")
    return f"{round(seconds / _MINUTE)} minutes" if seconds > 2 * _MINUTE else f"{round(seconds)} seconds"
