"""What a night runs: the ordered steps, and what each came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dream.memory.applying import Files
from dream.memory.operations import Add, Merge, Operation
from dream.memory.outcomes import Declined, Item, Outcome, Plan, Tally
from dream.memory.paths import is_creatable
from dream.memory.records import LeftOut, RoleSpend
from dream.memory.tree import Tree

DEFERRED = "deferred-"
ASKED_AGAIN = frozenset({"displaced"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A task as the night calls it: `propose` reads the tree that the one before left."""

    name: str
    propose: Callable[[Tree], Plan]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """An operation that did not make it into the night, and the name of the rule that stopped it."""

    operation: Operation
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledItem:
    """An input of a task with the operations that passed and those that were refused."""

    item: Item
    operations: tuple[Operation, ...] = ()
    refused: tuple[Refused, ...] = ()

    @property
    def written(self) -> bool:
        """Whether anything of it is in the night."""
        return bool(self.operations)

    @property
    def pending(self) -> bool:
        """Whether another night is to look at it again."""
        if self.written:
            return False
        return self.item.pending or any(asks_again(refused.reason) for refused in self.refused)

    @property
    def reason(self) -> str:
        """Why nothing of it is in the night; empty where something is."""
        if self.written:
            return ""
        return self.refused[0].reason if self.refused else self.item.reason or "nothing-to-say"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTask:
    """What a task contributes to the night, in terms that can be planted on any head.

    `spend` is what the models took that it asked, by role.
    """

    name: str
    outcome: Outcome
    items: tuple[SettledItem, ...] = ()
    findings: tuple[str, ...] = ()
    checked: frozenset[str] = frozenset()
    unverified: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    declined: tuple[Declined, ...] = ()
    observed: tuple[Mapping[str, Any], ...] = ()
    spend: Mapping[str, RoleSpend] = field(default_factory=dict)

    @property
    def models(self) -> str:
        """The models that answered it, for the trailer of its commit; empty where none did."""
        answered = {one.model for one in self.spend.values() if one.questions > sum(one.unanswered.values())}
        return ", ".join(sorted(answered))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The operations that passed, in order; one that several inputs share stands once."""
        return tuple(dict.fromkeys(operation for item in self.items for operation in item.operations))

    @property
    def tally(self) -> Tally:
        """The account of its inputs."""
        reasons = Counter(item.reason for item in self.items if not item.written and not item.pending)
        return Tally(
            inputs=len(self.items),
            written=sum(item.written for item in self.items),
            not_written=dict(sorted(reasons.items())),
            pending=sum(item.pending for item in self.items),
        )

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """Every refused operation and every input that waits without one, so that none goes by unnamed."""
        left = []
        for settled in self.items:
            left += [
                LeftOut(input=settled.item.id, reason=refused.reason, operation=_shown(refused))
                for refused in settled.refused
            ]
            if settled.pending and not settled.refused:
                left.append(LeftOut(input=settled.item.id, reason=settled.reason))
        return tuple(left)

    @property
    def refusals(self) -> dict[str, int]:
        """Refused operations, counted by reason."""
        return dict(sorted(Counter(refused.reason for item in self.items for refused in item.refused).items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Afresh:
    """A task whose files are made anew on whatever head the night is planted on."""

    name: str
    write: Callable[[Tree], Rewritten]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """Whole files of the night's own, and lines for the report."""

    files: Files = field(default_factory=dict)
    findings: tuple[str, ...] = ()


def asks_again(reason: str) -> bool:
    """Whether an operation refused for `reason` is proposed again another night instead of being settled."""
    return reason.startswith(DEFERRED) or reason in ASKED_AGAIN


def _shown(refused: Refused) -> str:
    """Return what was refused, `remove services/x.md`; of a new path only one that is plain and holds no secret."""
    operation = refused.operation
    match operation:
        case Add(path=path):
            plain = is_creatable(path) and refused.reason != "secret"
            return f"{operation.kind} {path}" if plain else operation.kind
        case Merge(into=into):
            return f"{operation.kind} {into.path}"
        case _:
            return f"{operation.kind} {operation.span.path}"


def counted(names: Mapping[str, int] | Sequence[str]) -> str:
    """Return `3 near-duplicate, 1 secret` for a count by name, most first."""
    counts = Counter(names)
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))
