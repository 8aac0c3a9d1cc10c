"""Which notes agents are shown without asking: those that the part of the index that they load links to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dream.memory.layouts import FIVE_INDEX, Layout, layout_of
from dream.memory.links.notation import PathLookup, resolve, scan_links
from dream.memory.paths import INDEX, is_topic

if TYPE_CHECKING:
    from dream.memory.limits import IndexLimits
    from dream.memory.tree import Tree


def loaded_notes(tree: Tree, *, limits: IndexLimits) -> frozenset[str]:
    """Return the topic notes that the loaded part of the index links to; beyond it agents see nothing unless they look.

    A page of the catalog is not loaded, so that a note which only stands there is not shown.
    """
    path = FIVE_INDEX if layout_of(tree) is Layout.FIVE_FILES else INDEX
    data = tree.read(path)
    if data is None:
        return frozenset()
    loaded = b"\n".join(data[: limits.bytes].split(b"\n")[: limits.lines])
    if len(data) > limits.bytes:
        loaded = loaded.rpartition(b"\n")[0]
    lookup = PathLookup(tree.paths())
    found = (resolve(path, link, lookup) for link in scan_links(loaded.decode(errors="replace")))
    return frozenset(one for one in found if one and is_topic(one))
