from __future__ import annotations

from pathlib import Path

import pytest

from dream.errors import NotAMemoryError
from dream.repository.local import is_bare_repository, read_bare
from tests.repository.stores import commit, store
from tests.support.repositories import git, host, import_commit


def test_only_a_bare_repository_is_one(tmp_path: Path) -> None:
    bare = Path(store(tmp_path).path)
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "--quiet")
    assert [is_bare_repository(path) for path in (bare, work, work / ".git", tmp_path)] == [True, False, False, False]


def test_a_bare_repository_is_read_where_head_points(tmp_path: Path) -> None:
    hosted = host(tmp_path, "memory", {"MEMORY.md": "# Memory\n"})
    import_commit(hosted, {"other.md": "x"}, branch="other")
    assert read_bare(hosted.path).paths() == ["MEMORY.md"]


def test_where_head_names_nothing_the_only_branch_is_meant(tmp_path: Path) -> None:
    hosted = host(tmp_path, "memory", {"MEMORY.md": "# Memory\n"}, branch="trunk")
    git(hosted.path, "symbolic-ref", "HEAD", "refs/heads/gone")
    assert read_bare(hosted.path).paths() == ["MEMORY.md"]


def test_where_head_names_nothing_and_several_could_be_meant_none_is(tmp_path: Path) -> None:
    hosted = host(tmp_path, "memory", {"MEMORY.md": "# Memory\n"})
    import_commit(hosted, {"other.md": "x"}, branch="other")
    git(hosted.path, "symbolic-ref", "HEAD", "refs/heads/gone")
    with pytest.raises(NotAMemoryError, match="names no branch that exists, and there are 2 others"):
        read_bare(hosted.path)


def test_an_unborn_repository_is_an_empty_memory(tmp_path: Path) -> None:
    assert read_bare(Path(store(tmp_path).path)).paths() == []


def test_a_detached_head_is_read_as_well(tmp_path: Path) -> None:
    repository = store(tmp_path)
    made = commit(repository, {"note.md": b"x"})
    (Path(repository.path) / "HEAD").write_text(made + "\n")
    assert read_bare(Path(repository.path)).paths() == ["note.md"]
