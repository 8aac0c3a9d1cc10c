"""Which notes agents are shown without asking."""

from __future__ import annotations

from dream.memory.index.loaded import loaded_notes
from dream.memory.limits import IndexLimits
from dream.memory.tree import MappingTree

LIMITS = IndexLimits()


def shown(limits: IndexLimits = LIMITS, **files: str) -> set[str]:
    names = {"index": "MEMORY.md", "five": "index.md", "catalog": "CATALOG.md"}
    notes = {"a.md": "# A\n", "s/b.md": "# B\n", "daily/2026-10-21.md": "# Day\n"}
    tree = MappingTree(
        {
            **{path: text.encode() for path, text in notes.items()},
            **{names[name]: text.encode() for name, text in files.items()},
        }
    )
    return set(loaded_notes(tree, limits=limits))


def test_notes_that_the_index_links_to_are_shown_and_those_of_the_catalog_are_not() -> None:
    index = "# Memory\n\n- [A](a.md)\n- [Catalog](CATALOG.md)\n- [Day](daily/2026-10-21.md)\n- [gone](gone.md)\n"
    assert shown(index=index, catalog="- [B](s/b.md)\n") == {"a.md"}


def test_what_is_beyond_the_limits_is_not_loaded() -> None:
    index = "# Memory\n\n- [A](a.md)\n- [B](s/b.md)\n"
    assert shown(index=index) == {"a.md", "s/b.md"}
    assert shown(IndexLimits(lines=3), index=index) == {"a.md"}
    assert shown(IndexLimits(bytes=len(index) - 3), index=index) == {"a.md"}


def test_a_memory_without_an_index_shows_nothing() -> None:
    assert shown() == set()


def test_the_index_of_five_files_is_theirs() -> None:
    tree = MappingTree(
        {"index.md": b"[Facts](facts.md#ports)\n", "facts.md": b"- 1\n", "state.md": b"- 2\n", "tasks.md": b""}
    )
    assert loaded_notes(tree, limits=LIMITS) == {"facts.md"}
