from __future__ import annotations

import pytest

from tests.checker.memories import brief

USER = "---\nname: me\ndescription: who I am\ntype: user\n---\nI write Go.\n"
REASONED = "Do it.\n\n**Why:** it broke.\n\n**How to apply:** always.\n"


def note(front: str, body: str = REASONED) -> str:
    return f"---\n{front}---\n{body}"


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("name: n\ndescription: d\ntype: feedback\n", []),
        ("name: n\ndescription: d\nmetadata:\n  type: project\n", []),
        ("name: n\ndescription: d\n", [("type-missing", 1)]),
        ("name: n\ndescription: d\ntype: fedback\n", [("type-unknown", 4)]),
        ("description: d\ntype: feedback\n", [("name-missing", 1)]),
        ("name: n\ntype: feedback\n", [("description-missing", 1)]),
        ("title: x\ntags: y\n", []),
    ],
)
def test_a_note_with_frontmatter_says_what_it_is(front: str, expected: list[tuple[str, int]]) -> None:
    assert [(rule, line) for rule, path, line in brief({"me.md": USER, "n.md": note(front)}) if path == "n.md"] == (
        expected
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (REASONED, []),
        ("Do it.\n\n## Why\n\nIt broke.\n\n## How to apply\n\nAlways.\n", []),
        ("Do it.\n\nWhy: it broke.\nHow to apply: always.\n", []),
        ("Do it.\n\n- **Why**: it broke\n- **How to apply**: always\n", []),
        ("Do it.\n", ["how-to-apply-missing", "why-missing"]),
        ("Do it. Why not?\n\nHowever, it broke.\n", ["how-to-apply-missing", "why-missing"]),
        ("Do it.\n\n**Why:** it broke.\n", ["how-to-apply-missing"]),
        ("\u4e0d\u8981\u8fd9\u6837\u505a\u3002\n", []),
    ],
)
def test_feedback_and_project_notes_say_why_and_how(body: str, expected: list[str]) -> None:
    for kind in ("feedback", "project"):
        notes = {"n.md": note(f"name: n\ndescription: d\ntype: {kind}\n", body)}
        assert [rule for rule, _, _ in brief(notes)] == expected
    assert brief({"n.md": note("name: n\ndescription: d\ntype: reference\n", body)}) == []


def test_frontmatter_of_other_tools_is_theirs() -> None:
    assert brief({"n.md": "---\nname: n\ndescription: d\n---\nText\n"}) == []
    assert brief({"me.md": USER, "x/SKILL.md": "---\nname: n\ndescription: d\n---\nText\n"}) == []
    assert brief({"n.md": "---\ntype: adr\nstatus: open\n---\nText\n"}) == []


def test_a_name_that_leads_nowhere_is_a_dangling_link() -> None:
    assert brief({"me.md": USER + "See [[who i am]] and [[me]].\n"}) == [("dangling-link", "me.md", 7)]
