"""Whole nights on a memory of five files: `index.md` is its index, and keeps its shape."""

from __future__ import annotations

from pathlib import Path

import pytest

from dream.memory.index.reach import check_index, reachable_notes
from dream.memory.limits import IndexLimits
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree
from tests.support.observer import KilledError, killed_at
from tests.support.served import Served
from tests.support.stage import Stage, stage_of

INDEX = """# Index

**Updated:** 2026-10-01

## Always load

- [state.md](state.md): where things stand
- [tasks.md](tasks.md)

## Load when relevant

- [facts.md](facts.md): what is true
- [decisions.md](decisions.md): why it is so

## Topics

| Topic | Where |
|---|---|
| Checkout | facts.md#checkout |
| Why one queue | decisions.md#one-queue |
"""
FIVE = {
    "index.md": INDEX,
    "state.md": "# State\n\n**Updated:** 2026-10-01\n\nThe release is frozen until the audit.\n",
    "decisions.md": "# Decisions\n\n## One queue\n\n**Updated:** 2026-09-01\n\nOne queue serves every region.\n",
    "facts.md": "# Facts\n\n## Checkout\n\n**Updated:** 2026-09-02\n\nThe checkout API listens on port 8443.\n",
    "tasks.md": "# Tasks\n\n- [ ] Ask the auditors about refunds\n",
}


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    return stage_of(served, tmp_path, FIVE)


def assert_whole(files: dict[str, bytes]) -> None:
    tree = MappingTree(files)
    assert "MEMORY.md" not in files
    assert {finding.reason for finding in check_index(tree, limits=IndexLimits())} <= {"dead-anchor"}
    assert {path for path in files if is_topic(path)} <= reachable_notes(tree, limits=IndexLimits())


def test_a_night_keeps_the_index_in_its_shape_and_a_second_changes_nothing(stage: Stage) -> None:
    stage.summarise({})
    result = stage.dream()
    assert (result.status, result.exit_code) == ("landed", 0)
    after = stage.files()
    assert_whole(after)
    assert {path for path in after if not path.startswith((".dream/", "daily/"))} == set(FIVE)
    daily = "- [daily/](daily/): Daily notes, one for each day\n"
    kept = INDEX.replace("why it is so\n", f"why it is so\n{daily}").replace("2026-10-01", "2026-10-22")
    assert after["index.md"].decode() == kept
    tip = stage.hosted.tip()
    assert stage.dream().status == "nothing-to-do"
    assert stage.hosted.tip() == tip
    stage.next_night()
    assert stage.files()["index.md"].decode() == kept


def test_what_people_change_by_day_is_in_the_index_after_the_night(stage: Stage) -> None:
    stage.dream()
    ada = stage.person()
    facts = FIVE["facts.md"] + "\n## Refunds & limits\n\n**Updated:** 2026-10-22\n\nRefunds end at 500 euros.\n"
    ada.edit({"facts.md": facts, "services/search.md": "# Search\n\n- The search index is built at noon.\n"})
    ada.edit({"decisions.md": "# Decisions\n\n## Two queues\n\nNow there are two.\n"})
    stage.next_night()
    index = stage.files()["index.md"].decode()
    assert_whole(stage.files())
    assert "| Refunds & limits | facts.md#refunds--limits |\n" in index
    assert "| Two queues | decisions.md#two-queues |\n" in index
    assert "- [services/search.md](services/search.md): Search\n" in index
    assert "| Why one queue | decisions.md#one-queue |\n" in index, "in a person's words, so that a person drops it"
    assert [one.detail for one in check_index(MappingTree(stage.files()), limits=IndexLimits())] == [
        "decisions.md#one-queue"
    ]
    ada.rename("services/search.md", "services/finding.md")
    ada.edit({"index.md": index.replace("| Why one queue | decisions.md#one-queue |\n", "")})
    stage.next_night()
    assert_whole(stage.files())
    assert "(services/finding.md): Search\n" in stage.files()["index.md"].decode()


@pytest.mark.parametrize("step", ["index_rewrite", "state_update", "land"])
def test_a_night_that_died_leaves_the_index_whole_when_it_is_run_again(stage: Stage, step: str) -> None:
    ada = stage.person()
    ada.edit({"services/search.md": "# Search\n\n- The search index is built at noon.\n"})
    with pytest.raises(KilledError):
        stage.dream(call=killed_at(step))
    ada.edit({"services/carts.md": "# Carts\n\n- Carts are kept for a week.\n"})
    assert stage.dream().status == "landed"
    assert_whole(stage.files())
