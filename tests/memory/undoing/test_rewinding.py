"""Any part of a night can be taken back, in any order of commands, and it comes to the same notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dream.memory.applying import apply_operation, changes_between
from dream.memory.operations import Add, Merge, Move, Operation, Refusal, Remove, Revise, Span
from dream.memory.records import Effect, NightRecord
from dream.memory.tree import MappingTree, OverlayTree, Tree, blob_id
from dream.memory.undoing.rewinding import CHANGED_LATER, Rewinding

BEFORE = {
    "a.md": b"# A\n\n- one\n- two\n- three\n- four\n\n## More\n\n- five\n- six\n",
    "b.md": b"# B\n\n- seven\n- eight\n",
}
PATHS = ("a.md", "b.md", "daily/2026-10-21.md", "c.md")


def contents(tree: Tree) -> dict[str, bytes]:
    return {path: data for path in tree.paths() if (data := tree.read(path)) is not None}


@st.composite
def operations(draw: st.DrawFn, tree: Tree, number: int) -> Operation:
    """An operation on what stands there now; each writes lines of its own."""
    standing = {path: data.decode() for path, data in contents(tree).items()}
    path = draw(st.sampled_from(sorted(standing)))
    items = [line for line in standing[path].split("\n") if line.startswith("- ")]
    kinds = ["add", "new"] + ["revise", "remove", "move", "merge"] * bool(items) + ["drop", "rename"]
    kind = draw(st.sampled_from(kinds))
    item = draw(st.sampled_from(items)) if items else ""
    span, whole = Span(path=path, text=item), Span(path=path, text=None, blob=tree.blob(path) or "")
    to, under = draw(st.sampled_from(PATHS)), draw(st.sampled_from([None, "## More", "## New"]))
    absorbed = tuple(Span(path=path, text=one) for one in items if one != item)[:1]
    made: dict[str, Operation] = {
        "add": Add(path=path, text=f"- added {number}", under=under),
        "new": Add(path=to, text=f"- new {number}", opening=f"# Opened {number}\n"),
        "revise": Revise(span=span, new=f"- revised {number}"),
        "remove": Remove(span=span),
        "move": Move(span=span, to=to, opening="# Moved\n"),
        "merge": Merge(into=span, new=f"- merged {number}", absorbed=absorbed),
        "drop": Remove(span=whole),
        "rename": Move(span=whole, to=f"archive/{number}.md"),
    }
    return made[kind]


class Night:
    """Some operations that landed on some notes, and what the memory has ever held."""

    def __init__(self, before: Mapping[str, bytes]) -> None:
        self.tree: Tree = MappingTree(before)
        self.blobs = {blob_id(data): data for data in before.values()}
        self.effects: list[Effect] = []

    def land(self, operation: Operation) -> None:
        files = apply_operation(self.tree, operation)
        if isinstance(files, Refusal):
            return
        changes, created, deleted = changes_between(self.tree, files)
        name = f"e{len(self.effects)}"
        self.effects.append(
            Effect(id=name, task="tidy", kind=operation.kind, changes=changes, created=created, deleted=deleted)
        )
        self.tree = OverlayTree(self.tree, files)
        self.blobs |= {blob_id(data): data for data in contents(self.tree).values()}

    def record(self, reverted: Sequence[str] = ()) -> NightRecord:
        marked = (one.model_copy(update={"reverted": one.id in reverted}) for one in self.effects)
        at = datetime(2026, 10, 22, 4, tzinfo=UTC)
        return NightRecord(night=date(2026, 10, 22), scheduled=at, run="r", base="b", effects=tuple(marked))

    def take_back(self, ids: Sequence[str], now: Tree, reverted: Sequence[str]) -> tuple[Tree, Rewinding]:
        """One command of a person, on the notes as they are `now`."""
        record = self.record(reverted)
        rewinding = Rewinding(record, [record], tree=now, landed=self.tree, undone=(), restore=self.blobs.get)
        asked = [one for one in record.effects if one.id in ids and not one.reverted]
        files, _ = rewinding.take_back(now, asked)
        return OverlayTree(now, files), rewinding


@st.composite
def nights(draw: st.DrawFn) -> Night:
    night = Night(BEFORE)
    for number in range(draw(st.integers(1, 7))):
        if contents(night.tree):
            night.land(draw(operations(night.tree, number)))
    return night


def one_by_one(night: Night, commands: Sequence[Sequence[str]], now: Tree) -> tuple[Tree, list[str], list[Rewinding]]:
    reverted: list[str] = []
    ran = []
    for ids in commands:
        now, rewinding = night.take_back(ids, now, reverted)
        reverted += [edit.effect.id for edit in rewinding.edits]
        ran.append(rewinding)
    return now, reverted, ran


@settings(max_examples=100)
@given(st.data())
def test_the_order_of_commands_does_not_matter(data: st.DataObject) -> None:
    night = data.draw(nights())
    ids = data.draw(
        st.permutations([one.id for one in night.effects]).flatmap(
            lambda all_ids: st.integers(0, len(all_ids)).map(lambda most: all_ids[:most])
        )
    )
    together, reverted, (at_once,) = one_by_one(night, [ids], night.tree)
    # Every conflict names what stands on it, so that whoever goes on with what was named comes to the same in the end.
    apart, done, ran = one_by_one(night, [[one] for one in ids] + [ids], night.tree)
    for rewinding in (at_once, *ran):
        assert all(one.later for one in rewinding.conflicts)
        assert {one.reason for one in rewinding.conflicts} <= {CHANGED_LATER, "path-taken"}
    assert set(done) == set(reverted)
    assert contents(apart) == contents(together)
    assert {one.effect.id for one in ran[-1].conflicts} == {one.effect.id for one in at_once.conflicts}


@settings(max_examples=50)
@given(nights())
def test_all_of_a_night_comes_to_the_very_bytes_before_it(night: Night) -> None:
    now, reverted, (rewinding,) = one_by_one(night, [[one.id for one in night.effects]], night.tree)
    assert (contents(now), rewinding.conflicts) == (BEFORE, [])
    assert set(reverted) == {one.id for one in night.effects}


@settings(max_examples=50)
@given(st.data())
def test_no_line_that_people_wrote_in_between_is_lost(data: st.DataObject) -> None:
    night = data.draw(nights())
    written = contents(night.tree)
    for path in written:
        lines = written[path].decode().split("\n")
        lines.insert(data.draw(st.integers(1, len(lines))), f"- a person's in {path}")
        written[path] = "\n".join(lines).encode()
    ids = data.draw(st.permutations([one.id for one in night.effects]))
    now, _, ran = one_by_one(night, [[one] for one in ids], OverlayTree(night.tree, written))
    kept = {line for note in contents(now).values() for line in note.decode().split("\n") if "person" in line}
    assert kept == {f"- a person's in {path}" for path in written}
    assert all(one.reason and one.path for rewinding in ran for one in rewinding.conflicts)


OPENED = Add(path="c.md", text="- new", opening="# Opened\n")
ADDED = Add(path="c.md", text="- added", under=None)
SECTION = Add(path="b.md", text="- first", under="## New")
SECOND = Add(path="b.md", text="- second", under="## New")


@pytest.mark.parametrize(
    ("operations", "theirs", "left"),
    [
        ((OPENED, ADDED), "# Opened\n\n- new\n- added\n- theirs\n", "# Opened\n\n- theirs\n"),
        ((OPENED, ADDED), "# Opened\n\n- new\n- theirs\n- added\n", "# Opened\n\n- theirs\n"),
        (
            (SECTION, SECOND),
            "# B\n\n- seven\n- eight\n\n## New\n\n- first\n- second\n- theirs\n",
            "# B\n\n- seven\n- eight\n\n- theirs\n",
        ),
    ],
    ids=["under-both", "between", "in-a-section"],
)
@pytest.mark.parametrize("order", [("e0", "e1"), ("e1", "e0")])
def test_whatever_goes_first_a_note_that_people_wrote_in_comes_to_the_same(
    operations: tuple[Operation, ...], theirs: str, left: str, order: tuple[str, ...]
) -> None:
    """A heading that the night had made stays for what people wrote, and so does the end of the last line."""
    night = Night(BEFORE)
    for operation in operations:
        night.land(operation)
    path = operations[0].path if isinstance(operations[0], Add) else ""
    now, reverted, ran = one_by_one(night, [[one] for one in order], OverlayTree(night.tree, {path: theirs.encode()}))
    assert ([one.conflicts for one in ran], reverted) == ([[], []], list(order))
    assert (now.read(path) or b"").decode() == left
