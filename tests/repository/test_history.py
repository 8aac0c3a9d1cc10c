"""Ancestry, changed and renamed paths, and who wrote what."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pygit2
import pytest

from dream.repository.commits import Identity
from dream.repository.failures import BrokenMirrorError
from dream.repository.history import (
    BlobChange,
    changed_paths,
    commits_between,
    commits_by,
    has_commit,
    is_ancestor,
    last_writer,
    snapshot_blob,
)
from dream.repository.renames import renames
from dream.repository.trees import GitTree
from tests.repository.stores import blob, commit, raw_tree, store, tree
from tests.support.repositories import EPOCH

DREAM = Identity("Nightly Dream", "dream@acme.example")
HOUR = timedelta(hours=1)


def _renames(repository: pygit2.Repository, old: dict[str, bytes], new: dict[str, bytes]) -> dict[str, str]:
    before, after = GitTree(repository, tree(repository, old)), GitTree(repository, tree(repository, new))
    return dict(renames(repository, before, after))


def test_ancestry(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = commit(repository, {"a.md": b"1"})
    left = commit(repository, {"a.md": b"2"}, root)
    right = commit(repository, {"a.md": b"3"}, root)
    merge = commit(repository, {"a.md": b"4"}, left, right)
    for older, newer in ((root, root), (root, merge), (left, merge), (right, merge)):
        assert is_ancestor(repository, older, newer)
    for older, newer in ((merge, root), (left, right), (right, left)):
        assert not is_ancestor(repository, older, newer)


@pytest.mark.parametrize("text", ["", "main", "1" * 40, "1" * 7, "\ud800", "é" * 40, "../../etc/passwd"])
def test_what_is_no_commit_here_is_nobodys_ancestor(tmp_path: Path, text: str) -> None:
    repository = store(tmp_path)
    head = commit(repository, {})
    assert not has_commit(repository, text)
    assert not is_ancestor(repository, text, head)
    assert not is_ancestor(repository, head, text)


def test_a_blob_is_no_commit(tmp_path: Path) -> None:
    repository = store(tmp_path)
    assert not has_commit(repository, blob(repository))


def test_changed_paths_compare_trees_under_the_prefix(tmp_path: Path) -> None:
    repository = store(tmp_path)
    old = commit(repository, {"m/a.md": b"1", "m/b.md": b"2", "m/c.md": b"3", "out.md": b"4"})
    new = commit(repository, {"m/a.md": b"1", "m/b.md": b"two", "m/d.md": b"5", "out.md": b"four"})
    assert changed_paths(GitTree(repository, old, "m"), GitTree(repository, new, "m")) == {
        "b.md": BlobChange(blob(repository, b"2"), blob(repository, b"two")),
        "c.md": BlobChange(blob(repository, b"3"), None),
        "d.md": BlobChange(None, blob(repository, b"5")),
    }


def test_everything_changed_since_nothing(tmp_path: Path) -> None:
    repository = store(tmp_path)
    new = GitTree(repository, commit(repository, {"a.md": b"1"}))
    assert changed_paths(GitTree(repository, None), new) == {"a.md": BlobChange(None, blob(repository, b"1"))}
    assert changed_paths(new, new) == {}


def test_a_mode_alone_changes_nothing(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    plain, program = (raw_tree(repository, (mode, b"a.md", data)) for mode in (b"100644", b"100755"))
    assert changed_paths(GitTree(repository, plain), GitTree(repository, program)) == {}


def test_a_file_that_became_a_symlink_is_gone(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    plain, link = (raw_tree(repository, (mode, b"a.md", data)) for mode in (b"100644", b"120000"))
    assert changed_paths(GitTree(repository, plain), GitTree(repository, link)) == {"a.md": BlobChange(data, None)}


def test_equal_bytes_are_a_rename_and_a_kept_name_wins(tmp_path: Path) -> None:
    old = {"a/one.md": b"same", "a/two.md": b"same", "keep.md": b"same", "x.md": b"x"}
    new = {"b/one.md": b"same", "b/zzz.md": b"same", "keep.md": b"same", "x.md": b"x", "copy.md": b"x"}
    assert _renames(store(tmp_path), old, new) == {"a/one.md": "b/one.md", "a/two.md": "b/zzz.md"}


def test_a_rename_with_a_small_edit_is_found(tmp_path: Path) -> None:
    text = b"".join(b"line %d of the runbook\n" % number for number in range(40))
    old = {"runbooks/db.md": text, "other.md": b"nothing alike\n" * 20}
    new = {"services/db.md": text.replace(b"line 7", b"line seven"), "fresh.md": b"brand new words\n" * 20}
    assert _renames(store(tmp_path), old, new) == {"runbooks/db.md": "services/db.md"}


def test_a_deletion_is_no_rename(tmp_path: Path) -> None:
    assert _renames(store(tmp_path), {"a.md": b"alpha\n" * 9, "b.md": b"b"}, {"b.md": b"alpha\n" * 9}) == {}


def test_thousands_of_equal_files_are_matched_at_once(tmp_path: Path) -> None:
    old = {f"a/{number:05}.md": b"" for number in range(1_000)}
    new = {f"b/{number:05}.md": b"" for number in range(1_000)}
    assert _renames(store(tmp_path), old, new) == {f"a/{n:05}.md": f"b/{n:05}.md" for n in range(1_000)}


def test_the_writer_is_whoever_brought_the_content_not_who_merged_it(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = commit(repository, {"state": b"1"})
    night = commit(repository, {"state": b"2"}, root)
    person = commit(repository, {"state": b"1", "a.md": b"a"}, root)
    merge = commit(repository, {"state": b"2", "a.md": b"a"}, person, night)
    head = commit(repository, {"state": b"2", "a.md": b"b"}, merge)
    assert last_writer(repository, "state", head) == night
    assert last_writer(repository, "state", person) == root
    assert last_writer(repository, "a.md", merge) == person
    assert last_writer(repository, "nothing", head) is None


def test_who_brings_old_content_back_has_written_it(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = commit(repository, {".dream/state.json": b"1"})
    night = commit(repository, {".dream/state.json": b"2"}, root)
    back = commit(repository, {".dream/state.json": b"1"}, night)
    assert last_writer(repository, ".dream/state.json", back) == back
    assert last_writer(repository, "state.json", back, "/.dream") == back


def test_a_blob_is_found_without_listing(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository, b"2")
    root = raw_tree(repository, (b"40000", b"m", tree(repository, {"a.md": b"2"})), (b"40000", b"gone", "1" * 40))
    head = commit(repository, root)
    assert snapshot_blob(repository, head, "m/a.md") == data
    assert snapshot_blob(repository, head, "a.md", "m") == data
    assert snapshot_blob(repository, head, "m") is None
    assert snapshot_blob(repository, head, "m/a.md/b") is None


def test_commits_are_walked_newest_first(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = commit(repository, {}, at=EPOCH)
    old = commit(repository, {"a": b"1"}, base, at=EPOCH + 2 * HOUR, by=DREAM, subject="first")
    side = commit(repository, {"b": b"1"}, base, at=EPOCH + HOUR, subject="side")
    head = commit(repository, {"a": b"1", "b": b"1"}, old, side, at=EPOCH, by=DREAM, subject="second")
    assert [info.id for info in commits_between(repository, base, head)] == [head, old, side]
    assert [info.subject for info in commits_by(repository, head, DREAM)] == ["second", "first"]


def test_a_history_that_cannot_be_read_is_a_broken_mirror(tmp_path: Path) -> None:
    repository = store(tmp_path)
    head = commit(repository, {"a": b"1"}, commit(repository, {}))
    parent = str(repository[head].peel(pygit2.Commit).parent_ids[0])
    (Path(repository.path) / "objects" / parent[:2] / parent[2:]).unlink()
    again = pygit2.Repository(repository.path)
    for read in (
        lambda: list(commits_between(again, None, head)),
        lambda: last_writer(again, "a", head),
        lambda: is_ancestor(again, head, head) and is_ancestor(again, commit(again, {"z": b""}), head),
    ):
        with pytest.raises(BrokenMirrorError):
            read()
