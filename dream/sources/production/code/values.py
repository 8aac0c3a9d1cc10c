"""What can be said of a code repository, as values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Presence(StrEnum):
    """Whether something stands in production; UNKNOWN is never evidence of anything."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """Where a path's content stands now, and the commit that moved it there last."""

    to: str
    commit: str
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Deletion:
    """The commit that took a path away."""

    commit: str
    on: date


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSource:
    """A code repository that claims are checked against; an empty `branch` is the remote's default.

    Only where it is `internal` may its host be in the network of this machine.
    """

    name: str
    url: str
    branch: str = ""
    internal: bool = False
