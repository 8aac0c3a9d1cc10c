"""What is asked of GitHub, whether it answers itself or a recording of it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol


class Want(Enum):
    """Why there is no answer, by what follows from it."""

    LIMITED = auto()
    """A rate limit that lasts longer than tonight waits: nothing else is asked."""
    REFUSED_LOGIN = auto()
    """The token or the app is not accepted: nothing else is asked."""
    TOO_MUCH = auto()
    """The answer is too large or takes too long: less is asked for at once."""
    DOWN = auto()
    """No connection, or an answer that is none: others may still be had."""
    ABSENT = auto()
    """It is not there, or this login may not see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unanswered:
    """A question without an answer, and why in words that hold nothing of what others wrote."""

    want: Want
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A part of an answer that is null because of an error: its path, and the platform's word for the error."""

    path: tuple[str | int, ...]
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The data of an answer, and which parts of it are missing."""

    data: Mapping[str, Any]
    missing: tuple[Missing, ...] = ()


class Platform(Protocol):
    """GitHub, or a recording of what it said."""

    def ask(self, operation: str, variables: Mapping[str, Any]) -> Answered | Unanswered:
        """Return the answer to one operation of the packaged query."""
        ...

    def compare(self, repository: str, base: str, head: str) -> tuple[Mapping[str, Any], ...] | Unanswered:
        """Return the files that differ between two commits, as the REST interface tells them, at most 300."""
        ...
