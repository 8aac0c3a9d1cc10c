"""Commits written and read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pygit2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.errors import UsageError
from dream.repository.commits import (
    CommitInfo,
    CommitSpec,
    Identity,
    committer_time,
    instant,
    read_commit,
    render_message,
    write_commit,
)
from dream.repository.failures import BrokenMirrorError
from tests.repository.stores import store, tree
from tests.support.repositories import git

DREAM = Identity("Nightly Dream", "dream@acme.example")
NIGHT = datetime(2026, 10, 22, 4, tzinfo=UTC)


def _spec(root: str, **changes: object) -> CommitSpec:
    spec = CommitSpec(
        tree=root,
        parents=(),
        subject="tidy: merge two notes",
        body="Both say the same.",
        trailers=(("Dream-Organisation", "acme"), ("Dream-Night", "2026-10-22")),
        author=DREAM,
        author_time=NIGHT,
        committer_time=NIGHT + timedelta(seconds=1),
    )
    return replace(spec, **changes)  # type: ignore[arg-type]


def test_the_same_inputs_give_the_same_commit_anywhere(tmp_path: Path) -> None:
    ids = set()
    for name in ("one", "two"):
        repository = store(tmp_path / name)
        ids.add(write_commit(repository, _spec(tree(repository, {"a.md": b"a"}))))
    assert ids == {"c0c39680af2fc13b0b9f4d0437bbf1bdadf0a7db"}


def test_the_git_program_makes_the_same_commit(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {"a.md": b"a"})
    by_git = git(
        Path(repository.path),
        "commit-tree",
        root,
        stdin=render_message(_spec(root).subject, _spec(root).body, _spec(root).trailers).encode(),
        GIT_AUTHOR_NAME=DREAM.name,
        GIT_AUTHOR_EMAIL=DREAM.mail,
        GIT_AUTHOR_DATE="2026-10-22T04:00:00Z",
        GIT_COMMITTER_NAME=DREAM.name,
        GIT_COMMITTER_EMAIL=DREAM.mail,
        GIT_COMMITTER_DATE="2026-10-22T04:00:01Z",
    )
    assert write_commit(repository, _spec(root)) == by_git


def test_a_time_is_an_instant_whatever_its_zone(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {})
    elsewhere = NIGHT.astimezone(timezone(timedelta(hours=9)))
    assert write_commit(repository, _spec(root)) == write_commit(repository, _spec(root, author_time=elsewhere))


def test_a_commit_reads_as_it_was_written(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {})
    parent = write_commit(repository, _spec(root))
    ada = Identity("Ada Ünal", "ada@test.invalid")
    commit = write_commit(repository, _spec(root, parents=[parent], author=ada, committer=DREAM))
    assert read_commit(repository, commit) == CommitInfo(
        id=commit,
        tree=root,
        parents=(parent,),
        author=ada,
        committer=DREAM,
        author_time=NIGHT,
        committer_time=NIGHT + timedelta(seconds=1),
        message=("tidy: merge two notes\n\nBoth say the same.\n\nDream-Organisation: acme\nDream-Night: 2026-10-22\n"),
        trailers=(("Dream-Organisation", "acme"), ("Dream-Night", "2026-10-22")),
    )
    assert read_commit(repository, commit).trailer("Dream-Night") == "2026-10-22"
    assert read_commit(repository, commit).trailer("Dream-Task") == ""
    git(Path(repository.path), "fsck", "--strict", "--no-dangling")


def test_git_reads_the_trailers(tmp_path: Path) -> None:
    repository = store(tmp_path)
    commit = write_commit(repository, _spec(tree(repository, {})))
    shown = git(Path(repository.path), "show", "--no-patch", "--format=%(trailers:key=Dream-Night,valueonly)", commit)
    assert shown.strip() == "2026-10-22"


def test_no_reference_moves(tmp_path: Path) -> None:
    repository = store(tmp_path)
    write_commit(repository, _spec(tree(repository, {})))
    assert list(repository.references) == []


def test_a_commit_without_its_tree_or_parent_is_not_made(tmp_path: Path) -> None:
    repository = store(tmp_path)
    for spec in (_spec("1" * 40), _spec(tree(repository, {}), parents=["2" * 40])):
        with pytest.raises(BrokenMirrorError):
            write_commit(repository, spec)


@pytest.mark.parametrize("name", ["", " ", "A <b>", "a\nb", "a\0b", "Dream.", ",Dream", "'Dream'"])
def test_an_identity_that_git_would_record_otherwise_is_wrong_usage(tmp_path: Path, name: str) -> None:
    repository = store(tmp_path)
    with pytest.raises(UsageError, match="cannot stand in a commit's identity"):
        write_commit(repository, _spec(tree(repository, {}), author=Identity(name, "dream@acme.example")))


def test_characters_that_deceive_are_escaped_in_a_message() -> None:
    assert render_message(
        "a\x1b[31m\nb\u202e", "c\r\n\ud800\U000e0041\u2028d\t👩\u200d🔧  \n\n", [("X", "y\nZ: w")]
    ) == ("a\\x1b[31m b\\u202e\n\nc\\x0d\n\\ud800\\U000e0041\\u2028d\t👩\u200d🔧\n\nX: y Z: w\n")


@given(st.text(), st.text())
def test_any_text_makes_a_message_that_git_can_keep(subject: str, body: str) -> None:
    message = render_message(subject, body, [("Dream-Task", subject)])
    assert message.encode().decode() == message
    assert "\0" not in message
    assert message.split("\n")[-2].startswith("Dream-Task:")


def test_a_night_is_never_dated_before_what_it_stands_on() -> None:
    assert committer_time(NIGHT, None) == NIGHT
    assert committer_time(NIGHT, NIGHT - timedelta(days=1)) == NIGHT
    assert committer_time(NIGHT, NIGHT) == NIGHT + timedelta(seconds=1)
    assert committer_time(NIGHT, NIGHT + timedelta(days=1)) == NIGHT + timedelta(days=1, seconds=1)
    assert committer_time(NIGHT, instant(2**62)) == instant(2**62)


@pytest.mark.parametrize("seconds", [-(2**63), -1, 0, 2**40, 2**63 - 1])
def test_impossible_times_are_clamped(seconds: int) -> None:
    assert datetime(1970, 1, 1, tzinfo=UTC) <= instant(seconds) <= datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_hostile_commit_can_be_read(tmp_path: Path) -> None:
    repository = store(tmp_path)
    root = tree(repository, {})
    raw = (
        f"tree {root}\nauthor \xff\x1bA <a@b> 99999999999999 +9959\ncommitter  <> 1 +0000\nencoding klingon\n\n"
    ).encode("latin-1") + b"\xff\xfe subject\n\n\n"
    commit = str(repository.write(pygit2.enums.ObjectType.COMMIT, raw))
    read = read_commit(repository, commit)
    assert read.author.name == "\ufffd\x1bA"
    assert read.committer == Identity("", "")
    assert read.author_time == datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert read.subject == "\ufffd\ufffd subject"
    assert read.trailers == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("a: b\n", ()),
        ("x\n\na: b\n", (("a", "b"),)),
        ("x\n\na: b\nnot one\n", ()),
        ("x\n\na: b\n\nc: d\n\n\n", (("c", "d"),)),
        ("x\n\nA: " + "b: " * 30_000, (("A", "b: " * 30_000),)),
        ("x\n\n" + "a" * 100_000, ()),
    ],
)
def test_trailers_are_the_last_paragraph(tmp_path: Path, message: str, expected: tuple[tuple[str, str], ...]) -> None:
    repository = store(tmp_path)
    root = tree(repository, {})
    raw = f"tree {root}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n{message}".encode()
    commit = str(repository.write(pygit2.enums.ObjectType.COMMIT, raw))
    assert read_commit(repository, commit).trailers == expected
