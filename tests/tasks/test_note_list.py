"""The list of notes: within its budget whatever that is, whole lines only, everything counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from dream.memory.notes import NoteCache
from dream.memory.ranking.edges import Edge
from dream.memory.ranking.relevance import RankingLimits, Signs, rank
from dream.memory.tree import MappingTree
from tasks.note_list import NoteList, Title, list_notes, screened_path, title_shown

TODAY = date(2026, 11, 30)
TREE = MappingTree({f"n/note-{number:02}.md": f"# Note {'x' * (number % 9)}\n".encode() for number in range(40)})


def near(paths: Sequence[str]) -> Mapping[str, tuple[Edge, ...]]:
    return {path: (Edge(path="n/note-00.md", weight=1.0, why=("linked", "folder n")),) for path in paths[::2]}


def listed(budget: int) -> NoteList:
    signs = {path: Signs(changed=TODAY - timedelta(days=3 * place)) for place, path in enumerate(TREE.paths())}
    return list_notes(
        TREE,
        NoteCache(),
        ranked=rank(signs, today=TODAY, limits=RankingLimits()),
        signs=signs,
        unverified=frozenset({"n/note-01.md"}),
        near=near,
        today=TODAY,
        budget=budget,
        opening=["# opening"],
        closing=lambda left_out: [f"# {40 - left_out} of 40, {left_out} left out"],
    )


WHOLE = listed(100_000)


@given(budget=st.integers(20, 1_500))
def test_whatever_the_budget_it_holds_and_what_is_shown_is_the_beginning_of_the_whole(budget: int) -> None:
    found = listed(budget)
    lines = found.text.removesuffix("\n").split("\n")
    assert found.tokens == -(-len(found.text.encode()) // 4) <= budget
    assert [one.path for one in found.notes] == [one.path for one in WHOLE.notes][: len(found.notes)]
    assert lines[-1] == f"# {len(found.notes)} of 40, {found.left_out} left out"
    assert found.left_out == 40 - len(found.notes)
    assert set(lines[1:-1]) <= set(WHOLE.text.split("\n"))


def test_what_fits_is_shown() -> None:
    size = -(-len(WHOLE.text.encode()) // 4)
    assert (WHOLE.left_out, WHOLE.tokens) == (0, size)
    assert listed(size + 1).left_out == 0
    assert listed(size - 20).left_out > 0


def test_of_a_note_that_hardly_fits_the_neighbours_are_left_out() -> None:
    budgets = [listed(budget) for budget in range(40, 200)]
    assert any(one.notes and not one.notes[-1].near and WHOLE.notes[len(one.notes) - 1].near for one in budgets)


def test_each_way_of_not_showing_a_title_has_a_mark_of_its_own() -> None:
    tree = MappingTree(
        {
            "a.md": b"# Plain \xe2\x80\x9cwords\xe2\x80\x9d\n",
            "b.md": b" \n\n",
            "c.md": b"\0",
            "d.md": b"---\n",
            "e.md": b"# \xe2\x80\x8bhidden\n",
            "f.md": b"# " + b"word " * 60 + b"\n",
        }
    )
    shown = {path: str(title_shown(tree, NoteCache(), path)) for path in tree.paths()}
    assert shown == {
        "a.md": "“Plain ‘words’”",  # noqa: RUF001 - the marks that stand for those that would close it
        "b.md": "[empty]",
        "c.md": "[left alone: holds NUL bytes]",
        "d.md": "[no title]",
        "e.md": "[withheld: 9 bytes, invisible-characters]",
        "f.md": f"“{('word ' * 32).rstrip()}…” [cut: 299 characters]",
    }
    assert title_shown(tree, NoteCache(), "gone.md") == Title(mark="[left alone: no such file]")


def test_a_path_is_one_word_or_withheld() -> None:
    assert screened_path("a (checked 2026-11-30): b.md") == "a%20(checked%202026-11-30):%20b.md"
    assert screened_path("a\u202eb.md") == "[withheld: 8 bytes, invisible-characters]"
