"""Index, catalog and archive after notes went elsewhere: no link is left behind, and nobody's line is lost."""

from __future__ import annotations

from dream.memory.notes import NoteCache
from tasks.mending import mended
from tests.tasks.stories import memory


def test_a_line_that_only_lists_a_retired_note_goes_and_prose_about_it_leads_on() -> None:
    tree = memory(
        MEMORY="# M\n\nStart with [old](a/old.md).\n\n- [Old](a/old.md)\n"
        "- [Old](a/old.md), then [new](a/new.md)\n- [New](a/new.md)\n",
        CATALOG="# C\n\n- [Old](a/old.md): what it was\n",
        a__new="# new\n\nSee [old](old.md).\n",
        archive__a__old="# old\n\nSee [new](new.md).\n",
        archive__b="# b\n\nSee [old](../a/old.md) and [[old]].\n",
    )
    assert mended(tree, NoteCache(), retired={"a/old.md": "archive/a/old.md"}, merged={}) == {
        "MEMORY.md": (
            b"# M\n\nStart with [old](archive/a/old.md).\n\n"
            b"- [Old](archive/a/old.md), then [new](a/new.md)\n- [New](a/new.md)\n"
        ),
        "CATALOG.md": b"# C\n",
        "archive/a/old.md": b"# old\n\nSee [new](../../a/new.md).\n",
        "archive/b.md": b"# b\n\nSee [old](a/old.md) and [[old]].\n",
    }


def test_a_merged_note_is_listed_once_under_the_one_that_says_it_now() -> None:
    listed = memory(MEMORY="- [Gone](a/gone.md)\n- [Kept](a/kept.md)\n", a__kept="# kept\n")
    alone = memory(MEMORY="- [Gone](a/gone.md)\r\n- x\r\n", a__kept="# kept\n")
    merged = {"a/gone.md": "a/kept.md"}
    assert mended(listed, NoteCache(), retired={}, merged=merged) == {"MEMORY.md": b"- [Kept](a/kept.md)\n"}
    assert mended(alone, NoteCache(), retired={}, merged=merged) == {"MEMORY.md": b"- [Gone](a/kept.md)\r\n- x\r\n"}


def test_where_nothing_went_nothing_is_mended() -> None:
    tree = memory(MEMORY="- [Gone](a/gone.md)\n", archive__b="# b\n\n[x](y.md)\n")
    assert mended(tree, NoteCache(), retired={}, merged={}) == {}
    assert mended(tree, NoteCache(), retired={"c.md": "archive/c.md"}, merged={}) == {}
