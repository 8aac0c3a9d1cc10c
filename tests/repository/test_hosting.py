"""A new memory, made and used."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dream.errors import FatalError, TransientError, UsageError
from dream.repository.commits import Identity
from dream.repository.git import Git
from dream.repository.hosting import INDEX, Created, Renewed, init_memory
from dream.repository.receiving import Differing, Protected, protect
from tests.support.repositories import EPOCH, GitFailedError, Hosted, Person, assert_sound, git
from tests.support.served import serve

DREAM = Identity("Nightly Dream", "dream@acme.example")
SETTINGS = (
    "core.fsync = all",
    "core.logAllRefUpdates = true",
    "receive.fsckObjects = true",
    "receive.maxInputSize = 100000000",
    "receive.denyDeletes = true",
    "receive.denyNonFastForwards = true",
)


def _init(path: Path, *, branch: str = "main", prefix: str = "") -> Created | Renewed:
    return init_memory(path, identity=DREAM, at=EPOCH, branch=branch, prefix=prefix, git=Git())


def test_a_new_memory_can_be_cloned_and_is_guarded(tmp_path: Path) -> None:
    with serve(tmp_path / "hosted") as served:
        made = _init(tmp_path / "hosted/new/memory.git")
        hosted = Hosted(path=made.path, url=f"{served.origin}/new/memory.git")
        assert made == Created(path=hosted.path, commit=hosted.tip() or "", protected=Protected(added=SETTINGS))
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
    settings = dict(line.split(" = ") for line in SETTINGS)
    assert {name: git(path, "config", name) for name in settings} == settings


def _push_of_too_much(ada: Person, hosted: Hosted) -> None:
    git(hosted.path, "config", "receive.maxInputSize", "20000")
    ada.commit({"large.md": random.Random(0).randbytes(60_000).hex()})  # noqa: S311
    ada.push()


def _push_of_a_damaged_tree(ada: Person, hosted: Hosted) -> None:  # noqa: ARG001
    blob = ada.git("rev-parse", "HEAD:MEMORY.md")
    (ada.folder / ".git/tree").write_bytes(b"100644 .git\0" + bytes.fromhex(blob))
    tree = ada.git("hash-object", "-t", "tree", "-w", "--literally", ".git/tree")
    ada.git("push", "origin", f"{ada.git('commit-tree', '-p', 'HEAD', '-m', 'x', tree)}:refs/heads/main")


def _push_of_another_history(ada: Person, hosted: Hosted) -> None:  # noqa: ARG001
    ada.git("push", "--force", "origin", "HEAD~1:refs/heads/main")


def _push_that_deletes(ada: Person, hosted: Hosted) -> None:  # noqa: ARG001
    ada.git("push", "origin", ":refs/heads/main")


@pytest.mark.parametrize(
    ("push", "said"),
    [
        (_push_of_too_much, "pack exceeds maximum allowed size"),
        (_push_of_a_damaged_tree, "hasDotgit"),
        (_push_of_another_history, "denying non-fast-forward|non-fast-forward"),
        (_push_that_deletes, "deletion prohibited|denying ref deletion"),
    ],
    ids=["too much", "damaged", "rewritten", "deleted"],
)
@pytest.mark.parametrize("was_there", [False, True], ids=["new", "was there"])
def test_a_server_refuses_what_would_harm_it(
    push: Callable[[Person, Hosted], None],
    said: str,
    was_there: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    with serve(tmp_path) as served:
        path = tmp_path / "memory.git"
        hosted = Hosted(path=path, url=served.url("memory"))
        if was_there:
            git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(path))
            Person(hosted, tmp_path / "first").edit({"MEMORY.md": "# Memory\n"})
        _init(path)
        ada = Person(hosted, tmp_path / "ada")
        tip = ada.edit({"a.md": "A.\n"})
        with pytest.raises(GitFailedError, match=said):
            push(ada, hosted)
        assert hosted.tip() == tip
        assert_sound(hosted)


@pytest.mark.parametrize("version", ["2.35.9", "2.36.0"])
def test_an_older_git_is_given_the_setting_that_it_reads(version: str, tmp_path: Path) -> None:
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    real = shutil.which("git")
    program.write_text(f'#!/bin/sh\ncase "$*" in *version) echo git version {version} ;; *) exec {real} "$@" ;; esac\n')
    program.chmod(0o755)
    path = tmp_path / "memory.git"
    older = Git(environment={"PATH": f"{program.parent}:{os.environ['PATH']}"})
    made = init_memory(path, identity=DREAM, at=EPOCH, git=older)
    assert ("core.fsyncObjectFiles = true" in made.protected.added) == (version == "2.35.9")
    assert "core.fsync = all" in made.protected.added


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


def test_an_existing_bare_repository_gets_the_hook_and_what_it_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "memory.git"
    git(tmp_path, "init", "--quiet", "--bare", str(path))
    assert _init(path) == Renewed(path=path, protected=Protected(added=SETTINGS))
    assert Hosted(path=path, url="").tip() is None
    assert (path / "hooks/pre-receive").exists()
    config = (path / "config").read_bytes()
    assert _init(path) == Renewed(path=path, protected=Protected())
    assert (path / "config").read_bytes() == config


def test_what_somebody_chose_otherwise_is_left_and_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.git"
    git(tmp_path, "init", "--quiet", "--bare", str(path))
    (path / "config").write_text("[receive]\n\tmaxInputSize = 5000\n\tdenyDeletes = no\n\tfsckObjects\n")
    assert _init(path).protected == Protected(
        added=(SETTINGS[0], SETTINGS[1], "receive.denyNonFastForwards = true"),
        differing=(
            Differing(name="receive.maxInputSize", value="5000", wanted="100000000"),
            Differing(name="receive.denyDeletes", value="no", wanted="true"),
        ),
    )
    assert git(path, "config", "receive.maxInputSize") == "5000"


def test_settings_that_cannot_be_read_are_named_with_what_to_do(tmp_path: Path) -> None:
    path = _init(tmp_path / "memory.git").path
    (path / "config.lock").touch()
    (path / "config").write_text("")
    with pytest.raises(TransientError, match="cannot be read or written") as caught:
        protect(path, most_bytes=1, git=Git())
    assert caught.value.way_out == f"take {path}/config.lock away if no git program runs there, and run again"
    (path / "config.lock").unlink()
    (path / "config").write_text("[core\n")
    with pytest.raises(FatalError, match="bad config line 1") as damaged:
        protect(path, most_bytes=1, git=Git())
    assert damaged.value.way_out == "let the user that runs this own that file, and correct what git names"


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
