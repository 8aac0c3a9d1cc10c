"""What can be told of a session file without parsing it: whether it reaches into a window."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import IO

_CHUNK = 1 << 16
_OVERLAP = 16
_DAY = re.compile(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?=[T _])")


def names_a_day_since(handle: IO[bytes], since: datetime) -> bool:
    """Return whether any date and time in a file can be at or after `since`, or there is none; the file is rewound.

    A file whose dates are all earlier holds no message of the window, so it need not be parsed. A day is allowed for
    time zones.
    """
    earliest = (since - timedelta(days=1)).strftime("%Y-%m-%d").encode()
    rest, dated = b"", False
    try:
        while chunk := handle.read(_CHUNK):
            for day in _DAY.finditer(rest + chunk):
                if day[0] >= earliest:
                    return True
                dated = True
            rest = chunk[-_OVERLAP:]
        return not dated
    finally:
        handle.seek(0)
