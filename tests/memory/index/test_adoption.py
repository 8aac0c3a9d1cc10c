"""People's prose leaves an overgrown index byte for byte, and its lists of links stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from dream.memory.index.adoption import Adoption, adopt_prose
from dream.memory.index.reach import reachable_notes
from dream.memory.index.rewrite import rewrite_index
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree, OverlayTree, Tree

LIMITS = IndexLimits(lines=30, bytes=4_000)
RULES = "\n".join(f"- Rule {number} of ours." for number in range(1, 11))
STORY = "\n".join(f"Line {number} of a story." for number in range(1, 13))
INDEX = f"""# Memory

We are polite.

## Rules

{RULES}

## Notes

- [Search](services/search.md)
- [Carts](services/carts.md): how long they are kept

## The story so far

{STORY}

### How it ended

Well.
"""
NOTES = {"services/search.md": "# Search\n", "services/carts.md": "# Carts\n"}


def tree(index: str | bytes, more: Mapping[str, str] | None = None) -> MappingTree:
    files = {path: text.encode() for path, text in {**NOTES, **(more or {})}.items()}
    return MappingTree({**files, "MEMORY.md": index if isinstance(index, bytes) else index.encode()})


def adopt(memory: Tree, limits: IndexLimits = LIMITS) -> Adoption:
    return adopt_prose(memory, NoteCache(), limits=limits)


def text_of(adoption: Adoption, path: str = "MEMORY.md") -> str:
    return adoption.files[path].decode()


def words(files: Mapping[str, bytes]) -> Counter[bytes]:
    return Counter(line for data in files.values() for line in data.split(b"\n") if line.strip())


def test_sections_without_links_go_from_the_bottom_up_until_there_is_room() -> None:
    adoption = adopt(tree(INDEX))
    assert [(one.path, one.title, one.lines) for one in adoption.moved] == [
        ("index-notes-the-story-so-far.md", "The story so far", 18)
    ]
    assert text_of(adoption, "index-notes-the-story-so-far.md") == INDEX[INDEX.index("## The story") :]
    assert text_of(adoption) == (
        INDEX[: INDEX.index("## The story")] + "- [The story so far](index-notes-the-story-so-far.md)\n"
    )
    assert adoption.reason == ""


def test_a_second_time_there_is_nothing_to_adopt() -> None:
    memory = tree(INDEX)
    after = OverlayTree(memory, adopt(memory).files)
    again = adopt(after)
    assert (again.files, again.moved, again.reason) == ({}, (), "MEMORY.md has room for its links")


def test_an_index_with_room_is_left_as_it_is() -> None:
    assert adopt(tree("# Memory\n\nOurs.\n")).files == {}
    assert adopt(tree(INDEX), IndexLimits()).files == {}


def test_a_list_of_links_stays_and_the_prose_around_it_goes() -> None:
    index = f"# Memory\n\n## Notes\n\n{STORY}\n\n- [Search](services/search.md)\n\n{STORY}\n{STORY}\n"
    adoption = adopt(tree(index))
    stays = f"# Memory\n\n## Notes\n\n{STORY}\n\n- [Search](services/search.md)\n\n"
    assert text_of(adoption) == f"{stays}- [Line 1 of a story.](index-notes-notes.md)\n"
    assert text_of(adoption, "index-notes-notes.md") == f"{STORY}\n{STORY}\n"


def test_where_sections_apart_leave_no_room_neighbours_go_into_one_note() -> None:
    index = "# Memory\n" + "".join(f"\n## Section {number}\n\nIts line.\n" for number in range(40))
    adoption = adopt(tree(index), IndexLimits(lines=40, bytes=25_000))
    assert len(adoption.moved) < 10
    assert adoption.reason == ""
    assert words(adoption.files) - words({"MEMORY.md": index.encode()}) == Counter(
        f"- [{one.title}]({one.path})".encode() for one in adoption.moved
    )
    assert words({"MEMORY.md": index.encode()}) - words(adoption.files) == Counter()


@pytest.mark.parametrize(
    "kept",
    [
        "## One\n\n<details>\n\n## Two\n\nHidden.\n\n</details>",
        "## More\n\nThe first.[^1]\n\nThe second.\n\n## Feet\n\n[^1]: Of the first.\n\nAnd more.",
        "## Sources\n\n[site]: https://example.com/a\n\nAs [site] has it.\n\nAnd more.",
    ],
)
def test_what_holds_together_across_sections_stays(kept: str) -> None:
    adoption = adopt(tree(f"# Memory\n\n{kept}\n\n## Story\n\n{STORY}\n{STORY}\n{STORY}\n"))
    assert kept in text_of(adoption)


def test_links_to_places_on_the_page_lead_where_they_led() -> None:
    story = f"## The story\n\nSee [rules](#rules) and [this](#the-story).\n\n{STORY}\n{STORY}\n"
    toc = "- [Story](#the-story), [rules](#rules), [[#The story]]\n- [Search](services/search.md)\n"
    files = adopt(tree(f"# Memory\n\n{toc}\n## Rules\n\n- [Carts](services/carts.md)\n\n{story}")).files
    path = "index-notes-the-story.md"
    assert files[path] == story.replace("(#rules)", "(MEMORY.md#rules)").encode()
    assert f"- [Story]({path}#the-story), [rules](#rules), [[{path[:-3]}#The story]]\n".encode() in files["MEMORY.md"]


def test_no_part_begins_with_a_rule_that_would_open_frontmatter() -> None:
    adoption = adopt(
        tree(f"# Memory\n\n---\n\n**Rule: a: b**\n\n---\n\n{STORY}\n{STORY}\n\n- [C](services/carts.md)\n")
    )
    (moved,) = adoption.moved
    assert adoption.files[moved.path].startswith(b"**Rule: a: b**\n\n---\n")
    assert adoption.files["MEMORY.md"].startswith(b"# Memory\n\n---\n\n- [")


def test_headings_in_other_letters_get_plain_names_and_no_two_the_same() -> None:
    index = f"# 记忆\n\n## 规则\n\n{STORY}\n\n## 故事\n\n{STORY}\n\n## API 说明\n\n{STORY}\n"
    adoption = adopt(tree(index, {"index-notes-api.md": "# Ours\n"}), IndexLimits(lines=12, bytes=4_000))
    assert sorted((one.path, one.title) for one in adoption.moved) == [
        ("index-notes-2.md", "故事"),
        ("index-notes-api-2.md", "API 说明"),
        ("index-notes.md", "规则"),
    ]


def test_carriage_returns_and_a_mark_stay() -> None:
    index = ("\ufeff" + INDEX).replace("\n", "\r\n").encode()
    adoption = adopt(tree(index))
    assert adoption.files["index-notes-the-story-so-far.md"] in index
    assert adoption.files["MEMORY.md"].startswith("\ufeff# Memory\r\n".encode())
    assert adoption.files["MEMORY.md"].count(b"\n") == adoption.files["MEMORY.md"].count(b"\r\n")


def test_an_index_of_links_alone_has_nothing_to_adopt() -> None:
    index = "# Memory\n\n" + "".join(f"- See [it]({path}) and [that]({path})\n" for path in list(NOTES) * 30)
    assert adopt(tree(index)).reason == "nothing in MEMORY.md can be moved: what fills it are links"
    assert adopt(tree(b"# \xff\n")).reason == "MEMORY.md is left alone: not UTF-8"
    assert adopt(MappingTree({})).reason == "MEMORY.md is left alone: there is none"


def test_the_index_of_five_files_gives_up_its_prose_too() -> None:
    index = f"# Index\n\n## Always load\n\n- state.md\n\n## Story\n\n{STORY}\n{STORY}\n{STORY}\n"
    files = {"index.md": index, "state.md": "# S\n", "facts.md": "# F\n", "tasks.md": "# T\n"}
    adoption = adopt(MappingTree({path: text.encode() for path, text in files.items()}))
    assert adoption.index == "index.md"
    assert text_of(adoption, "index.md") == (
        "# Index\n\n## Always load\n\n- state.md\n\n- [Story](index-notes-story.md)\n"
    )


def test_every_real_index_that_is_overgrown_fits_afterwards_and_no_line_is_lost(shared_data: Path) -> None:
    adopted = 0
    for file in sorted((shared_data / "memory_trees").rglob("MEMORY.md")):
        files = {
            path.relative_to(file.parent).as_posix(): path.read_bytes()
            for path in file.parent.rglob("*")
            if path.is_file() and not path.is_symlink()
        }
        adoption = adopt(MappingTree(files), IndexLimits())
        if not adoption.files:
            continue
        adopted += 1
        moved = OverlayTree(MappingTree(files), adoption.files)
        rewritten = rewrite_index(moved, NoteCache(), changed={}, today=date(2026, 10, 22), limits=IndexLimits())
        after = OverlayTree(moved, rewritten.files)
        assert rewritten.findings == ()
        assert words(files) - words({path: after.read(path) or b"" for path in after.paths()}) == Counter()
        assert {path for path in after.paths() if is_topic(path)} <= reachable_notes(after, limits=IndexLimits())
        assert adopt(after, IndexLimits()).files == {}
    assert adopted > 20


def test_an_index_of_very_many_sections_is_adopted_as_one_of_few() -> None:
    sections = [f"## Part {number}\n\nOne.\nTwo.\n" for number in range(1_500)]
    adoption = adopt(tree("# Memory\n\n- [First](#part-0)\n\n" + "\n".join(sections)))
    (moved,) = adoption.moved
    assert adoption.files[moved.path] == "\n".join(sections).encode()
    assert f"- [First]({moved.path}#part-0)\n".encode() in adoption.files["MEMORY.md"]
