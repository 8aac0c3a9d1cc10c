"""Applying an operation changes the lines that it is about, or says why it does not apply."""

import pytest

from dream.memory.applying import apply_operation, changes_between
from dream.memory.operations import Add, Basis, Merge, Move, Operation, Refusal, Remove, Revise, Span
from dream.memory.records import Change
from dream.memory.tree import MappingTree, blob_id

NOTE = b"# Checkout\r\n\r\n- one  \r\n- two\r\n  more\r\n\r\n## Other\r\n\r\ntext"


def tree(**files: bytes) -> MappingTree:
    return MappingTree({f"{name}.md": data for name, data in files.items()})


def applied(before: MappingTree, operation: Operation) -> dict[str, bytes | None]:
    files = apply_operation(before, operation)
    assert not isinstance(files, Refusal), files
    return dict(files)


def test_an_added_entry_goes_after_the_last_entry_of_its_section() -> None:
    files = applied(tree(a=NOTE), Add(path="a.md", text="- three", under="# Checkout"))
    expected = NOTE + b"\r\n\r\n- three\r\n"
    assert files == {"a.md": expected}


def test_a_section_ends_where_one_of_its_level_begins() -> None:
    note = b"# A\n\n## B\n\n- one\n\n## C\n\n- two\n"
    files = applied(tree(a=note), Add(path="a.md", text="- three", under="## B"))
    assert files == {"a.md": b"# A\n\n## B\n\n- one\n- three\n\n## C\n\n- two\n"}


def test_a_missing_heading_is_made_at_the_end() -> None:
    files = applied(tree(a=b"# A\n\n- one\n"), Add(path="a.md", text="- two", under="## B"))
    assert files == {"a.md": b"# A\n\n- one\n\n## B\n\n- two\n"}


def test_a_note_is_made_from_its_opening() -> None:
    files = applied(tree(), Add(path="daily/2026-10-21.md", text="- one", opening="# 2026-10-21\n\n"))
    assert files == {"daily/2026-10-21.md": b"# 2026-10-21\n\n- one\n"}


def test_an_empty_note_takes_an_entry() -> None:
    assert applied(tree(a=b""), Add(path="a.md", text="- one")) == {"a.md": b"- one\n"}


def test_an_add_to_a_note_that_is_gone_is_refused() -> None:
    assert apply_operation(tree(), Add(path="a.md", text="- one")) == Refusal("note-missing")


def test_a_revision_changes_only_its_lines() -> None:
    files = applied(tree(a=NOTE), Revise(span=Span(path="a.md", text="- two\r\n  more\r"), new="- two, revised"))
    assert files == {"a.md": NOTE.replace(b"- two\r\n  more", b"- two, revised")}


def test_what_changed_since_it_was_read_is_left_to_the_other_side() -> None:
    refusal = apply_operation(tree(a=b"- other\n"), Revise(span=Span(path="a.md", text="- one"), new="- two"))
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "displaced"


def test_an_operation_is_dropped_when_what_it_rests_on_changed() -> None:
    operation = Add(path="a.md", text="- new", basis=Basis(reads=(Span(path="b.md", text="- rests"),)))
    refusal = apply_operation(tree(a=b"- one\n", b=b"- changed\n"), operation)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "displaced"


def test_a_merge_takes_the_second_copy_and_leaves_the_first() -> None:
    note = b"- same\n- other\n- same\n"
    into = Span(path="a.md", text="- same")
    merge = Merge(into=into, new=None, absorbed=(Span(path="a.md", text="- same", occurrence=1),))
    assert applied(tree(a=note), merge) == {"a.md": b"- same\n- other\n"}


def test_a_merge_over_two_notes_needs_both_as_they_were() -> None:
    merge = Merge(
        into=Span(path="a.md", text="- gone"),
        new=None,
        absorbed=(Span(path="b.md", text=None, blob=blob_id(b"- same\n")),),
    )
    refusal = apply_operation(tree(a=b"- same\n", b=b"- same\n"), merge)
    assert isinstance(refusal, Refusal)
    assert refusal.reason == "displaced"


def test_a_whole_note_goes_only_as_it_was_read() -> None:
    span = Span(path="a.md", text=None, blob=blob_id(b"- one\n"))
    assert applied(tree(a=b"- one\n"), Remove(span=span)) == {"a.md": None}
    assert isinstance(apply_operation(tree(a=b"- two\n"), Remove(span=span)), Refusal)


def test_a_move_never_writes_over_a_note() -> None:
    span = Span(path="a.md", text=None, blob=blob_id(b"- one\n"))
    assert applied(tree(a=b"- one\n"), Move(span=span, to="archive/a.md")) == {"a.md": None, "archive/a.md": b"- one\n"}
    assert apply_operation(tree(a=b"- one\n", b=b""), Move(span=span, to="b.md")) == Refusal("target-exists")


def test_lines_move_to_the_end_of_another_note_or_into_a_new_one() -> None:
    before = tree(a=NOTE, b=b"# B\n\n- three\n")
    span = Span(path="a.md", text="- two\r\n  more\r")
    gone = NOTE.replace(b"- two\r\n  more\r\n", b"")
    assert applied(before, Move(span=span, to="b.md")) == {"a.md": gone, "b.md": b"# B\n\n- three\n- two\n  more\n"}
    assert applied(before, Move(span=span, to="c.md", opening="# C")) == {
        "a.md": gone,
        "c.md": b"# C\n\n- two\n  more\n",
    }
    assert apply_operation(before, Move(span=span, to="c.md")) == Refusal("note-missing")
    assert apply_operation(before, Move(span=span, to="a.md")) == Refusal("target-exists")
    lost = Move(span=Span(path="a.md", text="- four"), to="b.md")
    assert apply_operation(before, lost).reason == "displaced"  # type: ignore[union-attr]


@pytest.mark.parametrize("data", [b"\xff\xfe- one\n", b"- \xff\n"])
def test_a_note_that_is_no_text_is_never_written(data: bytes) -> None:
    assert apply_operation(tree(a=data), Add(path="a.md", text="- one")) == Refusal("not-text")


def test_changes_name_the_lines_and_what_stands_around_them() -> None:
    before = tree(a=b"# A\n\n- one\n- two\n", b=b"- gone\n")
    changes, created, deleted = changes_between(
        before, {"a.md": b"# A\n\n- one, revised\n- two\n- three\n", "b.md": None, "c.md": b"- new\n"}
    )
    assert changes == (
        Change(path="a.md", line=2, below="- two", added=("- one, revised",), removed=("- one",)),
        Change(path="a.md", line=4, above="- two", added=("- three",)),
        Change(path="c.md", added=("- new", "")),
    )
    assert created == ("c.md",)
    assert deleted == {"b.md": blob_id(b"- gone\n")}
