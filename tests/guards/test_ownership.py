from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.ownership import OWNERS, guard_ownership, may_write
from dream.memory.operations import Add, Move, Proposal, Refusal, Remove
from dream.memory.tree import MappingTree
from tests.guards.proposals import propose, whole

PATHS = {
    "daily/2026-10-21.md": {"daily_note"},
    "conventions/acme-web.md": {"pr_outcomes", "distil", "production_verification", "tidy"},
    "learnings/retry/SKILL.md": {"learnings"},
    "services/checkout-api.md": {"distil", "production_verification", "tidy"},
    "note.md": {"distil", "production_verification", "tidy"},
    "MEMORY.md": {"index_rewrite"},
    "index.md": {"index_rewrite"},
    "services/index.md": {"distil", "production_verification", "tidy"},
    "CATALOG.md": {"index_rewrite"},
    "CATALOG/services.md": {"index_rewrite"},
    ".dream/state.json": {"state_update"},
    ".dream/nights/2026-10-21.json": {"state_update"},
    ".dream/other.json": set(),
    ".dream/nights/../../x.json": set(),
    ".dream/nights/2026-10-21.json\n": set(),
    "preferences/slack/ops.md": set(),
    "preferences/github/acme-web.md": set(),
    "archive/old.md": set(),
    ".github/x.md": set(),
    "services/.hidden/x.md": set(),
    "chart.png": set(),
    "conventions/run.sh": set(),
}


@pytest.mark.parametrize(("path", "tasks"), PATHS.items())
def test_each_path_has_its_owners(path: str, tasks: set[str]) -> None:
    assert {task for task in OWNERS if may_write(task, path)} == tasks


@given(st.text(), st.sampled_from(sorted(OWNERS)))
def test_nobody_writes_preferences(rest: str, task: str) -> None:
    assert not may_write(task, f"preferences/{rest}")


def test_an_unknown_task_writes_nothing() -> None:
    assert not any(may_write("planting", path) for path in PATHS)


def test_an_operation_outside_its_tasks_paths_is_refused() -> None:
    files = {"preferences/slack/ops.md": "- be brief\n", "a.md": "- one\n"}
    add = Add(path="preferences/slack/ops.md", text="- shout")
    assert guard_ownership(propose(add, files)) == Refusal("not-owner", "tidy may not write preferences/slack/ops.md")
    assert guard_ownership(propose(Add(path="a.md", text="- two"), files)) is None


def test_every_touched_path_counts() -> None:
    tree = MappingTree({})
    proposal = Proposal(
        task="distil",
        operation=Add(path="a.md", text="- x"),
        before=tree,
        after=tree,
        touched=frozenset({"a.md", "MEMORY.md"}),
    )
    assert guard_ownership(proposal) == Refusal("not-owner", "distil may not write MEMORY.md")


def test_a_note_is_retired_by_a_move_into_the_archive_and_by_nothing_else() -> None:
    files = {"a.md": "- one\n", "archive/b.md": "- old\n"}
    move = Move(span=whole("a.md", files), to="archive/a.md")
    assert guard_ownership(propose(move, files, task="tidy")) is None
    assert guard_ownership(propose(move, files, task="distil")) is not None
    back = Move(span=whole("archive/b.md", files), to="b.md")
    assert guard_ownership(propose(back, files, task="tidy")) is not None
    assert guard_ownership(propose(Remove(span=whole("archive/b.md", files)), files, task="tidy")) is not None
    assert guard_ownership(propose(Add(path="archive/b.md", text="- x"), files, task="tidy")) is not None
