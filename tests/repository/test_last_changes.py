"""When each note last changed, against a plain and slow definition of the same."""

from __future__ import annotations

import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import pygit2
from hypothesis import given
from hypothesis import strategies as st

from dream.repository.commits import read_commit
from dream.repository.history import last_writer
from dream.repository.last_changes import KnownChanges, last_changes
from dream.repository.trees import GitTree
from tests.repository.stores import blob, commit, raw_tree, store
from tests.support.repositories import EPOCH

HOUR = timedelta(hours=1)


def test_each_note_has_the_date_of_the_commit_that_brought_its_content(tmp_path: Path) -> None:
    repository = store(tmp_path)
    first = commit(repository, {"a.md": b"1", "s/b.md": b"1", "s/c.md": b"1"}, at=EPOCH)
    second = commit(repository, {"a.md": b"2", "s/b.md": b"1", "s/c.md": b"1"}, first, at=EPOCH + HOUR)
    third = commit(repository, {"a.md": b"2", "s/b.md": b"2", "s/d.md": b"1"}, second, at=EPOCH + 2 * HOUR)
    assert last_changes(repository, third) == {
        "a.md": EPOCH + HOUR,
        "s/b.md": EPOCH + 2 * HOUR,
        "s/d.md": EPOCH + 2 * HOUR,
    }
    assert last_changes(repository, third, ["b.md", "nothing.md"], "s") == {"b.md": EPOCH + 2 * HOUR}


def test_a_merge_is_not_the_date_of_what_its_sides_brought(tmp_path: Path) -> None:
    repository = store(tmp_path)
    base = commit(repository, {"a.md": b"1", "b.md": b"1"}, at=EPOCH)
    left = commit(repository, {"a.md": b"2", "b.md": b"1"}, base, at=EPOCH + HOUR)
    right = commit(repository, {"a.md": b"1", "b.md": b"2"}, base, at=EPOCH + 2 * HOUR)
    merge = commit(repository, {"a.md": b"2", "b.md": b"2", "c.md": b"1"}, left, right, at=EPOCH + 3 * HOUR)
    assert last_changes(repository, merge) == {
        "a.md": EPOCH + HOUR,
        "b.md": EPOCH + 2 * HOUR,
        "c.md": EPOCH + 3 * HOUR,
    }


def test_a_file_that_takes_a_folders_place_and_back(tmp_path: Path) -> None:
    repository = store(tmp_path)
    first = commit(repository, {"a/x.md": b"1", "a-b.md": b"1", "a0.md": b"1"}, at=EPOCH)
    second = commit(repository, {"a": b"1", "a-b.md": b"1", "a0.md": b"1"}, first, at=EPOCH + HOUR)
    third = commit(repository, {"a/x.md": b"1", "a-b.md": b"1", "a0.md": b"1"}, second, at=EPOCH + 2 * HOUR)
    assert last_changes(repository, second) == {"a": EPOCH + HOUR, "a-b.md": EPOCH, "a0.md": EPOCH}
    assert last_changes(repository, third) == {"a/x.md": EPOCH + 2 * HOUR, "a-b.md": EPOCH, "a0.md": EPOCH}


def test_an_executable_bit_is_no_change_and_a_symlink_is(tmp_path: Path) -> None:
    repository = store(tmp_path)
    data = blob(repository)
    kinds = (b"120000", b"100644", b"100755")
    trees = [raw_tree(repository, (mode, b"a.md", data)) for mode in kinds]
    link = commit(repository, trees[0], at=EPOCH)
    plain = commit(repository, trees[1], link, at=EPOCH + HOUR)
    assert last_changes(repository, commit(repository, trees[2], plain, at=EPOCH + 2 * HOUR)) == {"a.md": EPOCH + HOUR}


def test_an_earlier_answer_spares_the_history_before_it(tmp_path: Path) -> None:
    repository = store(tmp_path)
    oldest = commit(repository, {"a.md": b"1", "b.md": b"1"}, at=EPOCH)
    middle = commit(repository, {"a.md": b"2", "b.md": b"1"}, oldest, at=EPOCH + HOUR)
    known = KnownChanges(commit=middle, changed=last_changes(repository, middle))
    newest = commit(repository, {"a.md": b"2", "b.md": b"1", "c.md": b"1"}, middle, at=EPOCH + 2 * HOUR)
    (Path(repository.path) / "objects" / oldest[:2] / oldest[2:]).unlink()
    again = pygit2.Repository(repository.path)
    assert last_changes(again, newest, known=known) == {
        "a.md": EPOCH + HOUR,
        "b.md": EPOCH,
        "c.md": EPOCH + 2 * HOUR,
    }


def test_a_change_between_versions_that_are_alike_is_none(tmp_path: Path) -> None:
    repository = store(tmp_path)
    first = commit(repository, {"a.md": b"says", "b.md": b"says"}, at=EPOCH)
    second = commit(repository, {"a.md": b"SAYS", "b.md": b"more"}, first, at=EPOCH + HOUR)
    third = commit(repository, {"a.md": b"Says", "b.md": b"MORE", "c.md": b"says"}, second, at=EPOCH + 2 * HOUR)

    def alike(before: bytes, after: bytes) -> bool:
        return before.lower() == after.lower()

    dates = {"a.md": EPOCH, "b.md": EPOCH + HOUR, "c.md": EPOCH + 2 * HOUR}
    assert last_changes(repository, third, alike=alike) == dates
    known = KnownChanges(commit=second, changed=last_changes(repository, second, alike=alike))
    assert last_changes(repository, third, alike=alike, known=known) == dates
    assert last_changes(repository, third)["a.md"] == EPOCH + 2 * HOUR


def test_a_bomb_that_was_taken_out_again_does_no_harm(tmp_path: Path) -> None:
    repository = store(tmp_path)
    note = blob(repository)
    bomb, other = raw_tree(repository, (b"100644", b"f", note)), raw_tree(repository, (b"100644", b"g", note))
    for _ in range(10):
        bomb, other = (
            raw_tree(repository, *((b"40000", b"d%d" % number, here) for number in range(10))) for here in (bomb, other)
        )
    plain = raw_tree(repository, (b"100644", b"a.md", note))
    first = commit(repository, plain, at=EPOCH)
    second = commit(repository, raw_tree(repository, (b"100644", b"a.md", note), (b"40000", b"b", bomb)), first)
    third = commit(repository, raw_tree(repository, (b"100644", b"a.md", note), (b"40000", b"b", other)), second)
    assert last_changes(repository, commit(repository, plain, third)) == {"a.md": EPOCH}


_FILES = st.dictionaries(
    st.sampled_from(["a", "b.md", "c/d.md", "c/e/f.md", "c/e/g.md"]), st.sampled_from([b"1", b"2"])
)
_HISTORIES = st.lists(
    st.tuples(_FILES, st.integers(0, 5), st.integers(0, 5), st.integers(0, 3)), min_size=1, max_size=7
)


def _build(repository: pygit2.Repository, history: list[tuple[dict[str, bytes], int, int, int]]) -> list[str]:
    """Commits whose parents are earlier ones, with clocks that go back at times."""
    made: list[str] = []
    for number, (files, first, second, clock) in enumerate(history):
        parents = dict.fromkeys(made[-1 - index] for index in (first, second) if index < len(made))
        at = EPOCH + number * HOUR - clock * 3 * HOUR
        made.append(commit(repository, files, *parents, at=at, subject=f"commit {number}"))
    return made


def _slowly(repository: pygit2.Repository, head: str) -> dict[str, datetime]:
    dates = {}
    for path in GitTree(repository, head).paths():
        writer = last_writer(repository, path, head)
        assert writer is not None
        dates[path] = read_commit(repository, writer).committer_time
    return dates


@given(_HISTORIES, st.integers(1, 6))
def test_it_agrees_with_looking_for_each_writer(
    history: list[tuple[dict[str, bytes], int, int, int]], back: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        repository = store(Path(folder))
        *earlier, head = _build(repository, history)
        expected = _slowly(repository, head)
        assert last_changes(repository, head) == expected
        for known in earlier[-back:][:1]:
            answer = KnownChanges(commit=known, changed=_slowly(repository, known))
            assert last_changes(repository, head, known=answer) == expected
