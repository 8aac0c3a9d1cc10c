"""Taking back one effect leaves everything that others wrote since."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.memory.applying import apply_operation, changes_between
from dream.memory.operations import Add, Merge, Move, Operation, Refusal, Remove, Revise, Span
from dream.memory.records import Effect
from dream.memory.tree import MappingTree, OverlayTree, blob_id
from dream.memory.undoing.inverting import invert_effect

NOTE = b"# A\n\n- one\n- two\n\n## B\n\n- same\n- other\n- same\n"


def landed(before: dict[str, bytes], operation: Operation) -> tuple[dict[str, bytes], Effect]:
    tree = MappingTree(before)
    files = apply_operation(tree, operation)
    assert not isinstance(files, Refusal), files
    changes, created, deleted = changes_between(tree, files)
    effect = Effect(id="e", task="tidy", kind=operation.kind, changes=changes, created=created, deleted=deleted)
    return contents(OverlayTree(tree, files)), effect


def contents(tree: OverlayTree | MappingTree) -> dict[str, bytes]:
    return {path: data for path in tree.paths() if (data := tree.read(path)) is not None}


def inverted(now: dict[str, bytes], effect: Effect, kept: dict[str, bytes]) -> dict[str, bytes] | Refusal:
    files = invert_effect(MappingTree(now), effect, restore={blob_id(data): data for data in kept.values()}.get)
    return files if isinstance(files, Refusal) else contents(OverlayTree(MappingTree(now), files))


OPERATIONS: list[Operation] = [
    Add(path="a.md", text="- three", under="# A"),
    Add(path="daily/2026-10-21.md", text="- one", opening="# 2026-10-21\n"),
    Revise(span=Span(path="a.md", text="- two"), new="- two, revised"),
    Remove(span=Span(path="a.md", text="- one")),
    Remove(span=Span(path="a.md", text=None, blob=blob_id(NOTE))),
    Merge(into=Span(path="a.md", text="- same"), new=None, absorbed=(Span(path="a.md", text="- same", occurrence=1),)),
    Move(span=Span(path="a.md", text=None, blob=blob_id(NOTE)), to="archive/a.md"),
    Move(span=Span(path="a.md", text="- same\n- other\n- same"), to="new.md", opening="# B\n"),
    Move(span=Span(path="a.md", text="- two"), to="b.md"),
]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.kind)
def test_taking_back_at_once_gives_the_very_bytes(operation: Operation) -> None:
    before = {"a.md": NOTE, "b.md": b"- b\n"}
    now, effect = landed(before, operation)
    assert inverted(now, effect, before) == before


@pytest.mark.parametrize("operation", OPERATIONS[:4], ids=lambda operation: operation.kind)
def test_what_others_wrote_since_stays(operation: Operation) -> None:
    before = {"a.md": NOTE}
    now, effect = landed(before, operation)
    now["a.md"] += b"\n## C\n\n- a person's\n"
    assert inverted(now, effect, before) == {"a.md": NOTE + b"\n## C\n\n- a person's\n"}


def test_what_others_wrote_into_a_note_of_ours_stays_in_it() -> None:
    now, effect = landed({}, Add(path="daily/2026-10-21.md", text="- ours", opening="# 2026-10-21\n"))
    now["daily/2026-10-21.md"] += b"- a person's\n"
    assert inverted(now, effect, {}) == {"daily/2026-10-21.md": b"# 2026-10-21\n\n- a person's\n"}


def test_a_line_that_somebody_reworded_since_is_a_conflict() -> None:
    now, effect = landed({"a.md": NOTE}, OPERATIONS[2])
    now["a.md"] = now["a.md"].replace(b"- two, revised", b"- two, reworded")
    assert inverted(now, effect, {}) == Refusal("changed-since", "a.md")


def test_a_note_that_was_renamed_since_is_a_conflict_of_its_own() -> None:
    now, effect = landed({"a.md": NOTE}, OPERATIONS[2])
    assert inverted({"b.md": now["a.md"]}, effect, {}) == Refusal("note-gone", "a.md")


def test_a_note_is_not_brought_back_over_another() -> None:
    now, effect = landed({"a.md": NOTE}, OPERATIONS[4])
    now["a.md"] = b"- a person's\n"
    assert inverted(now, effect, {"a.md": NOTE}) == Refusal("path-taken", "a.md")


LINES = st.lists(st.sampled_from(["- a", "- b", "  more", "", "# H", "text"]), max_size=12)


@given(lines=LINES, place=st.integers(0, 11), new=st.text(string.ascii_lowercase, min_size=1))
def test_any_revision_can_be_taken_back(lines: list[str], place: int, new: str) -> None:
    before = {"a.md": "\n".join(lines).encode()}
    text = lines[place % len(lines)] if lines else ""
    operation = Revise(span=Span(path="a.md", text=text), new=f"- {new}")
    if isinstance(apply_operation(MappingTree(before), operation), Refusal):
        return
    now, effect = landed(before, operation)
    assert inverted(now, effect, before) == before


@given(lines=LINES, under=st.sampled_from([None, "# H", "## New"]))
def test_any_add_can_be_taken_back(lines: list[str], under: str | None) -> None:
    before = {"a.md": ("\n".join(lines) + "\n").encode()}
    now, effect = landed(before, Add(path="a.md", text="- added", under=under))
    assert inverted(now, effect, before) == before
