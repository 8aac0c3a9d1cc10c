"""What can be told of a session file without parsing it: whether it reaches into a window, and whose session it is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import PurePath
from typing import IO

from dream.sources.sessions.specstory_headers import session_header
from dream.sources.sessions.values import SourceKind

_CHUNK = 1 << 20
_OVERLAP = 16
_HEAD = 1 << 16
_DAY = re.compile(rb"20[0-9]{2}-[0-9]{2}-[0-9]{2}(?=[T _])")
_SESSION_ID = re.compile(rb'"sessionId"\s{0,8}:\s{0,8}"([^"\\]{1,200})"')


def names_a_day_since(handle: IO[bytes], since: datetime) -> bool:
    """Return whether any date and time in a file can be at or after `since`, or there is none; the file is rewound.

    A file whose dates are all earlier holds no message of the window, so it need not be parsed. A day is allowed for
    time zones.
    """
    earliest = (since - timedelta(days=1)).strftime("%Y-%m-%d").encode()
    rest, dated = b"", False
    try:
        while chunk := handle.read(_CHUNK):
            days = _DAY.findall(rest + chunk)
            if any(day >= earliest for day in days):
                return True
            rest, dated = chunk[-_OVERLAP:], dated or bool(days)
        return not dated
    finally:
        handle.seek(0)


def session_named(handle: IO[bytes], *, path: str, kind: SourceKind) -> str:
    """Return the id of the session that a file's beginning names; the file is rewound."""
    head = handle.read(_HEAD)
    handle.seek(0)
    if kind is SourceKind.SPECSTORY:
        header = session_header(head.decode("utf-8", "replace").split("\n"))
        return header.id if header else ""
    named = _SESSION_ID.search(head)
    return named[1].decode("utf-8", "replace") if named else PurePath(path).stem
