"""The bench of the checker reads real memories, and tells what it and others say of a link apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.check.__main__ import SHORT, TODAY, main
from bench.check.comparing import Account, compare
from bench.check.others import Dead
from bench.check.trees import ROOTS, Memory, read_memories
from dream.checker.inspection import find_all
from dream.checker.subject import Subject, read_subject
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from tests.guards.proposals import tree_of


def subject_of(memory: Memory) -> Subject:
    return read_subject(memory.tree, NoteCache(), IndexLimits(), today=TODAY)


def test_the_short_bench_prints_its_tables(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(shared_data / "memory_trees"), "--short"]) == 0
    printed = capsys.readouterr().out
    assert "| rule | severity | bga-assistant | agentic-memory | all |" in printed
    assert "| `dangling-link` | warning | 1 | 11 | 12 |" in printed
    assert "markdownlint-cli2 is not here" in printed


def test_every_memory_is_there_and_its_other_days_are_left_out(shared_data: Path) -> None:
    memories = list(read_memories(shared_data / "memory_trees"))
    assert [memory.name for memory in memories] == list(ROOTS)
    assert not any("_nights" in path for memory in memories for path in memory.tree.paths())
    assert set(SHORT) < set(ROOTS)


def test_no_finding_on_a_real_memory_is_of_what_talks_to_agents_or_is_guessed(shared_data: Path) -> None:
    memories = read_memories(shared_data / "memory_trees", ("bga-assistant", "agentic-memory", "claude-editor-hook"))
    found = {one.rule for memory in memories for one in find_all(subject_of(memory))}
    assert found.isdisjoint({"agent-instruction", "hides-or-leaks", "several-topics", "entry-undated", "type-unknown"})


def test_two_accounts_of_a_link_are_one_where_they_mean_one_link() -> None:
    text = "# A\n\n[x](gone.md) [y](<go ne.md>) [[z]] [w](b.md#gone)\n\n`[x](code.md)`\n"
    memory = Memory(name="m", tree=tree_of({"a.md": text, "b.md": "# B\n"}))
    theirs = [Dead("a.md", "gone.md"), Dead("a.md", "go%20ne.md"), Dead("a.md", "code.md")]
    assert compare(memory, subject_of(memory), theirs) == (
        Account("both", "the same link", "a.md", 3, "go ne.md"),
        Account("both", "the same link", "a.md", 3, "gone.md"),
        Account("ours alone", "`[[name]]`, which is no Markdown to it", "a.md", 3, "z"),
        Account("ours alone", "a heading of another note, which it does not look for", "a.md", 3, "b.md#gone"),
        Account("theirs alone", "no link to us: in code, in HTML, or no Markdown", "a.md", 5, "code.md"),
    )
