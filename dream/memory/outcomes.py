"""What a task proposes, what it came to, and the account of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dream.memory.operations import Operation


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One input of a task and what the task makes of it.

    `id` names it for people and for done-marks (`thread_7c2e/2026-10-21`, `acme/web#41`, `services/checkout-api.md`);
    `digest` is its content, so that what grew or came back is an input again; `last` is its last message's instant.
    An item without operations says why in `reason` (kebab-case); `pending` asks for another night. Of one that is
    `whole` either all operations are in the night or none.
    """

    id: str
    digest: str = ""
    last: datetime | None = None
    operations: tuple[Operation, ...] = ()
    reason: str = ""
    pending: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """A statement that a rule or a judge turned down: the digest of its text, its source, and why.

    Nothing of its text is kept; the same statement of the same source is turned down at once while this is remembered.
    """

    digest: str
    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a task proposes: an item for every input, lines for the report, and the notes that it looked at.

    `checked` are the notes whose date of the last look moves to tonight; `unverified` those of them with an entry that
    could not be verified; `waiting` those whose date stays for now, because a probe that they need was down; `declined`
    what was turned down for good; `observed` what it found that is to be remembered, as the state keeps it; `skipped`
    says why the task did not look at all.
    """

    items: tuple[Item, ...] = ()
    findings: tuple[str, ...] = ()
    checked: frozenset[str] = frozenset()
    unverified: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    declined: tuple[Declined, ...] = ()
    observed: tuple[Mapping[str, Any], ...] = ()
    skipped: str = ""
