"""A past session on one line, for people and for whatever they search it with."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta, tzinfo
from typing import Any

from dream.history.values import HistoryLine
from dream.report.escaping import one_line

_GAP = "  "
_NOTHING = "-"
_PULL_REQUESTS = 3
_HOUR = 60
_DAY = 24 * _HOUR


def render_line(line: HistoryLine, *, name: str, zone: tzinfo, most: int) -> str:
    """Return when, how long, who, where, what got done, its pull requests, and `name`, by which it is found.

    Two blanks part the fields and stand in none of them; what is not known is `-`. Of more than `most` characters the
    description gives way.
    """
    before = [
        line.started.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        render_duration(line.ended - line.started),
        _field(", ".join(line.people)),
        _field(f"{line.repository}@{line.branch}" if line.branch else line.repository),
    ]
    after = [_field(render_pull_requests(line)), _field(name)]
    room = most - sum(len(field) + len(_GAP) for field in (*before, *after))
    return _GAP.join([*before, _field(line.description, most=max(room, 1)), *after])


def render_pull_requests(line: HistoryLine) -> str:
    """Return the first few pull requests of a session, each with its state, and how many more there are."""
    named = [f"{one.name} {one.state}" if one.state else one.name for one in line.pull_requests[:_PULL_REQUESTS]]
    more = len(line.pull_requests) - len(named)
    return ", ".join([*named, f"+{more}"] if more else named)


def render_duration(length: timedelta) -> str:
    """Return a length of time in minutes, in hours and minutes, or in days and hours."""
    minutes = max(0, round(length.total_seconds() / 60))
    if minutes < _HOUR:
        return f"{minutes}m"
    if minutes < _DAY:
        return f"{minutes // _HOUR}h{minutes % _HOUR:02d}m"
    return f"{minutes // _DAY}d{minutes % _DAY // _HOUR}h"


def names_of(lines: Sequence[HistoryLine]) -> dict[str, str]:
    """Return by which name each session is found: its source, or its own name where two have the same source.

    `lines` are all that are kept; the keys are their own names.
    """
    holders: dict[str, int] = {}
    for line in lines:
        for source in line.sources:
            holders[source] = holders.get(source, 0) + 1
    return {line.name: line.source if holders[line.source] == 1 else line.name for line in lines}


def line_payload(line: HistoryLine, *, name: str) -> dict[str, Any]:
    """Return a line as a document; instants are UTC."""
    return {
        "name": name,
        "source": line.source,
        "id": line.id,
        "tool": line.tool,
        "started": line.started.isoformat(),
        "ended": line.ended.isoformat(),
        "people": list(line.people),
        "repository": line.repository,
        "branch": line.branch,
        "description": line.description,
        "pull_requests": [{"name": one.name, "state": one.state} for one in line.pull_requests],
        "messages": line.messages,
        "path": line.path,
    }


def _field(text: str, *, most: int = 200) -> str:
    return one_line(text, most=most) or _NOTHING
