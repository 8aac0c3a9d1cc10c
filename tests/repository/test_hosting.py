"""A new memory, made and used."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.errors import FatalError, UsageError
from dream.repository.commits import Identity
from dream.repository.git import Git
from dream.repository.hosting import INDEX, Created, HookInstalled, init_memory
from tests.support.repositories import EPOCH, GitFailedError, Hosted, Person, assert_sound, git
from tests.support.served import serve

DREAM = Identity("Nightly Dream", "dream@acme.example")


def _init(path: Path, *, branch: str = "main", prefix: str = "") -> Created | HookInstalled:
    return init_memory(path, identity=DREAM, at=EPOCH, branch=branch, prefix=prefix, git=Git())


def test_a_new_memory_can_be_cloned_and_is_guarded(tmp_path: Path) -> None:
    with serve(tmp_path / "hosted") as served:
        made = _init(tmp_path / "hosted/new/memory.git")
        hosted = Hosted(path=made.path, url=f"{served.origin}/new/memory.git")
        assert made == Created(path=hosted.path, commit=hosted.tip() or "")
        assert hosted.files() == {"MEMORY.md": INDEX.encode()}
        ada = Person(hosted, tmp_path / "ada")
        tip = ada.edit({"a.md": "A.\n"})
        ada.commit({".dream/state.json": "mine\n"})
        with pytest.raises(GitFailedError, match="dream revert"):
            ada.push()
        for refused in (["--force", "origin", f"{made.commit}:main"], ["origin", ":main"]):
            with pytest.raises(GitFailedError):
                ada.git("push", *refused)
        assert hosted.tip() == tip
        assert_sound(hosted)


def test_its_settings_protect_it(tmp_path: Path) -> None:
    path = _init(tmp_path / "memory.git").path
    settings = {
        "core.fsync": "all",
        "receive.fsckobjects": "true",
        "receive.maxinputsize": "100000000",
        "receive.denydeletes": "true",
        "receive.denynonfastforwards": "true",
    }
    assert {name: git(path, "config", name) for name in settings} == settings


def test_the_branch_and_the_folder_are_as_asked(tmp_path: Path) -> None:
    made = _init(tmp_path / "memory.git", branch="trunk", prefix=".claude/memory")
    hosted = Hosted(path=made.path, url="", branch="trunk")
    assert hosted.files() == {".claude/memory/MEMORY.md": INDEX.encode()}
    assert git(made.path, "symbolic-ref", "HEAD") == "refs/heads/trunk"
    assert "folder=.claude/memory/.dream" in (made.path / "hooks/pre-receive").read_text()


def test_the_same_memory_is_made_every_time(tmp_path: Path) -> None:
    commits = {_init(tmp_path / name).commit for name in ("a.git", "b.git")}  # type: ignore[union-attr]
    assert len(commits) == 1


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    (tmp_path / "memory.git").mkdir()
    assert isinstance(_init(tmp_path / "memory.git"), Created)


def test_an_existing_bare_repository_gets_the_hook_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "memory.git"
    git(tmp_path, "init", "--quiet", "--bare", str(path))
    config = (path / "config").read_bytes()
    assert _init(path) == HookInstalled(path=path)
    assert (path / "config").read_bytes() == config
    assert Hosted(path=path, url="").tip() is None
    assert (path / "hooks/pre-receive").exists()
    assert _init(path) == HookInstalled(path=path)


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda path: path.write_text("x"), "is no folder"),
        (lambda path: (path / "x").mkdir(parents=True), "is not empty, and no bare git repository"),
        (lambda path: git(path.parent, "init", "--quiet", str(path)), "is a working copy"),
    ],
    ids=["file", "full", "working copy"],
)
def test_what_is_there_is_not_touched(prepare, said: str, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    path = tmp_path / "memory.git"
    prepare(path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError, match=said) as caught:
        _init(path)
    assert caught.value.way_out == "name a path where nothing is yet, or a bare repository"
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(("branch", "prefix"), [("a..b", ""), ("main", "../x")])
def test_wrong_names_leave_nothing_behind(tmp_path: Path, branch: str, prefix: str) -> None:
    with pytest.raises(UsageError):
        _init(tmp_path / "memory.git", branch=branch, prefix=prefix)
    assert list(tmp_path.iterdir()) == []


def test_an_identity_git_cannot_record_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        init_memory(tmp_path / "m.git", identity=Identity("Dream.", "x@y"), at=EPOCH, git=Git())
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises((FatalError, UsageError), match="file"):
        _init(tmp_path / "file" / "memory.git")
