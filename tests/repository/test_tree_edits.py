"""New trees made of old ones."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.repository.failures import PathConflictError
from dream.repository.tree_edits import write_tree
from dream.repository.trees import GitTree
from tests.repository.stores import blob, commit, raw_data, raw_tree, store, tree
from tests.support.repositories import git

FILES = {"MEMORY.md": b"# Memory\n", "services/api.md": b"api\n", "services/db.md": b"db\n", "z.md": b"z\n"}


def test_changes_come_out_and_nothing_else(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = commit(repository, FILES)
    changes = {"services/api.md": b"new\n", "services/db.md": None, "deep/er/x.md": b"x"}
    made = GitTree(repository, write_tree(repository, base, changes))
    expected = {"MEMORY.md": b"# Memory\n", "services/api.md": b"new\n", "z.md": b"z\n", "deep/er/x.md": b"x"}
    assert {path: made.read(path) for path in made.paths()} == expected


def test_git_finds_the_tree_well_formed(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {"a-b.md": b"1", "a/x.md": b"2", "a.md": b"3", "a0": b"4", "B/c/d.md": b"5"})
    at = Path(repository.path)
    git(at, "fsck", "--strict", "--no-dangling")
    git(at, "read-tree", root)
    assert git(at, "write-tree") == root


def test_no_change_is_the_same_tree(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = tree(repository, FILES)
    for changes in ({}, {"z.md": b"z\n"}, {"nothing.md": None}, {"no/such/folder.md": None}, {"z.md/x": None}):
        assert write_tree(repository, base, changes) == base


def test_emptied_folders_go(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = tree(repository, {"a/b/c.md": b"", "x.md": b""})
    assert write_tree(repository, base, {"a/b/c.md": None}) == tree(repository, {"x.md": b""})
    assert write_tree(repository, base, {"a/b/c.md": None, "x.md": None}) == tree(repository, {})


def test_modes_and_odd_entries_stay_bit_for_bit(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    odd = raw_tree(repository, (b"100644", b".git", data), (b"100664", b"z", data))
    entries = [
        (b"40000", b".git", odd),
        (b"100755", b"a.sh", data),
        (b"120000", b"b-link", data),
        (b"100644", b"caf\xe9", data),
        (b"040000", b"d", odd),
        (b"160000", b"e", data),
        (b"100644", b"f.md", data),
        (b"100644", b"twice", data),
        (b"100644", b"twice", blob(repository, b"y")),
    ]
    base = raw_tree(repository, *entries)
    new = blob(repository, b"new")
    made = write_tree(repository, base, {"a.sh": b"new", "f.md": b"new"})
    expected = [(mode, name, new if name in {b"a.sh", b"f.md"} else oid) for mode, name, oid in entries]
    assert raw_data(repository, made) == raw_data(repository, raw_tree(repository, *expected))


def test_an_untouched_folder_is_not_even_read(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = raw_tree(repository, (b"40000", b"gone", "1" * 40), (b"40000", b"here", tree(repository, {"a.md": b""})))
    made = write_tree(repository, base, {"here/a.md": b"new"})
    expected = raw_tree(
        repository, (b"40000", b"gone", "1" * 40), (b"40000", b"here", tree(repository, {"a.md": b"new"}))
    )
    assert made == expected


def test_a_prefix_is_where_changes_go(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = tree(repository, {"code.py": b"code", "notes/a.md": b"a"})
    assert write_tree(repository, base, {"a.md": b"b"}, "notes") == tree(
        repository, {"code.py": b"code", "notes/a.md": b"b"}
    )
    assert write_tree(repository, base, {"a.md": None}, "/notes/") == tree(repository, {"code.py": b"code"})
    assert write_tree(repository, None, {"a.md": b"a"}, "x/y") == tree(repository, {"x/y/a.md": b"a"})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"a": b""}, "a cannot be changed: a folder stands there"),
        ({"a": None}, "a cannot be changed: a folder stands there"),
        ({"z.md/x.md": b""}, "nothing can be written under z.md: it is no folder"),
        ({"link": b""}, "link cannot be changed: no regular file stands there"),
        ({"link": None}, "link cannot be changed: no regular file stands there"),
        ({"link/x.md": b""}, "nothing can be written under link: it is no folder"),
        ({"new": b"", "new/x.md": b""}, "new cannot be changed: a folder stands there"),
        ({"new/x.md": b"", "new": b""}, "new cannot be changed: a folder stands there"),
        ({"x/.git/hooks/post-checkout": b""}, "'x/.git/hooks/post-checkout' cannot be written: git forbids the name"),
        ({"../x.md": b""}, "'../x.md' cannot be written: git forbids the name"),
        ({"/x.md": b""}, "'/x.md' cannot be written: git forbids the name"),
        ({"x.md/": b""}, "'x.md/' cannot be written: git forbids the name"),
    ],
)
def test_what_stands_in_the_way_is_named(tmp_path: Path, changes: Mapping[str, bytes | None], said: str) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    inner = tree(repository, {"b.md": b""})
    base = raw_tree(repository, (b"40000", b"a", inner), (b"120000", b"link", data), (b"100644", b"z.md", data))
    with pytest.raises(PathConflictError) as caught:
        write_tree(repository, base, changes)
    assert str(caught.value) == said


def test_a_name_that_is_there_twice_is_not_written(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    base = raw_tree(repository, (b"100644", b"twice", data), (b"100644", b"twice", data))
    with pytest.raises(PathConflictError, match="its name is there twice"):
        write_tree(repository, base, {"twice": b"new"})


def test_one_set_of_changes_can_swap_a_file_and_a_folder(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = tree(repository, {"a": b"", "b/c.md": b""})
    changes = {"a": None, "a/x.md": b"x", "b/c.md": None, "b": b"b"}
    assert write_tree(repository, base, changes) == tree(repository, {"a/x.md": b"x", "b": b"b"})


_NAMES = st.sampled_from(["a", "b", "a.md", "a-b", "a0", "ä"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=3).map("/".join)


@given(
    before=st.dictionaries(_PATHS, st.binary(max_size=3)),
    changes=st.dictionaries(_PATHS, st.none() | st.binary(max_size=3)),
)
def test_a_tree_is_its_files_however_it_came_about(before: dict[str, bytes], changes: dict[str, bytes | None]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repository = store(Path(folder))
        start = {path: data for path, data in before.items() if not _clashes(path, before)}
        after = {path: data for path, data in {**start, **changes}.items() if data is not None}
        try:
            made = write_tree(repository, tree(repository, start), changes)
        except PathConflictError:
            wanted = {path for path, data in changes.items() if data is not None}
            removed_folders = {path for path in changes if path not in wanted and _holds(path, start)}
            assert removed_folders or any(_clashes(path, after) for path in after)
        else:
            at = GitTree(repository, made)
            assert {path: at.read(path) for path in at.paths()} == after
            assert made == tree(repository, after)


def _holds(folder: str, files: Mapping[str, bytes | None]) -> bool:
    return any(path.startswith(folder + "/") for path in files)


def _clashes(path: str, files: Mapping[str, bytes | None]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:count]) in files for count in range(1, len(parts))) or _holds(path, files)
