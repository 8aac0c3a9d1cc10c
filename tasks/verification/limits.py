"""The numbers of verification, as a task has them that is told no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationLimits:
    """How often probes are asked for one note and for one entry, and how much one question to a model shows.

    A question shows up to `entries` of a note and `lines` of what one question to a probe gave.
    """

    calls_per_note: int = 40
    calls_per_entry: int = 3
    entries: int = 30
    lines: int = 40
