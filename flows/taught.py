"""What the learnings of a night are bound to: their limits, and the words that earlier nights have observed."""

from __future__ import annotations

from datetime import timedelta

import structlog

from config import limits as configured
from config.teaching import Triggers
from dream.errors import DreamError
from dream.guards.triggers import TriggerLimits
from dream.history.store import HistoryStore
from tasks.conversation import ExcerptLimits
from tasks.drafting import DraftLimits
from tasks.observations import Recurrence
from tasks.observing import ObservingLimits
from tasks.teaching import LearningsLimits
from tasks.typed import TypedLimits

log = structlog.get_logger()


class RememberedWords:
    """Finds in the history what an observation's mark stands for; a history that is down holds nothing tonight."""

    def __init__(self, history: HistoryStore) -> None:
        """Look in `history`, once somebody asks."""
        self._history = history
        self._is_down = False

    def __call__(self, mark: str) -> str | None:
        """Return the words, None where they are not to be had."""
        if self._is_down:
            return None
        try:
            return self._history.resolve(mark)
        except DreamError as error:
            self._is_down = True
            log.warning("history.not_read", cause=type(error).__name__)
            return None


def learnings_limits(limits: configured.Limits) -> LearningsLimits:
    """Return how much a night may learn."""
    own = limits.learnings
    return LearningsLimits(
        observing=ObservingLimits(
            excerpt=ExcerptLimits(excerpt=own.excerpt_characters),
            excerpts=own.excerpts,
            observations=own.observations,
            least_characters=limits.gates.least_quote,
            characters=own.observation_characters,
            typed=TypedLimits(lines=own.pasted_lines, characters=own.pasted_characters),
        ),
        recurrence=Recurrence(
            sessions=own.sessions,
            days=own.days,
            people=own.people,
            apart=timedelta(minutes=own.apart_minutes),
            verbatim=own.verbatim_characters,
            in_common=own.in_common,
        ),
        draft=DraftLimits(
            trigger=trigger_limits(limits.triggers),
            lines=own.lines,
            same=limits.duplicates.same,
        ),
        observation_days=own.observation_days,
        shown=own.shown,
        candidates=own.candidates,
        cited=own.cited,
        new=own.new,
        changes=own.changes,
    )


def trigger_limits(limits: Triggers) -> TriggerLimits:
    """Return how much the trigger of a learning may claim."""
    return TriggerLimits(
        tokens=limits.tokens, alternatives=limits.alternatives, unnamed=limits.unnamed, alike=limits.alike
    )
