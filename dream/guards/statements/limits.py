"""The numbers of the gates and of a judge's examination, as a mechanism has them that is told no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GateLimits:
    """How long statements and quotes may be, how many quotes one may cite, and how much must stand in cited lines.

    Lengths are words or characters. `least_in_common` is the share of a statement's words that the cited lines hold;
    `supporting_…` are those of its names and words that output must hold so that an agent's prose beside it counts.
    """

    least_words: int = 3
    most_characters: int = 400
    most_quotes: int = 8
    least_quote: int = 10
    most_quote: int = 2_000
    least_in_common: float = 0.3
    supporting_names: float = 0.5
    supporting_words: float = 0.5
    supporting_words_beside_names: float = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryLimits:
    """The share of true cases that a judge must support, how many false ones it may, and how often it may be silent."""

    least_true: float = 0.8
    allowed_false: int = 0
    most_silences: int = 3
