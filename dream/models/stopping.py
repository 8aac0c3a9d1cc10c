"""Whether a night still asks its models: one switch for all its roles and tasks."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dream.models.port import Consequence, Reason, Unanswered

_NOT_OF_THE_NIGHT = frozenset({Reason.NO_MODEL, Reason.STOPPED})
"""Reasons to stop that say nothing about the other roles: one without a model, and what the switch itself said."""


class Switch:
    """Stays open until an answer says that no more is to be asked this night; safe among threads."""

    def __init__(self, check: Callable[[], Unanswered | None] = lambda: None) -> None:
        """Run `check` before the first question: what it returns closes the switch before anything is paid for."""
        self._check: Callable[[], Unanswered | None] | None = check
        self._closed: Unanswered | None = None
        self._lock = threading.Lock()

    @property
    def closed_by(self) -> Unanswered | None:
        """What closed it; None while it is open."""
        return self._closed

    def refusal(self) -> Unanswered | None:
        """Return the answer to every further question, or None where one may be asked."""
        with self._lock:
            check, self._check = self._check, None
            if check is not None:
                self._close(check())
            if self._closed is None:
                return None
            detail = f"this night asks no more: {self._closed.reason.value}"
            return Unanswered(reason=Reason.STOPPED, detail=detail)

    def heed(self, answer: Unanswered) -> None:
        """Close the switch if that is what follows from `answer`; the first to close it is remembered."""
        with self._lock:
            self._close(answer)

    def _close(self, answer: Unanswered | None) -> None:
        if answer is None or self._closed is not None or answer.reason in _NOT_OF_THE_NIGHT:
            return
        if answer.consequence is Consequence.STOP:
            self._closed = answer
