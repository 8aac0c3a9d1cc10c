"""An alarm: what is wrong although nights end well, since when, and the command to begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from dream.report.escaping import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """One reason why an organisation is degraded: `kind` is a slug, `way_out` a command, `task` empty for the night."""

    kind: str
    why: str
    since: date
    way_out: str
    task: str = ""

    def __str__(self) -> str:
        """Read `degraded since 2026-10-16: daily note wrote nothing: dream report acme`."""
        return f"degraded since {self.since.isoformat()}: {self.why}: {self.way_out}"

    def payload(self) -> dict[str, Any]:
        """Return the JSON values of this alarm."""
        return {
            "kind": self.kind,
            "why": self.why,
            "since": self.since.isoformat(),
            "way_out": self.way_out,
            "task": self.task,
        }


def alarm_lines(alarms: Sequence[Alarm]) -> Iterator[str]:
    """Yield the lines of `alarms` for a terminal: what, since when, and below it the next command."""
    for alarm in alarms:
        yield f"  degraded since {alarm.since.isoformat()}: {one_line(alarm.why)}"
        yield f"    {one_line(alarm.way_out)}"
