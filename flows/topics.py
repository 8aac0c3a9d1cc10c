"""What notes are about, as configured: the same for the checker and for tidy."""

from __future__ import annotations

from config.limits import Limits
from dream.memory.topics import TopicLimits


def topic_limits(limits: Limits) -> TopicLimits:
    """Return from where on notes are about one thing, and parts of a note about several."""
    return TopicLimits(**limits.topics.model_dump())
