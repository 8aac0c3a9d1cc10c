"""What a task came to, and the account of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Where every input of a task ended: `inputs == written + sum(not_written.values()) + pending`, always.

    `not_written` counts by stable kebab-case reason.
    """

    inputs: int = 0
    written: int = 0
    not_written: Mapping[str, int] = field(default_factory=dict)
    pending: int = 0

    def __post_init__(self) -> None:
        """Refuse an account that does not add up."""
        accounted = self.written + sum(self.not_written.values()) + self.pending
        if accounted != self.inputs:
            message = f"{self.inputs} inputs, but {accounted} accounted for"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Changed:
    """The task made a commit."""

    summary: str


@dataclass(frozen=True, slots=True)
class Unchanged:
    """The task looked and found nothing to change."""

    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """The task did not look: its inputs were not there, or it was not asked for."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The task broke off and contributed nothing; its inputs stay pending."""

    reason: str


Outcome = Changed | Unchanged | Skipped | Failed
