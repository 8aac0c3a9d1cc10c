"""How relevant a note is today: it fades while nobody changes, checks or reads it, and comes back when somebody does.

Nothing is deleted, moved or rewritten by this: it orders what agents are shown first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingLimits:
    """After how many days without a sign of life relevance has halved, and for how long it does not fade unseen."""

    half_life_days: int = 30
    grace_days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """The last days on which a note showed signs of life, and the first on which agents were shown it; None: never.

    `changed` is when what it says last changed, so that a mended link is none; `read` is when one was last reported or
    seen in a transcript.
    """

    changed: date | None = None
    checked: date | None = None
    read: date | None = None
    shown: date | None = None

    @property
    def latest(self) -> date | None:
        """The last sign of life of any kind."""
        return max((day for day in (self.changed, self.checked, self.read) if day is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A note with its `relevance`, which is its `freshness` (0 to 1) times how well it `matches` (1 where unasked)."""

    path: str
    relevance: float
    freshness: float
    matches: float


def freshness(signs: Signs, *, today: date, limits: RankingLimits) -> float:
    """Return what is left of a note's relevance, 0 to 1: half of it after every `half_life_days`.

    What no agent was shown cannot have been read: up to `grace_days` of the days before it was first shown do not
    count. Days after `today` count as today. A note without any sign of life is as old as can be: 0.
    """
    latest = signs.latest
    if latest is None:
        return 0.0
    days = max((today - latest).days, 0)
    shown = today if signs.shown is None else min(signs.shown, today)
    unseen = max((shown - latest).days, 0)
    return float(0.5 ** ((days - min(unseen, limits.grace_days)) / limits.half_life_days))


def rank(
    notes: Mapping[str, Signs],
    *,
    today: date,
    limits: RankingLimits,
    matches: Mapping[str, float] | None = None,
) -> tuple[Ranked, ...]:
    """Return the notes, the most relevant first; what is equally relevant by its last sign of life, then by path.

    `matches` is how well each note answers a question (a score above 0); with it, notes that it does not name are left
    out, since they answer nothing.
    """
    ranked = []
    for path, signs in notes.items():
        matching = 1.0 if matches is None else matches.get(path, 0.0)
        if matching > 0:
            left = freshness(signs, today=today, limits=limits)
            ranked.append(Ranked(path=path, relevance=left * matching, freshness=left, matches=matching))

    def order(one: Ranked) -> tuple[float, float, int, str]:
        latest = notes[one.path].latest
        return -one.relevance, -one.matches, -(latest.toordinal() if latest else 0), one.path

    return tuple(sorted(ranked, key=order))
