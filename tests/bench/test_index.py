"""The bench of the index measures what it says: a plain list loses its tail there, and the index loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.index.__main__ import main, real_table
from bench.index.measuring import index_memory
from bench.index.memories import Memory, five_files, made_memory, real_memories


def test_every_note_of_a_made_memory_is_reached_and_a_plain_list_loses_its_tail() -> None:
    few, many = index_memory(made_memory(40)), index_memory(made_memory(1_001))
    assert (few.reachable, few.plain) == (many.reachable, 1.0) == (1.0, 1.0)
    assert many.plain < 0.25
    assert many.fits
    assert many.largest <= 200_000
    assert [few.again, many.again] == [0, 0]
    assert max(many.changes[kind] for kind in ("changed", "retitled", "added", "renamed", "removed")) <= 3


def test_it_sees_a_note_that_nothing_leads_to(tmp_path: Path) -> None:
    index = "# Memory\n\n" + "Ours.\n" * 198
    memory = Memory(name="full", files={"MEMORY.md": index.encode(), "a.md": b"# A\n"}, changed={})
    found = index_memory(memory)
    assert (found.reachable, found.findings) == (0.0, ("no-room-for-the-catalog",))
    assert (found.theirs, found.kept, found.fits) == (199, 199, True)
    assert list(real_memories(tmp_path)) == []


def test_a_memory_of_five_files_is_reached_through_its_own_index() -> None:
    found = index_memory(five_files(400))
    assert (found.reachable, found.again, found.largest) == (1.0, 0, 0)
    assert found.lines <= 200


def test_the_short_bench_prints_both_tables(
    shared_data: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    real = list(real_memories(shared_data / "memory_trees" / "aaronjmars__aeon"))
    assert "| least share reached | 1.00 |" in real_table([index_memory(one) for one in real])
    assert main(["--short", str(tmp_path / "none")]) == 0
    assert "| 200 notes in one folder | 200 | 1.00 |" in capsys.readouterr().out
