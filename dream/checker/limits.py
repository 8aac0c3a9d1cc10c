"""The numbers of the checker that are not the index's."""

from __future__ import annotations

from dataclasses import dataclass, field

from dream.memory.topics import TopicLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLimits:
    """How old, how long and how much; the configured defaults are in `config/order.py`.

    What says `Updated` is stale after `stale_days`. A line of the index above `line_characters` is cut off by agents'
    tools. Of one rule in one note `per_note` findings are told one by one. What notes are about is told by
    `topics`, as it is when a memory is tidied.
    """

    stale_days: int = 180
    line_characters: int = 2_000
    per_note: int = 5
    topics: TopicLimits = field(default_factory=TopicLimits)
