"""What organisations do over weeks: the night after it knows what happened, and does nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, failing, stage_of

T = TypeVar("T")

SAME = "- 2026-10-05: The ledger-api keeps payment rows for seven years in cold storage. [thread_0005, 2026-10-05]\n"


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path)
    made.summarise({})
    return made


def text(stage: Stage, path: str) -> str:
    return stage.files()[path].decode()


def test_what_people_changed_before_a_revert_is_looked_at_by_the_next_night(stage: Stage) -> None:
    stage.dream()
    person = stage.person()
    person.edit({"services/fresh.md": f"# Fresh\n\n{SAME}"})
    person.rename("services/checkout.md", "services/payments.md")
    stage.revert("tidy")
    stage.next_night()
    assert "(payments.md)" in text(stage, "services/orders.md")
    assert stage.state().checked["services/fresh.md"] == NIGHT + timedelta(days=1)


def test_a_link_left_behind_by_a_rename_is_repaired_by_the_run_after_a_failure(stage: Stage) -> None:
    stage.dream()
    stage.person().rename("services/checkout.md", "services/payments.md")
    stage.next_night(steps=failing("tidy"))
    stage.dream(NIGHT + timedelta(days=1))
    assert "(payments.md)" in text(stage, "services/orders.md")


def test_a_link_left_behind_by_a_rename_is_repaired_by_the_night_after_a_failed_one(stage: Stage) -> None:
    stage.dream()
    stage.person().rename("services/checkout.md", "services/payments.md")
    stage.next_night(steps=failing("tidy"))
    stage.next_night()
    assert "(payments.md)" in text(stage, "services/orders.md")


def test_a_rename_that_arrives_while_a_night_is_planned_is_followed_by_the_next(stage: Stage) -> None:
    stage.dream()
    person = stage.person()

    async def moving(name: str, step: Callable[[], T]) -> T:
        if name == "land":
            person.rename("services/checkout.md", "services/payments.md")
        return step()

    stage.next_night(call=moving)
    stage.next_night()
    assert "(payments.md)" in text(stage, "services/orders.md")


def test_what_a_person_wrote_today_is_not_merged_away_by_the_run_after_a_failure(stage: Stage) -> None:
    stage.dream()
    twice = (
        "# Ledger\n\n" + SAME + "- 2026-10-06: Something else is said of ledger rows here. [thread_0006, 2026-10-06]\n"
    )
    stage.person().edit({"services/ledger-api.md": twice, "services/zebra.md": twice.replace("# Ledger", "# Zebra")})
    stage.next_night(steps=failing("tidy"))
    stage.dream(NIGHT + timedelta(days=1))
    assert SAME in text(stage, "services/ledger-api.md")
    assert SAME in text(stage, "services/zebra.md")


def test_what_only_a_part_of_a_night_has_seen_is_seen_by_the_rest_of_it(stage: Stage) -> None:
    stage.dream()
    stage.person().rename("services/checkout.md", "services/payments.md")
    stage.next_night(only=["daily_note"])
    assert stage.record(NIGHT + timedelta(days=1)).renamed == {"services/checkout.md": "services/payments.md"}
    stage.dream(NIGHT + timedelta(days=1))
    assert "(payments.md)" in text(stage, "services/orders.md")
    stage.next_night()
    assert stage.record(NIGHT + timedelta(days=2)).renamed == {}


@pytest.mark.parametrize("linked", [0, 2], ids=["the-one-brought-back", "the-other"])
def test_a_note_that_a_person_brought_back_stays_and_so_does_its_twin(
    served: Served, tmp_path: Path, linked: int
) -> None:
    note = f"# The ledger\n\n{SAME}"
    links = {
        f"services/link{n}.md": f"# Link {n}\n\nSee [the ledger](ledger-api.md), says {n}.\n" for n in range(linked)
    }
    others = {f"queues/q{n}.md": f"# Queue {n}\n\n- Queue {n} is drained by worker {n} at night.\n" for n in range(16)}
    twins = {"services/ledger-api.md": note, "services/ledger-old.md": note}
    stage = stage_of(served, tmp_path, {**twins, **links, **others})
    stage.dream()
    assert "services/ledger-old.md" not in stage.files()
    guide = "# Guide\n\nAll of it is told in [the old ledger](ledger-old.md).\n"
    stage.person().edit({"services/ledger-old.md": note, "services/guide.md": guide})
    for _ in range(2):
        stage.next_night()
    files = stage.files()
    wanted = {"services/guide.md": guide, "services/ledger-api.md": note, "services/ledger-old.md": note}
    assert {path: files.get(path, b"").decode() for path in wanted} == wanted
