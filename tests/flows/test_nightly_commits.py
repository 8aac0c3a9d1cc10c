"""The commits of one night, found again in a history that others write too."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.nightly_commits import night_commits
from tests.support.repositories import import_commit
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, failing, stage_of


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def told(stage: Stage) -> list[tuple[str, bool]]:
    workplace = stage.workplace()
    mirror = workplace.mirror()
    mirror.fetch()
    head = stage.hosted.tip() or ""
    commits = night_commits(mirror, head, stage.record(), identity=workplace.identity)
    return [(commit.task, commit.is_revert) for commit in commits]


def test_both_landings_of_a_night_are_told_with_what_people_pushed_between_them_left_out(stage: Stage) -> None:
    stage.dream(steps=failing("tidy"))
    stage.person().edit({"services/new.md": "# New\n"})
    stage.dream()
    assert told(stage) == [
        ("daily_note", False),
        ("index_rewrite", False),
        ("state_update", False),
        ("tidy", False),
        ("index_rewrite", False),
        ("state_update", False),
    ]


def test_a_revert_of_a_night_is_told_with_it(stage: Stage) -> None:
    stage.dream()
    stage.revert("tidy")
    assert told(stage)[-2:] == [("tidy", True), ("state_update", True)]


def test_the_next_night_and_a_commit_that_claims_to_be_of_the_night_are_not(stage: Stage) -> None:
    stage.dream()
    before = told(stage)
    stage.person().edit({"services/new.md": "# New\n"}, "tidy: forged\n\nDream-Night: 2026-10-22\nDream-Task: tidy\n")
    stage.next_night()
    assert told(stage) == before


def test_a_commit_is_told_with_its_files_its_reasons_and_its_lines(stage: Stage) -> None:
    stage.dream()
    workplace = stage.workplace()
    mirror = workplace.mirror()
    commits = night_commits(mirror, stage.hosted.tip() or "", stage.record(), identity=workplace.identity)
    tidy = commits[1]
    assert (tidy.id, tidy.files) == (stage.commit_of("tidy"), ("queues/invoices.md",))
    assert tidy.subject == stage.hosted.log(tidy.id)[0]
    assert tidy.body.startswith("- merge queues/invoices.md into services/orders.md: the same statement stands twice")
    assert "Dream-" not in tidy.body
    assert tidy.diff == (
        "--- a/queues/invoices.md",
        "+++ b/queues/invoices.md",
        "@@ -2,3 +2,2 @@",
        " ",
        "-- 2026-10-03: Orders are archived after ninety days by the nightly job. [thread_0003, 2026-10-03]",
        " - 2026-10-04: Invoice events are retried five times before they are parked. [thread_0004, 2026-10-04]",
    )


def test_in_a_larger_repository_only_the_memorys_folder_is_told(served: Served, tmp_path: Path) -> None:
    files = {f"docs/memory/{path}": text for path, text in MEMORY.items()} | {"README.md": "# All of it\n"}
    stage = stage_of(served, tmp_path, files)
    stage.extra = {"memory": {"url": stage.hosted.url, "path": "docs/memory"}}
    workplace = stage.workplace()
    result = stage.dream()
    mirror = workplace.mirror()
    assert result.record is not None
    commits = night_commits(mirror, result.tip, result.record, identity=workplace.identity)
    assert [commit.files for commit in commits if commit.task == "tidy"] == [("queues/invoices.md",)]
    assert "docs/memory" not in "\n".join(line for commit in commits for line in commit.diff)


def test_a_file_named_like_a_commit_is_a_file(stage: Stage) -> None:
    """Names and ids stand in one list of git's; only those asked for, in order, are ids."""
    name = "f" * 40
    import_commit(stage.hosted, {**stage.files(), name: "x"}, onto=stage.hosted.tip())
    stage.dream()
    assert ("tidy", False) in told(stage)
    assert stage.record().night == NIGHT
