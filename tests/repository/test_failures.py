"""Failures to write, told apart."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pygit2
import pytest

from dream.errors import FatalError, TransientError
from dream.repository.commits import CommitSpec, Identity, write_commit
from dream.repository.failures import broken, writing
from dream.repository.landing import PushLanding, Rejected
from dream.repository.mirror import Head
from dream.repository.tree_edits import write_tree
from tests.repository.conftest import MirrorMaker
from tests.support.repositories import EPOCH, assert_sound, host
from tests.support.served import Served, serve

DREAM = Identity("Nightly Dream", "dream@acme.example")


@pytest.mark.parametrize(
    ("failure", "kind", "said", "way_out"),
    [
        (OSError(errno.ENOSPC, "x"), TransientError, "No space left on device", "make room and run again"),
        (
            OSError("write: No space left on device"),
            TransientError,
            "No space left on device",
            "make room and run again",
        ),
        (pygit2.GitError("write: Disk quota exceeded"), TransientError, "Disk quota", "make room and run again"),
        (PermissionError(errno.EACCES, "x"), FatalError, "Permission denied", "let the user that runs this own"),
        (NotADirectoryError(errno.ENOTDIR, "x"), FatalError, "Not a directory", "name another place"),
        (OSError(errno.EIO, "x"), TransientError, "Input/output error", "run again"),
        (pygit2.GitError("odd"), TransientError, "odd", "run again"),
    ],
)
def test_each_failure_to_write_has_its_way_out(
    failure: Exception, kind: type[Exception], said: str, way_out: str, tmp_path: Path
) -> None:
    with pytest.raises(kind, match=said) as caught, writing(tmp_path, "a note"):
        raise failure
    assert str(caught.value).startswith(f"a note cannot be written under {tmp_path}: ")
    assert caught.value.way_out.startswith(way_out)  # type: ignore[attr-defined]


def test_what_a_full_disk_swallowed_is_put_down_to_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert broken(tmp_path, "a note", KeyError("x")).way_out.startswith("run again")
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=0))
    failure = broken(tmp_path, "a note", KeyError("x"))
    assert str(failure) == f"a note cannot be read from {tmp_path}: it is not there, and the disk is full"
    assert failure.way_out.startswith("make room and run again")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(disk)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("only root may mount a small disk")
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_is_named_and_the_next_run_goes_on(
    served: Served, mirror_of: MirrorMaker, small_disk: Path, tmp_path: Path
) -> None:
    hosted = host(served, "memory", {"a.md": "A.\n"})
    (tmp_path / "home").symlink_to(small_disk)
    mirror = mirror_of(hosted)
    found = mirror.fetch()
    assert isinstance(found, Head)
    _fill(small_disk)
    with pytest.raises(TransientError, match="No space left on device"):
        write_tree(mirror.repository, found.commit, {"b.md": os.urandom(100_000)})
    with pytest.raises(TransientError, match="No space left on device"):
        mirror.keep_night_tip(EPOCH.date(), found.commit)
    (small_disk / "fill").unlink()
    tree = write_tree(mirror.repository, found.commit, {"b.md": os.urandom(100_000)})
    assert mirror_of(hosted).tree(tree).paths() == ["a.md", "b.md"]
    assert mirror.fetch() == found.__class__(commit=found.commit, seen=found.commit, rewritten=False)


def test_a_memory_larger_than_the_disk_is_a_full_disk(
    served: Served, mirror_of: MirrorMaker, small_disk: Path, tmp_path: Path
) -> None:
    hosted = host(served, "memory", {f"{number}.md": os.urandom(10_000) for number in range(500)})
    (tmp_path / "home").symlink_to(small_disk)
    for _ in range(2):
        with pytest.raises(TransientError, match="the disk is full"):
            mirror_of(hosted).fetch()


def test_a_remote_whose_disk_is_full_refuses_and_stays_sound(mirror_of: MirrorMaker, small_disk: Path) -> None:
    with serve(small_disk) as served:
        hosted = host(served, "memory", {"a.md": "A.\n"})
        mirror = mirror_of(hosted)
        found = mirror.fetch()
        assert isinstance(found, Head)
        spec = CommitSpec(
            tree=write_tree(mirror.repository, found.commit, {"b.md": os.urandom(3_500_000)}),
            parents=[found.commit],
            subject="too large",
            author=DREAM,
            author_time=EPOCH,
            committer_time=EPOCH,
        )
        answer = PushLanding(mirror).land(write_commit(mirror.repository, spec), found.commit)
        assert isinstance(answer, Rejected)
        assert "No space left on device" in answer.message
        assert hosted.tip() == found.commit
        assert_sound(hosted)


def _fill(disk: Path) -> None:
    descriptor = os.open(disk / "fill", os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(descriptor, b"x" * 4096)
    except OSError:
        pass
    finally:
        os.close(descriptor)
