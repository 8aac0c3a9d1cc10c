"""Reads of notes as whatever serves them reports: one JSON object a line.

```json
{"path": "services/checkout-api.md", "at": "2026-11-29T10:00:00Z"}
```

`path` is relative to the memory, `at` carries a zone, other keys are ignored. A line with anything else is left out and
counted. A report of a note that does not exist comes to nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import IO

from dream.sources.files import UnreadableError, find_files, open_file
from dream.sources.instants import instant
from dream.sources.sessions.jsonlines import read_lines
from dream.sources.strict_json import BadJSONError, parse_json

_NO_READ = "no object with the path of a note and an instant"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportLimits:
    """How many bytes of a file, and of a line of it, are read, and how many characters a path has at most."""

    file_bytes: int = 64_000_000
    line_bytes: int = 4_000
    path: int = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedReads:
    """The last day (UTC) on which each path was read, and what a person should know of the files."""

    days: Mapping[str, date] = field(default_factory=dict)
    findings: tuple[str, ...] = ()


def read_reports(
    paths: Iterable[str], *, until: datetime, now: datetime, limits: ReportLimits | None = None
) -> ReportedReads:
    """Return what the files and folders `paths` (`.jsonl`) report of the time before `until`; nothing raises.

    What is dated after `now` is counted: no honest clock wrote it.
    """
    bounds = limits or ReportLimits()
    days: dict[str, date] = {}
    findings: list[str] = []
    for path in dict.fromkeys(paths):
        for found in find_files(path, suffixes=(".jsonl",)):
            if found.refused:
                findings += [] if found.expected else [f"reads {found.path} left out: {found.refused}"]
                continue
            try:
                with open_file(found.path, limit=bounds.file_bytes) as handle:
                    left_out = _take(handle, days, until=until, now=now, limits=bounds)
            except (UnreadableError, OSError) as error:
                findings.append(f"reads {found.path} left out: {error}")
                continue
            findings += [f"reads {found.path}: {what} ({count})" for what, count in sorted(left_out.items())]
    return ReportedReads(days=dict(sorted(days.items())), findings=tuple(findings))


def _take(
    handle: IO[bytes], days: dict[str, date], *, until: datetime, now: datetime, limits: ReportLimits
) -> Counter[str]:
    """Add what a file reports to `days` and return what was left out of it, counted by its reason."""
    left_out: Counter[str] = Counter()
    for line in read_lines(handle, limit=limits.line_bytes):
        if line.data is not None and not line.data.strip():
            continue
        reported = _reported(line.data, limits)
        if reported is None:
            left_out[_NO_READ] += 1
        elif reported[1] > now:
            left_out["dated in the future"] += 1
        elif reported[1] < until:
            path, day = reported[0], reported[1].astimezone(UTC).date()
            days[path] = max(day, days.get(path, day))
    return left_out


def _reported(data: bytes | None, limits: ReportLimits) -> tuple[str, datetime] | None:
    try:
        record = None if data is None else parse_json(data)
    except BadJSONError:
        return None
    if not isinstance(record, dict):
        return None
    path, at = record.get("path"), instant(record.get("at"))
    if not isinstance(path, str) or not 0 < len(path) <= limits.path or at is None:
        return None
    return path.removeprefix("./"), at
