"""How a memory is laid out: with `MEMORY.md` as its index, or as the five files of which `index.md` is one."""

from __future__ import annotations

from enum import StrEnum, auto
from typing import TYPE_CHECKING

from dream.memory.paths import FIVE_INDEX, INDEX

if TYPE_CHECKING:
    from dream.memory.tree import Tree

__all__ = ["FIVE", "FIVE_INDEX", "FIVE_TASKS", "Layout", "index_path", "layout_of"]

FIVE_TASKS = "tasks.md"
FIVE = ("state.md", "decisions.md", "facts.md", FIVE_TASKS)
"""What stands beside `index.md` in a memory of five files."""
_ENOUGH = 2


class Layout(StrEnum):
    """Which file agents load first, and in whose shape the others are."""

    INDEXED = auto()
    FIVE_FILES = auto()


def layout_of(tree: Tree) -> Layout:
    """Return how `tree` is laid out.

    It is of five files where `index.md` stands at its root beside two of `state.md`, `decisions.md`, `facts.md` and
    `tasks.md`, and no `MEMORY.md` does.
    """
    if tree.blob(FIVE_INDEX) is None or tree.blob(INDEX) is not None:
        return Layout.INDEXED
    is_of_five = sum(tree.blob(name) is not None for name in FIVE) >= _ENOUGH
    return Layout.FIVE_FILES if is_of_five else Layout.INDEXED


def index_path(tree: Tree) -> str:
    """Return which file is the index that agents load of `tree`: `index.md` of five files, else `MEMORY.md`."""
    return FIVE_INDEX if layout_of(tree) is Layout.FIVE_FILES else INDEX
