from __future__ import annotations

import os
from pathlib import Path

from dream.memory.tree import blob_id
from flows.commands.folders import FolderTree


def test_a_folder_holds_its_regular_files_and_git_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "services").mkdir()
    (tmp_path / "services/checkout.md").write_bytes(b"# Checkout\r\n")
    (tmp_path / "MEMORY.md").write_bytes(b"")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("ref: refs/heads/main")
    tree = FolderTree(tmp_path)
    assert tree.paths() == ["MEMORY.md", "services/checkout.md"]
    assert tree.read("services/checkout.md") == b"# Checkout\r\n"
    assert tree.size("services/checkout.md") == 12
    assert tree.blob("services/checkout.md") == blob_id(b"# Checkout\r\n")
    assert (tree.blob("none.md"), tree.read("none.md"), tree.size("none.md")) == (None, None, 0)


def test_whatever_is_no_regular_file_is_an_oddity_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n")
    (tmp_path / "link.md").symlink_to("note.md")
    (tmp_path / "round").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    tree = FolderTree(tmp_path)
    assert tree.paths() == ["note.md"]
    assert tree.oddities() == {
        "caf\\xe9.md": "name is not UTF-8",
        "link.md": "symlink",
        "pipe.md": "no regular file",
        "round": "symlink",
    }


def test_a_large_file_has_the_id_that_git_gives_it(tmp_path: Path) -> None:
    data = b"0123456789" * 300_000
    (tmp_path / "large.bin").write_bytes(data)
    assert FolderTree(tmp_path).blob("large.bin") == blob_id(data)


def test_a_file_that_goes_while_it_is_read_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Note\n")
    tree = FolderTree(tmp_path)
    (tmp_path / "note.md").unlink()
    assert (tree.read("note.md"), tree.blob("note.md")) == (None, None)
