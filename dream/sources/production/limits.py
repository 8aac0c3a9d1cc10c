"""The numbers of a probe, as a mechanism has them that is told no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeLimits:
    """What one question to a probe may take and give.

    `seconds` of waiting for all of an answer, `output_bytes` that are read of it; of what was read so many `lines` of
    up to `line_characters` are kept.
    """

    seconds: float = 10
    output_bytes: int = 1_000_000
    lines: int = 200
    line_characters: int = 500
