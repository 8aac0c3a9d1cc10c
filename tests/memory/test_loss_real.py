"""Loss on memories as people keep them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dream.memory.loss import measure_loss
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree
from dream.memory.units import BaseUnits

MANY = 4


def memories(root: Path) -> Iterator[dict[str, bytes]]:
    for folder in sorted(root.iterdir()):
        if folder.is_dir():
            yield {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*.md"))
                if path.is_file() and not path.is_symlink()
            }


def test_every_real_memory_stays_whole_under_renames_and_loses_what_is_deleted(shared_data: Path) -> None:
    checked = 0
    for files in memories(shared_data / "memory_trees"):
        base = BaseUnits(MappingTree(files), NoteCache())
        same = measure_loss(base, MappingTree(files))
        renamed = measure_loss(
            base, MappingTree({f"moved/{path}" if is_topic(path) else path: files[path] for path in files})
        )
        assert (same.notes, same.statements, renamed.notes, renamed.statements) == ((), (), (), ())
        assert same.topic_notes == sum(map(is_topic, files))
        telling = [path for path in base.paths if base.units(path).count]
        for path in telling[:: max(1, len(telling) // 20)]:
            left = MappingTree({other: data for other, data in files.items() if other != path})
            loss = measure_loss(base, left, touched=[path])
            assert loss.notes == (path,)
            assert {statement.path for statement in loss.statements} <= {path}
            checked += 1
    assert checked > 60


def test_hollowing_a_real_note_costs_the_note(shared_data: Path) -> None:
    checked = 0
    for files in memories(shared_data / "memory_trees"):
        base = BaseUnits(MappingTree(files), NoteCache())
        for path in [path for path in base.paths if len(base.units(path).entries) > MANY][:10]:
            note = parse_note(files[path])
            assert isinstance(note, Note)
            left = {entry.key for entry in note.entries[-(len(base.units(path).entries) // 2 - 1) :]}
            taken = [entry for entry in note.entries if entry.key not in left]
            gone = {number for entry in taken for number in range(entry.start, entry.end)}
            kept = "\n".join(line for number, line in enumerate(note.lines) if number not in gone).encode()
            assert path in measure_loss(base, MappingTree({**files, path: kept}), touched=[path]).notes
            checked += 1
    assert checked > 40
