"""Taking back, doing over and counting again, where tasks and nights built on each other."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.flows.test_taking_back import PULL_REQUEST
from tests.support.repositories import Person, host
from tests.support.served import Served
from tests.support.stage import MEMORY, NIGHT, Stage, stage_of


def text(stage: Stage, path: str) -> str:
    return stage.files()[path].decode()


@pytest.fixture
def busy(served: Served, tmp_path: Path) -> Stage:
    """An organisation whose verification and tidy edit the same line."""
    code = host(served, "web", {"src/checkout/refunds.py": "LIMIT = 500\n" * 20, "README.md": "# Web\n"})
    Person(code, tmp_path / "engineer", "Eve Engineer").rename("src/checkout/refunds.py", "src/payments/refunds.py")
    memory = {
        **MEMORY,
        "services/refunds.md": (
            "# Refunds\n\n"
            "- 2026-09-30: The refund limit of refunds is set in `src/checkout/refunds.py`. [thread_0009, 2026-09-30]\n"
        ),
        "services/limits.md": (
            "# Limits\n\n"
            "- 2026-09-30: The refund limit of refunds is set in `src/payments/refunds.py`. [thread_0009, 2026-09-30]\n"
            "- 2026-09-29: There are other limits for other things. [thread_0008, 2026-09-29]\n"
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


def notes(stage: Stage) -> dict[str, bytes]:
    made_afresh = (".dream/", "MEMORY.md", "CATALOG")
    return {path: data for path, data in stage.files().items() if not path.startswith(made_afresh)}


def test_a_night_whose_tasks_built_on_each_other_is_taken_back_whole(busy: Stage) -> None:
    before = notes(busy)
    busy.dream()
    assert busy.commit_of("production_verification")
    assert busy.commit_of("tidy")
    result = busy.revert()
    assert (result.exit_code, notes(busy)) == (0, before)


def test_a_task_that_a_later_one_built_on_can_be_taken_back_after_it(busy: Stage) -> None:
    before = notes(busy)
    busy.dream()
    busy.revert("tidy")
    busy.revert("production_verification")
    assert {path: notes(busy)[path] for path in before} == before


def test_doing_the_counting_over_counts_nothing_twice(busy: Stage) -> None:
    busy.dream()
    before = text(busy, "conventions/acme-web.md")
    busy.dream(redo=["pr_outcomes"])
    assert text(busy, "conventions/acme-web.md") == before


def test_counting_again_after_a_revert_counts_once(busy: Stage) -> None:
    busy.dream()
    before = text(busy, "conventions/acme-web.md")
    busy.revert("pr_outcomes")
    busy.dream(redo=["pr_outcomes"])
    assert text(busy, "conventions/acme-web.md") == before


def test_what_was_counted_once_more_is_not_counted_by_the_next_night(busy: Stage) -> None:
    busy.dream()
    before = text(busy, "conventions/acme-web.md")
    busy.dream(redo=["pr_outcomes"])
    busy.next_night()
    assert text(busy, "conventions/acme-web.md") == before


def test_a_retry_of_what_somebody_took_back_by_hand_does_it_again(busy: Stage) -> None:
    busy.dream()
    note = text(busy, "daily/2026-10-21.md")
    busy.person().delete("daily/2026-10-21.md")
    busy.next_night()
    result = busy.revert("daily_note", retry=True)
    assert result.lines == ("nothing of it stands any more; it is done again",)
    busy.next_night()
    assert text(busy, "daily/2026-10-21.md") == note


def test_what_a_later_night_edited_conflicts_and_is_named(busy: Stage) -> None:
    busy.dream()
    later = {**PULL_REQUEST, "number": 42, "title": "Cap refunds", "merged_at": "2026-10-22T12:00:00Z"}
    (busy.root / "pull-requests.json").write_text(json.dumps([PULL_REQUEST, later]))
    busy.next_night()
    result = busy.revert("pr_outcomes")
    assert [one.reason for one in result.conflicts] == ["changed-by-a-later-edit"]
    assert busy.revert("pr_outcomes", night=NIGHT + timedelta(days=1)).exit_code == 0
    assert busy.revert("pr_outcomes").exit_code == 0
    assert "conventions/acme-web.md" not in busy.files()
