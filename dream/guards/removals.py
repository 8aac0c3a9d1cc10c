"""Taking away needs grounds: evidence that a statement is false, or the same statement somewhere else."""

from __future__ import annotations

from collections.abc import Callable

from dream.guards.supersessions import is_superseded
from dream.memory.allowance import VERIFICATION, Charge
from dream.memory.operations import Proposal, Refusal, Remove
from dream.memory.paths import is_topic


class RemovalGuard:
    """Refuses to remove what nobody has shown to be wrong: that a note is old, or seldom read, is no reason.

    A check against the real systems shows that, or a later and better founded statement of another value, which the
    removal names. Else a task may remove no more than what is still said elsewhere; duplicates go by a merge, which
    names the line that stays.
    """

    def __init__(self, takes: Callable[[Proposal], Charge]) -> None:
        """Ask `takes` what a proposal would take away beyond what tonight has taken already."""
        self._takes = takes

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with `no-evidence` or `unique-line`."""
        operation = proposal.operation
        if not isinstance(operation, Remove) or not is_topic(operation.span.path):
            return None
        if proposal.task == VERIFICATION:
            is_shown = any(map(str.strip, operation.basis.evidence))
            return None if is_shown else Refusal("no-evidence", operation.span.path)
        if is_superseded(operation):
            return None
        if self._takes(proposal).statements > 0:
            return Refusal("unique-line", f"{operation.span.path} alone says it")
        return None
