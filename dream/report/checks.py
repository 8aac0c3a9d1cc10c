"""What a doctor found, a line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dream.report.escaping import one_line

Level = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at: how it is, and what helps where it is not as it should be."""

    level: Level
    thing: str
    cause: str
    way_out: str = ""

    def __str__(self) -> str:
        """Read `warn acme state key: there is none; set state_key`."""
        told = f"{self.thing}: {self.cause}" + (f"; {self.way_out}" if self.way_out else "")
        return f"{self.level:4} {one_line(told, most=1_000)}"


def ok(thing: str, cause: str) -> Check:
    """Return that `thing` is as it should be."""
    return Check(level="ok", thing=thing, cause=cause)


def warn(thing: str, cause: str, way_out: str = "") -> Check:
    """Return that nights go on, and that somebody should look at `thing`."""
    return Check(level="warn", thing=thing, cause=cause, way_out=way_out)


def fail(thing: str, cause: str, way_out: str = "") -> Check:
    """Return that a person has to see to `thing`: nights do not go on, or go on without it."""
    return Check(level="fail", thing=thing, cause=cause, way_out=way_out)
