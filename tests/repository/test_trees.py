"""Commits read as trees, hostile ones included."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from dream.errors import FatalError, NotAMemoryError
from dream.memory.tree import Tree, blob_id
from dream.repository.failures import BrokenMirrorError
from dream.repository.limits import RepositoryLimits
from dream.repository.tree_objects import is_forbidden_name
from dream.repository.trees import GitTree
from tests.repository.stores import blob, commit, raw_tree, store, tree

FILES = {"MEMORY.md": b"# Memory\n", "a b/\xc3\xa4.md".encode().decode("latin-1"): b"\xff\xfe", "services/api.md": b""}


def test_a_commit_reads_as_its_files(tmp_path: Path) -> None:
    repository = store(tmp_path)
    at: Tree = GitTree(repository, commit(repository, FILES))
    assert at.paths() == sorted(FILES)
    assert {path: at.read(path) for path in at.paths()} == FILES
    assert {path: at.blob(path) for path in at.paths()} == {path: blob_id(data) for path, data in FILES.items()}
    assert [at.size(path) for path in at.paths()] == [len(FILES[path]) for path in sorted(FILES)]
    assert at.oddities() == {}


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    repository = store(tmp_path)
    at = GitTree(repository, commit(repository, FILES))
    for path in ("nothing.md", "services", "services/", "/MEMORY.md", ""):
        assert (at.read(path), at.blob(path), at.size(path)) == (None, None, 0)


def test_nothing_reads_as_an_empty_tree(tmp_path: Path) -> None:
    at = GitTree(store(tmp_path), None)
    assert (at.paths(), at.tree_id, at.read("MEMORY.md")) == ([], None, None)


def test_a_prefix_hides_everything_else(tmp_path: Path) -> None:
    repository = store(tmp_path)
    link = raw_tree(repository, (b"120000", b"outside", blob(repository, b"/etc/passwd")))
    notes = tree(repository, {"MEMORY.md": b"in", "a/b.md": b"b"})
    root = raw_tree(repository, (b"40000", b"links", link), (b"40000", b"notes", notes))
    at = GitTree(repository, root, "/notes/")
    assert at.paths() == ["MEMORY.md", "a/b.md"]
    assert at.oddities() == {}
    assert at.read("MEMORY.md") == b"in"
    assert GitTree(repository, root, "nowhere").paths() == []


def test_a_prefix_that_is_a_file_is_no_memory(tmp_path: Path) -> None:
    repository = store(tmp_path)
    with pytest.raises(NotAMemoryError, match=r"MEMORY\.md is no folder in the repository"):
        GitTree(repository, tree(repository, FILES), "MEMORY.md").paths()


def test_what_is_no_regular_file_is_odd_and_left_alone(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    inner = raw_tree(repository, (b"100644", b"config", data), (b"120000", b"link", data))
    root = raw_tree(
        repository,
        (b"40000", b".git", inner),
        (b"100644", b"..", data),
        (b"100644", b"a/b.md", data),
        (b"100644", b"caf\xe9.md", data),
        (b"100644", b"fine.md", data),
        (b"40000", b"folder", inner),
        (b"40000", b"g\xff", inner),
        (b"100664", b"group.md", data),
        (b"120000", b"link.md", data),
        (b"160000", b"module", data),
        (b"100755", b"run.md", data),
        (b"100644", b"twice.md", data),
        (b"100644", b"twice.md", data),
    )
    at = GitTree(repository, root)
    assert at.paths() == ["fine.md", "folder/config", "run.md", "twice.md"]
    assert at.oddities() == {
        "..": "name is forbidden by git",
        ".git": "name is forbidden by git",
        "a/b.md": "name is forbidden by git",
        "caf\\xe9.md": "name is not UTF-8",
        "folder/link": "symlink",
        "g\\xff": "name is not UTF-8",
        "group.md": "mode 100664",
        "link.md": "symlink",
        "module": "submodule",
        "twice.md": "name is there twice",
    }


@pytest.mark.parametrize(
    "name",
    [".git", ".GIT", ".g\u200cit", "GIT~1", ".git ", ".git. .", ".git::$INDEX_ALLOCATION", ".", "..", "", "a/b", "\0"],
)
def test_names_that_git_or_a_file_system_takes_for_something_else_are_forbidden(name: str) -> None:
    assert is_forbidden_name(name)


@pytest.mark.parametrize("name", [".github", ".gitignore", "git", ".dream", "...", "a.git", "\n", "git~12"])
def test_other_names_are_not(name: str) -> None:
    assert not is_forbidden_name(name)


def _bomb(path: Path, *, levels: int, width: int, leaf: bool) -> GitTree:
    repository = store(path)
    here = raw_tree(repository, *([(b"100644", b"f", blob(repository))] if leaf else []))
    for _ in range(levels):
        here = raw_tree(repository, *((b"40000", b"d%d" % number, here) for number in range(width)))
    return GitTree(repository, here)


@pytest.mark.parametrize("leaf", [True, False])
def test_ten_objects_that_name_a_billion_files_are_refused(tmp_path: Path, leaf: bool) -> None:  # noqa: FBT001
    at = _bomb(tmp_path, levels=10, width=10, leaf=leaf)
    with pytest.raises(FatalError, match=f"the tree {at.tree_id} holds more than 50000 entries"):
        at.paths()


def test_folders_nested_too_deeply_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FatalError, match="nested deeper than 32"):
        _bomb(tmp_path, levels=100, width=1, leaf=True).paths()


def test_the_budget_is_a_setting(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {f"{number}.md": b"" for number in range(11)})
    assert len(GitTree(repository, root, limits=RepositoryLimits(tree_entries=11)).paths()) == 11
    with pytest.raises(FatalError, match="more than 10 entries"):
        GitTree(repository, root, limits=RepositoryLimits(tree_entries=10)).paths()


def test_what_cannot_be_read_is_a_broken_mirror_and_names_the_object(tmp_path: Path) -> None:
    repository = store(tmp_path)
    gone = "1" * 40
    with pytest.raises(BrokenMirrorError, match=f"commit {gone} cannot be read"):
        GitTree(repository, gone)
    at = GitTree(repository, raw_tree(repository, (b"100644", b"a.md", gone), (b"40000", b"b", gone)))
    with pytest.raises(BrokenMirrorError, match=f"tree {gone} cannot be read"):
        at.paths()
    at = GitTree(repository, raw_tree(repository, (b"100644", b"a.md", gone)))
    for read in (at.read, at.size):
        with pytest.raises(BrokenMirrorError, match=f"blob {gone} cannot be read"):
            read("a.md")


@pytest.mark.parametrize(
    "damage", [b"x", b"100644 cut", b"100644 a\0short", b"\0" * 50, b"9 a\0" + b"x" * 20, b"100644 \0" + b"x" * 20]
)
def test_a_malformed_tree_is_a_broken_mirror(tmp_path: Path, damage: bytes) -> None:
    repository = store(tmp_path)
    data = b"100644 a.md\0" + bytes.fromhex(blob(repository)) + damage
    root = str(repository.write(pygit2.enums.ObjectType.TREE, data))
    with pytest.raises(BrokenMirrorError, match="it is no well-formed tree"):
        GitTree(repository, root).paths()
    with pytest.raises(BrokenMirrorError, match="it is no well-formed tree"):
        GitTree(repository, root, "no/such/folder").paths()


@pytest.mark.parametrize("data", [b"0" * 100_000, b"100644 " * 2_000, b"100644 a" + b"b" * 100_000])
def test_a_malformed_tree_is_refused_in_linear_time(tmp_path: Path, data: bytes) -> None:
    repository = store(tmp_path)
    root = str(repository.write(pygit2.enums.ObjectType.TREE, data))
    with pytest.raises(BrokenMirrorError):
        GitTree(repository, root).paths()


@pytest.mark.parametrize("text", ["", "main", "HEAD", "1" * 39, "1" * 41, "G" * 40, "1" * 40 + "\n"])
def test_only_a_full_object_id_names_a_commit(tmp_path: Path, text: str) -> None:
    with pytest.raises(FatalError, match="is no object id"):
        GitTree(store(tmp_path), text)


def test_a_sibling_reads_the_same(tmp_path: Path) -> None:
    repository = store(tmp_path)
    first = GitTree(repository, tree(repository, FILES))
    first.paths()
    second = GitTree(repository, tree(repository, {**FILES, "services/db.md": b"new"}), sibling=first)
    assert second.paths() == sorted([*FILES, "services/db.md"])
    assert second.read("services/db.md") == b"new"
