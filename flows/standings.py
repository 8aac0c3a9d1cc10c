"""The memory as a commit holds it, as far as a night's report shows it."""

from __future__ import annotations

from dream.memory.layouts import index_path
from dream.memory.paths import is_topic
from dream.memory.state import State
from dream.memory.tree import Tree
from dream.report.standing import MOST_INDEX_BYTES, Standing


def read_standing(tree: Tree, state: State) -> Standing:
    """Return the index of `tree`, and of each topic note what `state` says of its last look."""
    path = index_path(tree)
    data = tree.read(path) or b""
    return Standing(
        index_path=path,
        index=data[:MOST_INDEX_BYTES].decode("utf-8", "replace"),
        index_bytes=len(data),
        checked={note: state.checked.get(note) for note in tree.paths() if is_topic(note)},
        unverified=state.unverified,
    )
