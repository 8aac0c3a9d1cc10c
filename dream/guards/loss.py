"""How much an operation may take away: the budgets of a night and of a month, counted however it goes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dream.memory.allowance import Allowance, Charge
from dream.memory.loss import Loss, absorbed_by, measure_loss
from dream.memory.notes import NoteCache
from dream.memory.operations import Merge, Proposal, Refusal
from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What a landing has taken away so far; a task that failed is undone by going on from the value before it."""

    allowance: Allowance
    touched: frozenset[str] = frozenset()
    absorbed: frozenset[tuple[str, str]] = frozenset()


class LossGuard:
    """Defers operations past a loss budget, in the order of the plan.

    Must be the last guard that is asked: what it lets pass counts as done. One guard serves one task; `taken` is what
    the next one starts from if the task's draft is kept.
    """

    def __init__(
        self, base: BaseUnits, taken: Taken, *, notes: NoteCache, last_landed: Tree | None, defers: bool = True
    ) -> None:
        """Count from `base`, on top of what earlier tasks of this landing have `taken`.

        One that never `defers` notes what is touched and charges nothing, for whoever measures it all in the end.
        """
        self._base = base
        self._notes = notes
        self._last_landed = last_landed
        self._defers = defers
        self.taken = taken

    def __call__(self, proposal: Proposal) -> Refusal | None:
        """Refuse with one of the `deferred-…` reasons of the allowance: not for good, but for tonight."""
        touched = frozenset(path for path in proposal.touched if is_topic(path))
        if not touched:
            return None
        after = self._after(proposal, touched)
        if not self._defers:
            self.taken = after
            return None
        loss = self.measure(proposal.after, after)
        reason = after.allowance.refuses(loss, proposal.task)
        if reason:
            return Refusal(reason, f"{len(loss.notes)} notes and {len(loss.statements)} statements with it")
        self.taken = replace(after, allowance=after.allowance.charge(loss, proposal.task))
        return None

    def takes(self, proposal: Proposal) -> Charge:
        """Return what `proposal` would take away beyond what is charged already."""
        after = self._after(proposal, frozenset(path for path in proposal.touched if is_topic(path)))
        charged = self.taken.allowance
        if not self._defers:
            charged = charged.charge(self.measure(proposal.before, self.taken), proposal.task)
        return charged.more(self.measure(proposal.after, after), proposal.task)

    def measure(self, tip: Tree, taken: Taken) -> Loss:
        """Return what `tip` has lost, told from what the landing has touched."""
        return measure_loss(
            self._base, tip, touched=taken.touched, last_landed=self._last_landed, absorbed=taken.absorbed
        )

    def _after(self, proposal: Proposal, touched: frozenset[str]) -> Taken:
        operation = proposal.operation
        absorbed = absorbed_by(operation, proposal.before, self._notes) if isinstance(operation, Merge) else frozenset()
        return replace(self.taken, touched=self.taken.touched | touched, absorbed=self.taken.absorbed | absorbed)
