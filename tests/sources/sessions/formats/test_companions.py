from __future__ import annotations

from pathlib import Path

from dream.sources.sessions.formats.companions import (
    companion_record,
    companion_value,
    files_in,
    folders_in,
    is_folder,
    is_plain_name,
)
from tests.sources.sessions.transcripts import write


def test_a_companion_is_an_object_and_nothing_else(tmp_path: Path) -> None:
    assert companion_value(write(tmp_path, "a.json", b'{"a": 1}'), limit=100) == ({"a": 1}, 8)
    assert companion_value(write(tmp_path, "b.json", b"[1]"), limit=100) == ({}, 3)
    assert companion_record(write(tmp_path, "c.json", b"{"), limit=100) == {}
    assert companion_record(write(tmp_path, "d.json", b'{"a": 1}'), limit=7) == {}
    assert companion_record(tmp_path / "none.json", limit=100) == {}
    assert companion_record(tmp_path, limit=100) == {}
    assert companion_record(tmp_path / "a\0b", limit=100) == {}


def test_a_link_is_never_followed(tmp_path: Path) -> None:
    write(tmp_path, "away/a.json", b'{"a": 1}')
    (tmp_path / "here").mkdir()
    (tmp_path / "here/a.json").symlink_to(tmp_path / "away/a.json")
    (tmp_path / "link").symlink_to(tmp_path / "away")
    assert companion_record(tmp_path / "here/a.json", limit=100) == {}
    assert files_in(tmp_path / "here", most=10) == []
    assert files_in(tmp_path / "link", most=10) == []
    assert not is_folder(tmp_path / "link")
    assert folders_in(tmp_path, most=10) == [tmp_path / "away", tmp_path / "here"]


def test_of_a_folder_so_many_files_are_told_in_order(tmp_path: Path) -> None:
    for name in ("c.json", "a.json", "b.json", "d.txt"):
        write(tmp_path, name, b"{}")
    assert files_in(tmp_path, most=2) == [tmp_path / "a.json", tmp_path / "b.json"]
    assert files_in(tmp_path / "none", most=2) == []


def test_a_name_that_leads_elsewhere_is_not_plain() -> None:
    assert is_plain_name("msg_01AB-x.y")
    assert [one for one in ("", "..", ".x", "a/b", "a\\b", "a\n") if is_plain_name(one)] == []
