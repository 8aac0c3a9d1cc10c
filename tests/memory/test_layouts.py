from __future__ import annotations

import pytest

from dream.memory.layouts import Layout, layout_of
from dream.memory.tree import MappingTree


@pytest.mark.parametrize(
    ("paths", "layout"),
    [
        (["MEMORY.md", "services/search.md"], Layout.INDEXED),
        (["index.md", "state.md", "decisions.md", "facts.md", "tasks.md"], Layout.FIVE_FILES),
        (["index.md", "facts.md", "tasks.md"], Layout.FIVE_FILES),
        (["index.md", "tasks.md"], Layout.INDEXED),
        (["index.md", "state.md", "facts.md", "MEMORY.md"], Layout.INDEXED),
        (["state.md", "decisions.md", "facts.md", "tasks.md"], Layout.INDEXED),
        ([], Layout.INDEXED),
    ],
)
def test_five_files_are_a_layout_where_no_other_index_stands(paths: list[str], layout: Layout) -> None:
    assert layout_of(MappingTree(dict.fromkeys(paths, b"# x\n"))) is layout
