"""Copies and places that somebody has damaged: nothing is changed on the word of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.errors import FatalError
from dream.memory.operations import Remove, Span
from dream.memory.tree import MappingTree
from dream.proposals.folder import held_folder, no_tick
from dream.proposals.journal import Snapshot
from dream.proposals.places import NoPlaceError, by_place, from_place
from dream.proposals.running import carry_out, take_back, write_down
from tests.proposals.folders import folder_of, standing


@pytest.mark.parametrize("damage", [b"else\n", None], ids=["other-bytes", "gone"])
def test_an_undo_with_a_damaged_copy_changes_nothing(tmp_path: Path, damage: bytes | None) -> None:
    memory = folder_of(tmp_path / "memory", {"a.md": "# A\n", "old/b.md": "# B\n"})
    snapshot, edits = Snapshot(tmp_path / "p.undo"), {"a.md": b"# A, longer\n", "old/b.md": None}
    with held_folder(memory) as folder:
        before = {path: found for path in edits if (found := folder.read(path)) is not None}
        journal = write_down(folder, edits, before, memory=memory, proposal="f" * 64, items=["1"])
        carry_out(folder, edits, before, journal=journal, snapshot=snapshot, tick=no_tick)
    copy = snapshot.path / "before/0001"
    kept = copy.read_bytes()
    copy.unlink()
    if damage is not None:
        copy.write_bytes(damage)
    after = standing(memory)
    with held_folder(memory) as folder, pytest.raises(FatalError):
        take_back(folder, snapshot, tick=no_tick)
    assert standing(memory) == after
    copy.write_bytes(kept)
    with held_folder(memory) as folder:
        take_back(folder, snapshot, tick=no_tick)
    assert sorted(standing(memory)) == ["a.md", "old", "old/b.md"]


@pytest.mark.parametrize("lines", [[1], [1, 2, 3], "ab", ["1", "2"], [1.5, 2], [None, 2], {"a": 1}, 3, None])
def test_lines_that_are_none_stand_nowhere(lines: object) -> None:
    tree = MappingTree({"a.md": b"# A\n\n- One.\n"})
    step = by_place(Remove(span=Span(path="a.md", text="- One.")), tree)
    with pytest.raises(NoPlaceError):
        from_place({**step, "span": {**step["span"], "lines": lines}}, tree)
