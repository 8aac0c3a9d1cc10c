"""`SKILL.md`: the published rules, the form that is written, and what real files come to."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from dream.memory.skills import (
    BrokenSkill,
    Lesson,
    Skill,
    check_skill,
    is_skill_name,
    learning_name,
    learning_path,
    lessons_of,
    parse_skill,
    render_opening,
    render_skill,
    write_learning,
)
from dream.memory.sources import origin

REAL = "skills_recall"

names = st.from_regex(r"[a-z0-9]+(?:-[a-z0-9]+){0,4}", fullmatch=True).filter(lambda name: len(name) <= 64)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
lines = texts.map(lambda text: " ".join(text.split()))
tricky = st.sampled_from(
    [
        "no",
        "1.0",
        "null",
        "~",
        "a: b",
        "# x",
        "- x",
        "'",
        '"',
        "\\",
        "2026-10-14",
        "---",
        "{x}",
        "*",
        "&a",
        "!!python/x",
    ]
)
scalars = st.one_of(lines, tricky)
skills = st.builds(
    Skill,
    name=names,
    description=scalars.filter(bool),
    body=texts.map(lambda text: text.replace("\0", "").strip("\r\n")).filter(str.strip),
    metadata=st.dictionaries(st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,20}", fullmatch=True), scalars, max_size=4),
    license=scalars,
    compatibility=scalars,
    allowed_tools=scalars,
)

LEARNING = b"""---
name: review-migrations
description: Use when reviewing a migration of the orders database.
metadata:
  learned: "2026-10-14"
---

# Review migrations

- Ask for the rollback script before approving. [person:ana@thread_7c2e, 2026-10-14]
- Run the migration on a copy first. [person:ana@thread_7c2e, person:bo@thread_81aa, 2026-10-12]
"""


@given(skills)
@example(Skill(name="a", description="x", body="---\nname: other\n---"))
@example(Skill(name="a", description="ends in a colon:", body="x", metadata={"version": "1.0", "on": "yes"}))
@example(Skill(name="a", description="half \ud800 a character", body="x"))
def test_what_is_written_is_read_back(skill: Skill) -> None:
    assume(check_skill(skill, folder=skill.name) == ())
    data = render_skill(skill)
    assert parse_skill(data) == skill
    again = parse_skill(data)
    assert isinstance(again, Skill)
    assert render_skill(again) == data


@given(skills)
def test_every_yaml_reader_takes_what_is_written_for_the_same_strings(skill: Skill) -> None:
    assume(check_skill(skill, folder=skill.name) == ())
    for version in ("1.1", "1.2"):
        reader = YAML(typ="safe", pure=True)
        reader.version = version
        loaded = reader.load(render_opening(skill).removeprefix("---\n").removesuffix("\n---"))
        assert loaded["name"] == skill.name
        assert loaded["description"] == skill.description
        assert loaded.get("metadata", {}) == skill.metadata


@given(st.binary(max_size=400) | texts.map(lambda text: f"---\n{text}\n---\n{text}".encode()))
def test_any_bytes_are_a_skill_or_refused_with_a_reason(data: bytes) -> None:
    found = parse_skill(data)
    assert isinstance(found, Skill) or found.reason


def test_the_form_of_a_learning() -> None:
    skill = write_learning(
        "review-migrations",
        "Use when reviewing a migration of the orders database.",
        [
            Lesson(
                text="Ask for the rollback script before approving.",
                sources=("person:ana@thread_7c2e",),
                dated=date(2026, 10, 14),
            ),
            Lesson(
                text="Run the migration\n on a copy first.",
                sources=("person:ana@thread_7c2e", "person:bo@thread_81aa"),
                dated=date(2026, 10, 12),
            ),
        ],
        metadata={"learned": "2026-10-14"},
    )
    assert render_skill(skill) == LEARNING
    assert check_skill(skill, folder="review-migrations") == ()
    assert [lesson.text for lesson in lessons_of(skill)] == [
        "Ask for the rollback script before approving.",
        "Run the migration on a copy first.",
    ]
    assert {origin(source) for lesson in lessons_of(skill) for source in lesson.sources} == {"person"}


def test_a_line_without_a_citation_is_no_lesson() -> None:
    skill = Skill(name="a", description="x", body="# A\n\n- Said by nobody.\n- So [1].\nText. [person:ana, 2026-10-14]")
    assert lessons_of(skill) == ()


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        ("a", True),
        ("0-9", True),
        ("a" * 64, True),
        ("a" * 65, False),
        ("", False),
        ("-a", False),
        ("a-", False),
        ("a--b", False),
        ("A", False),
        ("a_b", False),
        ("a b", False),
        ("a\n", False),
        ("../a", False),
        ("\u0430bc", False),
        ("caf\u00e9", False),
        ("\u0661", False),
    ],
)
def test_names_are_as_published(name: str, is_one: bool) -> None:  # noqa: FBT001
    assert is_skill_name(name) is is_one


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ({"name": "other"}, "name is not the folder's"),
        ({"description": ""}, "no description"),
        ({"description": "x" * 1025}, "description over 1024 characters"),
        ({"description": "two\nlines"}, "description has line breaks or blanks beside blanks"),
        ({"compatibility": "x" * 501}, "compatibility over 500 characters"),
        ({"metadata": {"a b": "x"}}, "metadata with a key that is no plain word"),
        ({"unknown": ("var",)}, "fields that the rules do not have: var"),
        ({"body": ""}, "no body"),
        ({"body": "\nx"}, "body with blank lines at its ends"),
        ({"body": "\ud800"}, "half of a character"),
        ({"body": "a\0b"}, "NUL characters"),
        ({"metadata": {"a": "x" * 17_000}}, "frontmatter over 16 kB"),
        ({"body": "x" * 256_000}, "over 256 kB"),
    ],
)
def test_what_breaks_a_rule_is_found(change: dict[str, object], finding: str) -> None:
    values: dict[str, object] = {"name": "a", "description": "x", "body": "# A", **change}
    assert check_skill(Skill(**values), folder="a") == (finding,)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["learnings/a.md", "learnings/a/b/SKILL.md", "learnings//SKILL.md", "a/SKILL.md", ""])
def test_elsewhere_no_learning_stands(path: str) -> None:
    assert learning_name(path) == ""


@given(names)
def test_a_learning_stands_in_a_folder_of_its_name(name: str) -> None:
    assert learning_name(learning_path(name)) == name


def test_a_folded_description_is_one_line() -> None:
    found = parse_skill(b"---\nname: a\ndescription: >-\n  Use this\n  for that.\n---\nBody\n")
    assert found == Skill(name="a", description="Use this for that.", body="Body")


def test_line_ends_of_other_systems_are_read() -> None:
    found = parse_skill(b"\xef\xbb\xbf---\r\nname: a\r\ndescription: x\r\n---\r\n\r\nBody\r\n")
    assert found == Skill(name="a", description="x", body="Body")


def test_every_real_skill_is_read_or_refused_with_a_reason(shared_data: Path) -> None:
    root = shared_data / REAL
    ends: Counter[str] = Counter()
    findings: Counter[str] = Counter()
    for path in sorted(root.rglob("SKILL.md")):
        found = parse_skill(path.read_bytes())
        if isinstance(found, BrokenSkill):
            ends[found.reason] += 1
            continue
        ends["read"] += 1
        findings.update(finding.partition(":")[0] for finding in check_skill(found, folder=path.parent.name))
    assert ends == {
        "read": 178,
        "no frontmatter": 11,
        "frontmatter: expected ',' or ']', but got '<stream end>', line 4": 1,
    }
    assert findings == {
        "fields that the rules do not have": 80,
        "name with other characters than a-z, 0-9 and -": 56,
        "name is not the folder's": 56,
        "no description": 3,
        "no name": 2,
        "no body": 2,
        "name over 64 characters": 1,
        "name with a hyphen at an end or beside another": 1,
    }
