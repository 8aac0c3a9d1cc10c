"""A night on every real memory lands, and touches only the lines that it says it touched."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dream.memory.records import Effect
from tests.conftest import DATA
from tests.support.repositories import assert_sound
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

TREES = sorted(path.name for path in (DATA / "memory_trees").iterdir() if path.is_dir()) if DATA.is_dir() else ["none"]
MADE_AFRESH = ("MEMORY.md", "CATALOG", ".dream/", "daily/")


def files_below(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def lines_of(data: bytes) -> Counter[bytes]:
    return Counter(data.split(b"\n"))


def told(effects: tuple[Effect, ...], path: str) -> tuple[Counter[bytes], Counter[bytes]]:
    changes = [change for effect in effects for change in effect.changes if change.path == path]
    removed = Counter(line.encode() for change in changes for line in change.removed)
    added = Counter(line.encode() for change in changes for line in change.added)
    return removed, added


@pytest.mark.parametrize("name", TREES)
def test_a_night_lands_and_touches_only_what_it_says(
    name: str, shared_data: Path, served: Served, tmp_path: Path
) -> None:
    before = files_below(shared_data / "memory_trees" / name)
    stage = stage_of(served, tmp_path, before)
    stage.summarise({})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    assert_sound(stage.hosted)
    after = stage.files()
    assert set(before) - set(after) == {path for effect in stage.record().effects for path in effect.deleted}
    for path, data in before.items():
        if path in after and after[path] != data and not path.startswith(MADE_AFRESH):
            removed, added = told(stage.record().effects, path)
            assert lines_of(data) - removed + added == lines_of(after[path]), path
    assert_accounts_add_up(stage)


def assert_accounts_add_up(stage: Stage) -> None:
    for record in stage.record().tasks.values():
        assert record.inputs == record.written + sum(record.not_written.values()) + record.pending


@pytest.mark.parametrize("name", TREES)
def test_a_second_night_on_it_is_quiet(name: str, shared_data: Path, served: Served, tmp_path: Path) -> None:
    stage = stage_of(served, tmp_path, files_below(shared_data / "memory_trees" / name))
    stage.dream()
    tidied = stage.files()
    stage.next_night()
    left = {path: data for path, data in stage.files().items() if not path.startswith(".dream/")}
    assert left == {path: data for path, data in tidied.items() if not path.startswith(".dream/")}
