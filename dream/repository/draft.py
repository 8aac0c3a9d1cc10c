"""The staged tree that one task edits: every operation passes its guards or is refused with a name."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from dream.memory.applying import Files, apply_operation, changes_between
from dream.memory.operations import Add, Guard, Merge, Move, Operation, Proposal, Refusal, Remove, Revise, Shorten
from dream.memory.records import Effect
from dream.memory.tree import OverlayTree, Tree


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """An operation that the draft now holds, and what it does."""

    operation: Operation
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """Where a draft stood: its edits, their tree, and how many operations had been applied."""

    files: Files
    tree: Tree
    applied: int


class Draft:
    """A task's edits over `base`, in order; `base` itself is never touched."""

    def __init__(self, base: Tree, *, task: str, guards: Sequence[Guard]) -> None:
        """Start with no edits."""
        self._base = base
        self._task = task
        self._guards = guards
        self._files: dict[str, bytes | None] = {}
        self._tree: Tree = base
        self.applied: list[Applied] = []

    @property
    def tree(self) -> Tree:
        """The tree with the edits so far."""
        return self._tree

    @property
    def files(self) -> Files:
        """What differs from the base: bytes, or None for a path that goes."""
        return {path: data for path, data in self._files.items() if data != self._base.read(path)}

    def apply(self, operation: Operation, *, following: Sequence[Operation] = ()) -> Applied | Refusal:
        """Apply `operation` if it still fits the tree and every guard lets it pass; otherwise nothing changes.

        `following` is what will be applied after it for the same input.
        """
        files = apply_operation(self._tree, operation)
        if isinstance(files, Refusal):
            return files
        if all(data == self._tree.read(path) for path, data in files.items()):
            return Refusal("no-change")
        after = OverlayTree(self._base, {**self._files, **files})
        proposal = Proposal(
            task=self._task,
            operation=operation,
            before=self._tree,
            after=after,
            touched=frozenset(files),
            following=tuple(following),
        )
        for guard in self._guards:
            refusal = guard(proposal)
            if refusal is not None:
                return refusal
        applied = Applied(operation=operation, effect=self._effect(operation, files))
        self._files.update(files)
        self._tree = after
        self.applied.append(applied)
        return applied

    def mark(self) -> Mark:
        """Return what `take_back` needs to be as it is now."""
        return Mark(files=dict(self._files), tree=self._tree, applied=len(self.applied))

    def take_back(self, mark: Mark) -> None:
        """Be as it was at `mark`; what guards have counted since then, they count again from the tree."""
        self._files, self._tree = dict(mark.files), mark.tree
        del self.applied[mark.applied :]

    def write(self, files: Files) -> None:
        """Take whole files that are made afresh and stand under no guard: index, catalog and state."""
        self._files.update(files)
        self._tree = OverlayTree(self._base, self._files)

    def _effect(self, operation: Operation, files: Files) -> Effect:
        changes, created, deleted = changes_between(self._tree, files)
        basis = operation.basis
        return Effect(
            id=hashlib.sha256(f"{self._task}\0{operation!r}".encode()).hexdigest()[:16],
            task=self._task,
            kind=operation.kind,
            changes=changes,
            created=created,
            deleted=deleted,
            sources=basis.sources,
            quotes=basis.quotes,
            dated=basis.dated,
        )


def describe(operation: Operation) -> str:
    """Return one line of what `operation` does, from its own paths only."""
    match operation:
        case Add(path=path):
            return f"add to {path}"
        case Revise(span=span):
            return f"revise in {span.path}"
        case Remove(span=span):
            return f"remove {'from ' if span.text is not None else ''}{span.path}"
        case Merge(into=into, absorbed=absorbed):
            return f"merge {', '.join(sorted({span.path for span in absorbed}))} into {into.path}"
        case Move(span=span, to=to):
            return f"move {'lines of ' if span.text is not None else ''}{span.path} to {to}"
        case Shorten(span=span):
            return f"shorten in {span.path}"
        case _ as unreachable:
            assert_never(unreachable)
