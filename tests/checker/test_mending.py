from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.checker.formatting import format_entries
from dream.checker.inspection import inspect
from dream.checker.mending import mend
from dream.checker.subject import Subject, read_subject
from dream.memory.limits import IndexLimits
from dream.memory.notes import Note, NoteCache, parse_note
from dream.memory.tree import OverlayTree, Tree
from tests.checker.memories import INDEX, TODAY
from tests.guards.proposals import Files, tree_of


def read(tree: Tree) -> Subject:
    return read_subject(tree, NoteCache(), IndexLimits(), today=TODAY)


def mended(files: Files) -> Mapping[str, bytes | None]:
    """Return what changes, after seeing that mending the result changes nothing more."""
    tree = tree_of({**INDEX, **files})
    changed = mend(read(tree), inspect(read(tree)).findings).files
    after = read(OverlayTree(tree, changed))
    assert mend(after, inspect(after).findings).files == {}
    return changed


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[x](../old/carts.md)", "[x](../services/carts.md)"),
        ("[x](carts.md#top)", "[x](../services/carts.md#top)"),
        ("[x](./Carts.md)", "[x](../services/carts.md)"),
        ("[x](services/carts.md)", "[x](../services/carts.md)"),
        ("[x](/carts.md)", "[x](/services/carts.md)"),
        ("[[old/carts]]", "[[services/carts]]"),
        ("[[old/carts|the carts]] [x](carts.md)", "[[services/carts|the carts]] [x](../services/carts.md)"),
        ("![x](img/a.png)", "![x](../img/a.png)"),
        ("[x](twice.md)", ""),
        ("[x](readme.md)", ""),
        ("[x](../../elsewhere/carts.md)", ""),
        ("[x](carts.txt)", ""),
        ("[x](carts/)", ""),
        ("[[nothing]]", ""),
        ("`[x](carts.md)`", ""),
        ("[x](a.md)", ""),
    ],
)
def test_a_link_that_can_mean_one_note_alone_is_pointed_at_it(link: str, expected: str) -> None:
    files: Files = {
        "notes/a.md": f"# A\r\n\r\n- see {link}  \r\nend",
        "services/carts.md": "# Carts\n",
        "services/readme.md": "# Read\n",
        "x/twice.md": "1\n",
        "y/twice.md": "2\n",
        "img/a.png": b"\x89PNG\0",
    }
    changed = mended(files)
    assert changed == ({"notes/a.md": f"# A\r\n\r\n- see {expected}  \r\nend".encode()} if expected else {})


def test_what_is_waived_is_not_mended() -> None:
    files: Files = {"notes/a.md": "[x](carts.md)\n", "services/carts.md": "# Carts\n"}
    assert mended(files) != {}
    assert mended({**files, ".dreamcheck.yaml": "ignore: {dangling-link: [notes/]}\n"}) == {}


def test_a_note_whose_frontmatter_is_broken_is_left_alone() -> None:
    assert mended({"notes/a.md": "---\nname: [x\n---\n[x](carts.md)\n", "services/carts.md": "# Carts\n"}) == {}


def test_the_catalog_is_made_afresh_of_what_is_there() -> None:
    assert mended({"CATALOG.md": "# Catalog\n\nMine.\n\n- [gone](gone.md)\n", "a.md": "# A\n"}) == {
        "CATALOG.md": b"# Catalog\n\nMine.\n\n- [A](a.md)\n"
    }


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["- 2026-10-01: 1.", "- 2026-10-01: 2.", "* **2026-10-02:**  3."], {2: "- 2026-10-02: 3."}),
        (["* **2026-10-01:** 1.", "* **2026-10-01:** 2.", "- 2026-10-02: 3."], {2: "* **2026-10-02:** 3."}),
        (["-   2026-10-01: One."], {0: "- 2026-10-01: One."}),
        (
            ["- 2026-10-01: One.   [thread_1;2026-10-01,acme/web#4 ]  \r"],
            {0: "- 2026-10-01: One. [thread_1, 2026-10-01, acme/web#4]  \r"},
        ),
        (
            ["- 2026-10-01: One", "  goes on. [thread_1,2026-10-01]", "", "Text [thread_1,2026-10-01]"],
            {1: "  goes on. [thread_1, 2026-10-01]"},
        ),
        (["-   2026-10-01: One", "    goes on."], {}),
        (["- 2026-10-01: One [see, this]"], {}),
        (["- one", "* two"], {}),
        (["```", "*  2026-10-01: code", "```", "- 2026-10-01: One."], {}),
        (["\ufeff- 2026-10-01: One.", "+ 2026-10-01: Two."], {1: "- 2026-10-01: Two."}),
    ],
)
def test_dated_entries_are_written_alike_and_say_the_same(lines: list[str], expected: dict[int, str]) -> None:
    files = {"a.md": "\n".join(lines), "CATALOG.md": "# Catalog\n\n- [x](a.md)\n"}
    findings = inspect(read(tree_of({**INDEX, **files}))).findings
    found = [(one.rule, one.line - 1) for one in findings if one.path == "a.md" and one.rule != "entry-undated"]
    assert found == [("entry-format", number) for number in expected]
    written = [expected.get(number, line) for number, line in enumerate(lines)]
    changed = mended(files)
    changed = {path: data for path, data in changed.items() if path == "a.md"}
    assert changed == ({"a.md": "\n".join(written).encode()} if expected else {})


LINES = st.lists(
    st.sampled_from(
        (
            *(
                "- 2026-10-01: One. [thread_1;2026-10-01]",
                "* **2026-10-02:** Two.",
                "+ **2026-10-03**:  3 (tentative)",
            ),
            *("  goes on", "", "- undated", "# H", "```", "> q", "    code", "1. 2026-10-01: x", "- 2026-10-04: a\r"),
            *("*  2026-10-05:\tb", "  - 2026-10-06: nested", "Text [thread_1,2026-10-01]"),
        )
    )
)


@given(LINES)
def test_formatting_never_changes_what_any_entry_says_and_is_done_at_once(lines: list[str]) -> None:
    note = parse_note("\n".join(lines).encode())
    assert isinstance(note, Note)
    after = parse_note(format_entries(note).encode())
    assert isinstance(after, Note)
    said = [[(one.key, one.date, one.sources, one.tentative) for one in each.entries] for each in (note, after)]
    assert said[0] == said[1]
    assert note.other == after.other
    assert format_entries(after) == after.text
