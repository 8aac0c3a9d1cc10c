from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from dream.sources.production.code.history import History, Move, read_history
from dream.sources.production.code.tree import CodeTree, reference
from dream.sources.production.code.values import Deletion, Presence, Rename

NEWER, OLDER = "b" * 40, "a" * 40


def commit(sha: str, day: str, *changes: bytes) -> bytes:
    return b"\x01" + f"{sha} {day}".encode() + b"\0" + (b"\n" + b"".join(changes) if changes else b"")


def renamed(old: str, new: str) -> bytes:
    return b"R090\0" + old.encode() + b"\0" + new.encode() + b"\0"


def deleted(path: bytes) -> bytes:
    return b"D\0" + path + b"\0"


def test_the_log_is_read_oldest_first() -> None:
    printed = commit(NEWER, "2026-10-02", renamed("b", "c")) + commit(
        OLDER, "2026-10-01", renamed("a", "b"), deleted(b"x")
    )
    history = read_history(printed)
    assert history.moves == {
        "a": [Move(order=1, to="b", commit=OLDER, on=date(2026, 10, 1))],
        "b": [Move(order=2, to="c", commit=NEWER, on=date(2026, 10, 2))],
    }
    assert history.deletions["x"] == Deletion(commit=OLDER, on=date(2026, 10, 1))
    assert history.where("a", frozenset({"c"})) == Rename(to="c", commit=NEWER, on=date(2026, 10, 2))


def test_names_that_are_not_utf8_are_left_out_and_the_others_are_read() -> None:
    history = read_history(commit(OLDER, "2026-10-01", deleted(b"\xff"), deleted(b"\x01odd\nname"), deleted(b"y")))
    assert set(history.deletions) == {"\x01odd\nname", "y"}


def test_a_log_that_is_cut_off_is_read_as_far_as_it_goes() -> None:
    printed = commit(OLDER, "2026-10-01", deleted(b"x")) + b"R100\0only-one"
    assert set(read_history(printed).deletions) == {"x"}
    assert read_history(b"") == History()


def test_a_path_that_was_taken_again_does_not_lead_astray() -> None:
    moves = {
        "a": [Move(order=5, to="b", commit=NEWER, on=date(2026, 10, 5))],
        "b": [Move(order=1, to="z", commit=OLDER, on=date(2026, 10, 1))],
    }
    history = History(moves=moves)
    assert history.where("a", frozenset({"z"})) is None
    assert history.where("a", frozenset({"b", "z"})) == Rename(to="b", commit=NEWER, on=date(2026, 10, 5))


@given(
    st.lists(
        st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")).filter(lambda pair: pair[0] != pair[1]),
        max_size=12,
    ),
    st.sets(st.sampled_from("abcdef")),
)
def test_chains_of_renames_always_end_where_something_stands(pairs: list[tuple[str, str]], here: set[str]) -> None:
    printed = b"".join(commit(NEWER, "2026-10-01", renamed(old, new)) for old, new in reversed(pairs))
    tree = CodeTree(name="x", commit="1", paths=here, history=read_history(printed))
    for path in "abcdef":
        found = tree.renamed_to(path)
        assert found is None or (found.to in here and path not in here)
        assert path not in here or tree.presence(path) is Presence.PRESENT


@given(st.text(max_size=40))
def test_no_reference_breaks_the_tree(path: str) -> None:
    tree = CodeTree(name="x", commit="1", paths=["src/a.py", "b/c/d.py"], ignored=["*.log", "[", "**/x/"])
    assert tree.presence(path) in Presence
    assert reference(reference(path)) == reference(path)
