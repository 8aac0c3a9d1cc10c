from __future__ import annotations

from pathlib import Path

from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree
from flows.neighbourhood import KEPT, neighbours_of

NOTES = {"a.md": b"- checkout-api retries a declined card three times\n", "b.md": b"- invoices are sent on Mondays\n"}


def test_the_next_night_reads_only_the_notes_that_it_does_not_know(tmp_path: Path) -> None:
    home = tmp_path / "acme"
    assert neighbours_of(home, MappingTree(NOTES), NoteCache()).read == 2
    assert neighbours_of(home, MappingTree(NOTES), NoteCache()).read == 0
    changed = MappingTree({**NOTES, "b.md": b"- invoices are sent on Tuesdays\n"})
    assert neighbours_of(home, changed, NoteCache()).read == 1
    assert neighbours_of(home, changed, NoteCache()).read == 0
    assert [path.name for path in home.iterdir()] == [KEPT]
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / KEPT).stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_is_made_again(tmp_path: Path) -> None:
    neighbours_of(tmp_path, MappingTree(NOTES), NoteCache())
    kept = (tmp_path / KEPT).read_bytes()
    (tmp_path / KEPT).write_bytes(kept[:-3])
    assert neighbours_of(tmp_path, MappingTree(NOTES), NoteCache()).read == 2
    assert (tmp_path / KEPT).read_bytes() == kept


def test_a_folder_in_its_place_costs_a_reading_and_no_night(tmp_path: Path) -> None:
    (tmp_path / KEPT).mkdir()
    assert neighbours_of(tmp_path, MappingTree(NOTES), NoteCache()).read == 2
    assert [path.name for path in tmp_path.iterdir()] == [KEPT]
