"""The numbers of the lessons from pull requests, as a mechanism has them that is told no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonLimits:
    """When what people did to agents' pull requests is a lesson, and how much of one is looked at and kept.

    A lesson needs `pull_requests`; what was seen once is forgotten after `tentative_days`. Of a pull request up to
    `commits`, `edits` (files) and `words` (reviews and comments) are looked at, each up to so many `characters`; it
    gives up to `candidates`, and a question shows `shown_characters` of it. A night writes `new` lessons, and two are
    the same from the similarity `alike` on.
    """

    pull_requests: int = 2
    tentative_days: int = 90
    commits: int = 5_000
    edits: int = 200
    words: int = 300
    characters: int = 4_000
    shown_characters: int = 24_000
    new: int = 10
    alike: float = 0.75
    candidates: int = 12
    kept: int = 1_000
