from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dream.checker.finding import Finding
from dream.checker.inspection import check
from dream.checker.rules import RULES, Severity
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree, Tree
from tests.guards.planted_secrets import planted_secrets
from tests.guards.proposals import Files, OddTree, tree_of
from tests.guards.purity import NOT_PURE, imports_of

TREES = Path("../shared/data/memory_trees")
CLEAN: Mapping[str, str | bytes] = {
    "MEMORY.md": "# Memory\n\n- [A](services/a.md)\n- [Catalog](CATALOG.md)\n",
    "CATALOG.md": "# Catalog\n\n- [A](services/a.md)\n- [B](b.md)\n- [day](daily/2026-10-21.md)\n",
    "services/a.md": "# A\n\n- see [b](../b.md), [[c]], [site](https://x.example), [here](#top), [all](../daily/)\n",
    "services/c.md": "---\nname: The C\ntype: project\n---\nbody, see [[the c]]\n",
    "b.md": "# B\r\n\r\n- emoji \u2764\ufe0f\r\n",
    "daily/2026-10-21.md": "# Day\n",
    "preferences/slack/ops.md": "- be brief\n",
    "learnings/a/SKILL.md": "---\nname: a\ndescription: Use for a.\nuser-invocable: false\n---\n\nBody\n",
    ".dream/state.json": '{\n"version": 1\n}\n',
    ".github/workflows.md": "[x](nowhere.md) \u200b\n",
    "chart.png": b"\x89PNG\0\xff",
}


def found(changes: Files, *, odd: Mapping[str, str] | None = None, limits: IndexLimits | None = None) -> list[Finding]:
    tree: Tree = tree_of({**CLEAN, **changes})
    findings = check(OddTree(tree, odd) if odd else tree, NoteCache(), limits or IndexLimits())
    return [finding for finding in findings if finding.rule != "catalog-stale"]  # test_catalog.py has that


def brief(findings: list[Finding]) -> list[tuple[str, str, int]]:
    return [(finding.rule, finding.path, finding.line) for finding in findings]


def test_a_sound_memory_has_no_findings() -> None:
    assert found({}) == []


LONG = "- [C](CATALOG.md) " + "x" * 2_000 + "\n"
RECORD = '{\n"base": "x",\n"night": "2026-10-21",\n"run": "y",\n"scheduled": "2026-10-21T04:00:00Z",\n"version": 1\n}\n'
CASES: Mapping[str, tuple[Files, list[tuple[str, str, int]]]] = {
    "not UTF-8": ({"b.md": b"\xff\xfeb\0"}, [("note-unreadable", "b.md", 0)]),
    "too large": ({"b.md": "- x\n" * 70_000}, [("note-too-large", "b.md", 0)]),
    "broken frontmatter": ({"b.md": "---\nname: [x\n---\n"}, [("frontmatter-broken", "b.md", 1)]),
    "dangling link": ({"b.md": "- x\n\nsee [x](gone.md)\n"}, [("dangling-link", "b.md", 3)]),
    "dangling wiki link": ({"b.md": "see [[gone]]\n"}, [("dangling-link", "b.md", 1)]),
    "dangling link in a preference": (
        {"preferences/x.md": "[x](gone.md)\n"},
        [("dangling-link", "preferences/x.md", 1)],
    ),
    "ambiguous link": (
        {"x/c.md": "x\n", "b.md": "[[c]] [x](x/c.md)\n"},
        [("ambiguous-link", "b.md", 1), ("ambiguous-link", "services/a.md", 3)],
    ),
    "a learning without frontmatter": (
        {"learnings/a/SKILL.md": "# A\n"},
        [("learning-invalid", "learnings/a/SKILL.md", 0)],
    ),
    "a learning that breaks rules": (
        {"learnings/a/SKILL.md": "---\nname: B\ntool: x\n---\nBody\n"},
        [("learning-invalid", "learnings/a/SKILL.md", 0)] * 3,
    ),
    "a learning that cannot be read": (
        {"learnings/a/SKILL.md": "---\nname: [a\n---\nBody\n"},
        [("frontmatter-broken", "learnings/a/SKILL.md", 1)],
    ),
    "orphan": ({"lost.md": "x\n"}, [("orphan-note", "lost.md", 0)]),
    "orphans that link to each other": (
        {"l1.md": "[x](l2.md)\n", "l2.md": "[x](l1.md)\n"},
        [("orphan-note", "l1.md", 0), ("orphan-note", "l2.md", 0)],
    ),
    "dead index link": (
        {"MEMORY.md": "- [A](services/a.md)\n- [C](CATALOG.md)\n- [x](gone.md)\n"},
        [("dead-index-link", "MEMORY.md", 3)],
    ),
    "index over its lines": (
        {"MEMORY.md": "- [C](CATALOG.md)\n" + "prose\n" * 200},
        [("index-over-limits", "MEMORY.md", 0)],
    ),
    "a line of the index that is cut off": (
        {"MEMORY.md": LONG},
        [("index-line-long", "MEMORY.md", 1)],
    ),
    "a heading that is not there": (
        {"b.md": "# B\n\n[x](services/a.md#gone) [y](services/a.md#A) [[the c#no]] [z](#b) [w](#c) [p](chart.png#x)\n"},
        [("dangling-anchor", "b.md", 3)] * 3,
    ),
    "definitions": (
        {"b.md": "# B\n\nsee [Used] and [x][also]\n\n[used]: gone.md\n[ALSO]: gone.md\n[unused]: gone.md\n"},
        [("dangling-link", "b.md", 5), ("dangling-link", "b.md", 6)],
    ),
    "links as a site has them": (
        {"b.md": "[a](../services/a/) [c](../services/c/)\n[gone](../services/gone/)\n"},
        [("site-link", "b.md", 1), ("dangling-link", "b.md", 2)],
    ),
    "same name but for case": (
        {"B.md": "x [b](b.md)\n", "services/a.md": "[x](../B.md) [[c]]\n"},
        [("path-collision", "B.md", 0)],
    ),
    "conflict": (
        {"b.md": "- x\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n"},
        [("conflict-marker", "b.md", 2)],
    ),
    "invisible": ({"b.md": "- one\n- t\u200bwo\n- th\u202eree\n"}, [("invisible-character", "b.md", 2)]),
    "secret": ({"b.md": f"- one\n- {planted_secrets()['npm']}\n"}, [("secret", "b.md", 2)]),
    "secret in a file that is no note": ({"run.sh": f"TOKEN={planted_secrets()['npm']}\n"}, [("secret", "run.sh", 1)]),
    "state that is none": ({".dream/state.json": "{"}, [("flow-file-invalid", ".dream/state.json", 0)]),
    "state of a newer version": (
        {".dream/state.json": '{"version": 99}'},
        [("flow-file-invalid", ".dream/state.json", 0)],
    ),
    "record that is none": (
        {".dream/nights/2026-10-21.json": "[]"},
        [("flow-file-invalid", ".dream/nights/2026-10-21.json", 0)],
    ),
    "a sound record": ({".dream/nights/2026-10-21.json": RECORD}, []),
    "a stranger under .dream": ({".dream/notes.md": "x\n"}, [("flow-file-unknown", ".dream/notes.md", 0)]),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), CASES.values(), ids=CASES.keys())
def test_each_fault_is_found_where_it_is(changes: Files, expected: list[tuple[str, str, int]]) -> None:
    assert brief(found(changes)) == expected


def test_a_memory_without_an_index_is_told_once() -> None:
    files = {path: data for path, data in CLEAN.items() if path not in {"MEMORY.md", "CATALOG.md"}}
    assert brief(list(check(tree_of(files), NoteCache(), IndexLimits()))) == [("index-missing", "MEMORY.md", 0)]


def test_odd_files_are_named_and_may_be_linked_to() -> None:
    odd = {"link.md": "symlink", "sub": "submodule"}
    assert brief(found({"b.md": "[l](link.md) [s](sub)\n"}, odd=odd)) == [
        ("odd-file", "link.md", 0),
        ("odd-file", "sub", 0),
    ]


def test_the_limits_are_arguments() -> None:
    assert brief(found({}, limits=IndexLimits(lines=2))) == [
        ("index-over-limits", "MEMORY.md", 0),
        ("orphan-note", "b.md", 0),
        ("orphan-note", "services/a.md", 0),
        ("orphan-note", "services/c.md", 0),
    ]


def test_every_rule_has_a_case() -> None:
    cases = "".join(
        path.read_text()
        for path in [*Path("tests/checker").glob("test_*.py"), Path("tests/flows/commands/test_checking.py")]
    )
    assert [rule for rule in RULES if not re.search(rf'[(\[]\s*"{rule}"|"{rule}"[)\]]|== "{rule}"', cases)] == []


def test_a_finding_is_one_line_that_holds_no_secret_and_nothing_invisible() -> None:
    token = planted_secrets()["npm"]
    findings = found({"b\n\u202e.md": f"{token} \u200b [x](go\u202ene.md)\n"})
    shown = [str(finding) for finding in findings]
    assert len(shown) >= 3
    assert all(line.isascii() and line.isprintable() and token not in line for line in shown)
    assert str(found({"b.md": "[x](gone.md)\n"})[0]) == (
        "b.md:1: dangling-link: gone.md; point the link at a note that exists, or take it out"
    )


def test_only_what_stops_reading_is_an_error() -> None:
    assert {rule for rule, known in RULES.items() if known.severity is Severity.WARNING} == {
        "odd-file", "invisible-character", "dangling-link", "ambiguous-link", "dangling-anchor", "orphan-note",
        "index-missing", "index-line-long", "dead-index-link", "learning-invalid",
        "check-not-asked", "check-repeated", "check-unstated",
        "entry-undated", "date-ahead", "updated-malformed", "same-topic",
        "type-missing", "type-unknown", "name-missing", "description-missing", "why-missing", "how-to-apply-missing",
    }  # fmt: skip


def test_what_comes_with_time_or_goes_with_the_next_night_is_for_information() -> None:
    assert {rule for rule, known in RULES.items() if known.severity is Severity.INFO} == {
        "site-link", "catalog-stale", "entry-unsourced", "entry-format", "updated-stale", "task-completed",
        "several-topics", "waiver-unused",
    }  # fmt: skip


def real_trees() -> Iterator[Path]:
    yield from (folder for folder in sorted(TREES.glob("*")) if folder.is_dir())
    yield from (folder for folder in sorted(TREES.glob("*/_nights/*/*")) if folder.is_dir())


@pytest.mark.skipif(not TREES.is_dir(), reason="../shared/data is not here")
def test_every_real_memory_is_told_about_without_a_traceback() -> None:
    checked = 0
    for folder in real_trees():
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file() and "_nights" not in path.relative_to(folder).parts
        }
        findings = check(MappingTree(files), NoteCache(), IndexLimits())
        assert list(findings) == sorted(findings)
        assert {finding.rule for finding in findings} <= set(RULES)
        assert all("\n" not in str(finding) for finding in findings)
        checked += 1
    assert checked > 50


def test_the_checker_knows_nothing_of_git_the_clock_or_chance() -> None:
    assert imports_of(Path("dream/checker")).isdisjoint(NOT_PURE)


def test_every_dead_line_of_a_long_page_is_placed_in_one_reading_of_it() -> None:
    page = "# Memory\n\n" + "".join(f"- [Gone](gone-{number}.md)\n" for number in range(1_500))
    dead = [one.line for one in found({"CATALOG/all.md": page}) if one.rule == "dead-index-link"]
    assert dead == list(range(3, 1_503))


def test_many_links_into_a_note_of_many_headings_are_each_told() -> None:
    links = "".join(f"[[b#Nope {number}]]\n" for number in range(1_500))
    told = found({"a.md": links, "b.md": "# B\n\n" + "## Part\n\n" * 4_000})
    dangling = [one.line for one in told if one.rule == "dangling-anchor"]
    assert dangling == list(range(1, 1_501))
