"""Proposals for guards, built by really applying an operation to a small tree."""

from __future__ import annotations

from collections.abc import Mapping

from dream.memory.applying import apply_operation
from dream.memory.operations import Operation, Proposal, Refusal, Span
from dream.memory.tree import MappingTree, OverlayTree, Tree

Files = Mapping[str, str | bytes]


class OddTree(OverlayTree):
    """A tree with paths that are left alone."""

    def __init__(self, base: Tree, oddities: Mapping[str, str]) -> None:
        super().__init__(base, {})
        self._oddities = oddities

    def oddities(self) -> Mapping[str, str]:
        return self._oddities


def tree_of(files: Files) -> MappingTree:
    """Return a tree of texts and bytes."""
    return MappingTree({path: data.encode() if isinstance(data, str) else data for path, data in files.items()})


def propose(operation: Operation, files: Files | Tree, *, task: str = "tidy") -> Proposal:
    """Return `operation` as a guard sees it; an operation that does not apply is a mistake of the test."""
    before = tree_of(files) if isinstance(files, Mapping) else files
    changed = apply_operation(before, operation)
    assert not isinstance(changed, Refusal), changed
    return Proposal(
        task=task,
        operation=operation,
        before=before,
        after=OverlayTree(before, changed),
        touched=frozenset(changed),
    )


def whole(path: str, files: Files | Tree) -> Span:
    """Return the span of a whole file as it stands."""
    tree = tree_of(files) if isinstance(files, Mapping) else files
    return Span(path=path, text=None, blob=tree.blob(path) or "")
