from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from dream.object_store import Objects
from dream.private_folders import make_private, write_private
from dream.repository.kept_files import replace_file


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.usefixtures("umask")
def test_folders_and_files_are_their_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "acme" / "reports"
    make_private(folder)
    write_private(folder / "one", b"1")
    replace_file(folder / "two", b"2", "the report")
    replace_file(folder / "hook", b"3", "the hook", mode=0o755)
    made = {str(path.relative_to(tmp_path)): mode(path) for path in tmp_path.rglob("*")}
    assert made == {
        "home": 0o700,
        "home/acme": 0o700,
        "home/acme/reports": 0o700,
        "home/acme/reports/one": 0o600,
        "home/acme/reports/two": 0o600,
        "home/acme/reports/hook": 0o755,
    }


def test_a_folder_that_is_open_to_others_is_narrowed_and_what_is_above_it_left(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "acme"
    folder.mkdir(parents=True)
    (tmp_path / "home").chmod(0o755)
    folder.chmod(0o775)
    make_private(folder)
    assert (mode(tmp_path / "home"), mode(folder)) == (0o755, 0o700)


def test_a_file_that_is_open_to_others_is_narrowed_before_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.touch(mode=0o644)
    write_private(path, b"1")
    assert (mode(path), path.read_bytes()) == (0o600, b"1")


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "acme").touch()
    with pytest.raises(OSError, match="Not a directory"):
        make_private(tmp_path / "acme" / "reports")


def test_a_store_in_a_folder_is_its_owners_alone_from_what_it_makes_on(tmp_path: Path) -> None:
    store = tmp_path / "kept"
    (store / "acme" / "answers").mkdir(parents=True)
    (store / "acme" / "answers").chmod(0o755)
    Objects(str(store / "acme"), "answers").write("2026-10-22/1.json", b"1")
    Objects(str(store / "birch"), "answers").write("2026-10-22/1.json", b"1")
    assert [mode(store / name) for name in ("acme/answers", "birch", "birch/answers")] == [0o700, 0o700, 0o700]
