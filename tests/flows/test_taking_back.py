"""Whatever way a person takes back what a night did, the next nights do not do it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from dream.errors import UsageError
from tests.support.repositories import Person, git, host
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of

TASKS = ("daily_note", "pr_outcomes", "production_verification", "tidy")

PULL_REQUEST = {
    "source": "recorded",
    "agent": "Claude_Code",
    "repo": "acme/web",
    "number": 41,
    "title": "Retry refunds",
    "author": "agent-bot",
    "state": "closed",
    "created_at": "2026-10-21T09:00:00Z",
    "closed_at": "2026-10-21T12:00:00Z",
    "merged_at": "2026-10-21T12:00:00Z",
    "closed_by": "ana",
    "merged_by": "ana",
    "html_url": "https://git.test.invalid/acme/web/pull/41",
    "body": "",
    "commits": [{"sha": "a" * 40, "author": "agent-bot", "committer": "agent-bot", "message": "retry refunds"}],
    "reviews": [],
    "comments": [],
    "timeline": [],
}


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    """An organisation of whose night every task changes something."""
    code = host(served, "web", {"src/checkout/refunds.py": "LIMIT = 500\n" * 20, "README.md": "# Web\n"})
    engineer = Person(code, tmp_path / "engineer", "Eve Engineer")
    engineer.rename("src/checkout/refunds.py", "src/payments/refunds.py")
    memory = {
        **MEMORY,
        "services/refunds.md": (
            "# Refunds\n\n"
            "- 2026-09-30: The refund limit is set in `src/checkout/refunds.py`. [thread_0009, 2026-09-30]\n"
        ),
    }
    made = stage_of(served, tmp_path, memory)
    made.summarise({})
    (tmp_path / "pull-requests.json").write_text(json.dumps([PULL_REQUEST]))
    made.extra = {
        "pull_requests": [{"kind": "recorded", "path": str(tmp_path / "pull-requests.json")}],
        "production": [{"name": "web", "kind": "code", "url": code.url, "internal": True}],
    }
    return made


def by_git_revert(stage: Stage, task: str) -> None:
    person = stage.person("Rita Reverter")
    person.pull()
    person.git("revert", "--no-edit", stage.commit_of(task))
    person.push()


def by_command(stage: Stage, task: str) -> None:
    result = stage.revert(task)
    assert (result.exit_code, result.conflicts) == (0, ())
    assert result.effects


def by_hand(stage: Stage, task: str) -> None:
    """Write the files as they were before the task's commit, in a commit that says nothing of a revert."""
    person = stage.person("Hans Hand")
    commit = stage.commit_of(task)
    touched = git(stage.hosted.path, "diff", "--name-only", f"{commit}^", commit).split("\n")
    before, now = stage.hosted.files(f"{commit}^"), stage.files()
    person.edit({path: before.get(path) for path in touched if now.get(path) != before.get(path)}, "notes: my way")


WAYS: dict[str, Callable[[Stage, str], None]] = {
    "git-revert": by_git_revert,
    "command": by_command,
    "by-hand": by_hand,
}


def notes(stage: Stage) -> dict[str, bytes]:
    made_afresh = (".dream/", "MEMORY.md", "CATALOG")
    return {path: data for path, data in stage.files().items() if not path.startswith(made_afresh)}


@pytest.mark.parametrize("task", TASKS)
def test_each_task_of_this_night_changes_something(stage: Stage, task: str) -> None:
    stage.dream()
    assert stage.commit_of(task)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("task", TASKS)
def test_what_is_taken_back_stays_so(stage: Stage, task: str, way: str) -> None:
    stage.dream()
    commit = stage.commit_of(task)
    touched = git(stage.hosted.path, "diff", "--name-only", f"{commit}^", commit).split("\n")
    before = stage.hosted.files(f"{commit}^")
    WAYS[way](stage, task)
    taken_back = notes(stage)
    assert {path: taken_back.get(path) for path in touched} == {path: before.get(path) for path in touched}
    for _ in range(3):
        stage.next_night()
        assert notes(stage) == taken_back


@pytest.mark.parametrize("way", WAYS)
def test_the_rest_of_the_night_stays(stage: Stage, way: str) -> None:
    stage.dream()
    everything = notes(stage)
    WAYS[way](stage, "tidy")
    left = notes(stage)
    touched = {"queues/invoices.md", "services/orders.md"}
    assert {path: data for path, data in left.items() if path not in touched} == {
        path: data for path, data in everything.items() if path not in touched
    }


def test_a_commit_that_takes_back_one_edit_says_so(stage: Stage) -> None:
    stage.dream()
    stage.revert("pr_outcomes")
    assert "revert pr outcomes of the night 2026-10-22: 1 edit" in stage.hosted.log("main")


def test_a_deleted_daily_note_stays_gone(stage: Stage) -> None:
    stage.dream()
    stage.person().delete("daily/2026-10-21.md")
    for _ in range(3):
        stage.next_night()
    assert "daily/2026-10-21.md" not in stage.files()


def test_a_night_is_taken_back_whole_in_one_push(stage: Stage) -> None:
    before = notes(stage)
    stage.dream()
    result = stage.revert()
    assert (result.exit_code, result.tip) == (0, stage.hosted.tip())
    assert notes(stage) == before


def test_what_people_wrote_since_stays_when_a_task_is_taken_back(stage: Stage) -> None:
    stage.dream()
    stage.person().append("daily/2026-10-21.md", "- ana adds this by hand.\n")
    stage.revert("daily_note")
    assert stage.files()["daily/2026-10-21.md"].endswith(b"- ana adds this by hand.\n")
    assert b"refuses refunds" not in stage.files()["daily/2026-10-21.md"]


def test_a_conflict_is_listed_and_the_rest_is_taken_back(stage: Stage) -> None:
    stage.dream()
    now = stage.files()["services/refunds.md"].decode()
    stage.person().edit({"services/refunds.md": now.replace("The refund limit", "The limit of refunds")})
    result = stage.revert()
    assert result.exit_code == 1
    assert [(one.effect.task, one.reason) for one in result.conflicts] == [("production_verification", "changed-since")]
    assert b"The limit of refunds" in stage.files()["services/refunds.md"]
    assert "daily/2026-10-21.md" not in stage.files()


def test_a_retry_does_it_again_the_next_night(stage: Stage) -> None:
    stage.dream()
    note = stage.files()["daily/2026-10-21.md"]
    stage.revert("daily_note", retry=True)
    assert "daily/2026-10-21.md" not in stage.files()
    stage.next_night()
    assert stage.files()["daily/2026-10-21.md"] == note


@pytest.mark.parametrize(("days", "is_told"), [(12, False), (13, True)])
def test_a_retry_of_what_no_night_looks_back_to_says_so(stage: Stage, days: int, is_told: bool) -> None:  # noqa: FBT001
    stage.dream()
    note = stage.files()["daily/2026-10-21.md"]
    stage.next_night(days)
    result = stage.revert("daily_note", retry=True)
    told = "daily_note is not done again: what it read is older than the 14 days that a night looks back"
    assert result.remarks == ((told,) if is_told else ())
    assert (result.lines[len(result.effects) :], tuple(result.payload()["remarks"])) == (result.remarks, result.remarks)
    stage.next_night()
    assert stage.files().get("daily/2026-10-21.md") == (None if is_told else note)


def test_redo_lifts_what_was_taken_back(stage: Stage) -> None:
    stage.dream()
    landed = notes(stage)
    stage.revert("daily_note")
    stage.dream(redo=["daily_note"])
    assert notes(stage) == landed


def test_a_second_revert_finds_nothing_to_take_back(stage: Stage) -> None:
    stage.dream()
    stage.revert("tidy")
    tip = stage.hosted.tip()
    result = stage.revert("tidy")
    assert (result.exit_code, result.effects, stage.hosted.tip()) == (0, (), tip)


@pytest.mark.parametrize("task", TASKS)
def test_what_somebody_brought_back_is_taken_back_again_and_once(stage: Stage, task: str) -> None:
    stage.dream()
    landed = notes(stage)
    taken_back = stage.revert(task)
    without = notes(stage)
    person = stage.person()
    person.revert(taken_back.commits[0])
    assert notes(stage) == landed
    again = stage.revert(task)
    assert ([one.id for one in again.effects], again.conflicts) == ([one.id for one in taken_back.effects], ())
    assert notes(stage) == without
    stones = [stone.effect for stone in stage.state().undone]
    assert len(stones) == len(set(stones))
    stage.next_night()
    assert notes(stage) == without
    assert stage.revert(task).effects == ()


def test_a_night_without_a_record_cannot_be_taken_back(stage: Stage) -> None:
    stage.dream()
    with pytest.raises(UsageError, match="no record of the night 2026-01-01"):
        stage.revert(night=NIGHT.replace(month=1, day=1))


def test_an_index_is_no_task_to_take_back(stage: Stage) -> None:
    stage.dream()
    with pytest.raises(UsageError, match="made afresh every night"):
        stage.revert("index_rewrite")
