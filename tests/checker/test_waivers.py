from __future__ import annotations

from datetime import date

import pytest

from dream.checker.inspection import inspect
from dream.checker.rules import RULES, Severity, Waiving
from dream.checker.subject import read_subject
from dream.checker.waiver_file import MOST_BYTES, read_waivers
from dream.checker.waivers import FILE, BrokenWaivers, Waiver, Waivers
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from tests.checker.memories import TODAY, found
from tests.guards.planted_secrets import planted_secrets
from tests.guards.proposals import tree_of

BAD = {"old/a.md": "# A\n\n[x](gone.md)\n", "b.md": "# B\n\n[x](gone.md)\n"}


def kept(waivers: str, notes: dict[str, str] | None = None) -> list[tuple[str, str, Severity]]:
    findings = found({**(notes or BAD), FILE: waivers})
    return [(one.rule, one.path, one.severity) for one in findings]


A, B = (("dangling-link", path, Severity.WARNING) for path in ("old/a.md", "b.md"))


@pytest.mark.parametrize(
    ("waivers", "expected"),
    [
        ("", [B, A]),
        ("# only a comment\n", [B, A]),
        ("ignore: {dangling-link: [b.md]}\n", [A]),
        ("ignore: {dangling-link: [old/**]}\n", [B]),
        ("ignore: {dangling-link: ['*.md']}\n", [A]),
        ("ignore: {dangling-link: ['**/*.md']}\n", []),
        ("ignore:\n  dangling-link:\n    - {path: b.md, until: 2026-10-22, reason: it comes}\n", [A]),
        ("exclude: [old/]\n", [B]),
        ("exclude: ['old/**']\n", [B]),
        ("severity: {dangling-link: off}\n", []),
        ("severity: {dangling-link: error}\n", [(*B[:2], Severity.ERROR), (*A[:2], Severity.ERROR)]),
    ],
)
def test_a_memory_waives_by_rule_path_and_severity(waivers: str, expected: list[tuple[str, str, Severity]]) -> None:
    assert kept(waivers) == expected


def test_what_is_waived_is_counted() -> None:
    tree = tree_of({"MEMORY.md": "# Memory\n", FILE: "ignore: {orphan-note: ['**']}\nexclude: [b.md]\n", **BAD})
    inspection = inspect(read_subject(tree, NoteCache(), IndexLimits(), today=TODAY))
    assert inspection.waived == {"dangling-link": 1, "orphan-note": 2}
    assert [(one.rule, one.path) for one in inspection.findings] == [("dangling-link", "old/a.md")]


def test_a_waiver_that_ended_or_waives_nothing_is_told_on_its_line() -> None:
    text = "ignore:\n  dangling-link:\n    - {path: b.md, until: 2026-10-21}\n  orphan-note: [x.md]\n"
    told = [(one.line, one.message) for one in found({**BAD, FILE: text}) if one.rule == "waiver-unused"]
    assert told == [(3, "b.md: it ended on 2026-10-21"), (4, "x.md: it waives no orphan-note")]
    assert ("waiver-unused", FILE, Severity.INFO) not in kept(f"{text}severity: {{waiver-unused: off}}\n")


BROKEN = {
    "no YAML": ("ignore: [\n", 2),
    "no mapping": ("- a\n", 1),
    "an unknown key": ("ignore: {}\nignored: {}\n", 2),
    "an unknown rule": ("ignore:\n  dangling-links: [a.md]\n", 2),
    "a key twice": ("exclude: [a]\nexclude: [b]\n", 2),
    "no list": ("ignore: {dangling-link: a.md}\n", 1),
    "an unknown severity": ("severity:\n  dangling-link: none\n", 2),
    "an unknown key of a waiver": ("ignore:\n  dangling-link:\n    - {file: a.md}\n", 3),
    "no path": ("ignore:\n  dangling-link:\n    - {reason: x}\n", 3),
    "no day": ("ignore:\n  dangling-link:\n    - {path: a.md, until: soon}\n", 3),
    "an anchor": ("exclude: &a [a]\n", 1),
    "an alias": ("exclude: [a]\nignore: *a\n", 2),
    "a tag": ("exclude: !!python/name:os.system [a]\n", 1),
    "deep": ("exclude: " + "[" * 9 + "]" * 9 + "\n", 1),
    "many paths": ("exclude:\n" + "- a\n" * 501, 2),
    "many stars": ("exclude: ['" + "*a" * 20 + "']\n", 1),
    "a path out of the memory": ("exclude: [../x]\n", 1),
    "a secret by pattern": ("ignore:\n  secret: ['**']\n", 2),
    "a secret by its path": ("ignore:\n  secret: [a.md]\n", 2),
    "an instruction by pattern": ("ignore:\n  agent-instruction: ['a.md#*']\n", 2),
    "a secret that is no error": ("severity:\n  secret: info\n", 2),
    "what the flow writes": ("ignore:\n  flow-file-unknown: [.dream/x]\n", 2),
    "what the flow writes, off": ("severity:\n  flow-file-invalid: off\n", 2),
    "itself": ("severity: {waivers-invalid: off}\n", 1),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line"), BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_cannot_be_relied_on_is_an_error_and_waives_nothing(text: str, line: int) -> None:
    read = read_waivers(text.encode())
    assert isinstance(read, BrokenWaivers)
    assert read.line == line
    assert ("waivers-invalid", FILE, Severity.ERROR) in kept(text)
    assert {A, B} <= set(kept(text))


@pytest.mark.parametrize("data", [b"\xff", b"exclude: [" + b"a, " * MOST_BYTES + b"a]\n", b"a: \0\n"])
def test_bytes_that_are_no_text_or_too_many_are_an_error(data: bytes) -> None:
    assert isinstance(read_waivers(data), BrokenWaivers)


def test_a_secret_is_waived_for_its_line_as_it_stands_and_no_longer() -> None:
    token = planted_secrets()["npm"]
    note = {"a.md": f"# A\n\nan old one: {token}\n"}
    (finding,) = (one for one in found(note) if one.rule == "secret")
    waiver = f"ignore:\n  secret: ['a.md#{finding.mark}']\n"
    assert kept(waiver, note) == []
    changed = {"a.md": f"# A\n\nan older one: {token}\n"}
    assert [rule for rule, _, _ in kept(waiver, changed)] == ["waiver-unused", "secret"]
    assert [rule for rule, _, _ in kept("exclude: ['**']\n", note)] == ["secret"]


def test_what_protects_readers_is_waived_by_no_pattern() -> None:
    assert {rule for rule, known in RULES.items() if known.waiving is not Waiving.BY_PATTERN} == {
        "secret", "agent-instruction", "hides-or-leaks", "flow-file-invalid", "flow-file-unknown",
        "flow-file-foreign", "waivers-invalid",
    }  # fmt: skip


def test_a_file_is_read_as_it_is_written() -> None:
    text = "ignore:\n  dangling-link:\n    - {path: 'a/*.md', until: 2026-12-31}\n"
    text += "severity:\n  orphan-note: off\nexclude: [drafts/**]\n"
    assert read_waivers(b"\xef\xbb\xbf" + text.encode()) == Waivers(
        ignored=(Waiver(rule="dangling-link", pattern="a/*.md", line=3, until=date(2026, 12, 31)),),
        severities={"orphan-note": None},
        excluded=("drafts/**",),
    )
