"""What people renamed, merged and cut up in the day, followed by the night after on a served memory."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from tests.support.served import Served
from tests.support.stage import NIGHT, Stage, failing, stage_of

T = TypeVar("T")

ORDERS = (
    "# Orders\n\n## Limits\n\n- Ten orders a second are let through the gate.\n\n"
    "## Keys\n\n- Orders are signed twice a day by the vault.\n"
)
SHOP = (
    "# Shop\n\nThe shop opens at nine, see [the limits](../services/orders.md#limits).\n\n"
    "Its keys are told of in [[orders#Keys]].\n"
)
FILES = {
    "MEMORY.md": "# Memory\n\n- [Orders](services/orders.md)\n- [Shop](places/shop.md)\n",
    "services/orders.md": ORDERS,
    "services/queue.md": "# Queue\n\n- The queue holds a day of work at most.\n",
    "places/shop.md": SHOP,
    "preferences/slack/shop.md": "# Shop\n\nSay hello, see [orders](../../services/orders.md).\n",
}
SECOND = NIGHT + timedelta(days=1)


@pytest.fixture
def stage(served: Served, tmp_path: Path) -> Stage:
    made = stage_of(served, tmp_path, FILES)
    made.dream()
    return made


def shop(stage: Stage) -> str:
    return stage.files()["places/shop.md"].decode()


def settled(stage: Stage) -> None:
    """Assert that another night has nothing left to mend."""
    before = shop(stage)
    stage.next_night()
    assert shop(stage) == before
    assert not [one for one in stage.record(SECOND + timedelta(days=1)).effects if one.kind == "revise"]


def test_a_folder_that_was_renamed_while_its_notes_were_edited(stage: Stage) -> None:
    person = stage.person()
    person.pull()
    person.edit(
        {
            "systems/orders.md": ORDERS + "\n- Orders of bricks are let through by hand.\n",
            "systems/queue.md": FILES["services/queue.md"],
            "services/orders.md": None,
            "services/queue.md": None,
        }
    )
    stage.next_night()
    assert shop(stage) == SHOP.replace("../services/orders.md", "../systems/orders.md")
    assert stage.files()["preferences/slack/shop.md"].decode() == FILES["preferences/slack/shop.md"]
    findings = stage.record(SECOND).tasks["tidy"].findings
    told = "links to what stands in systems/orders.md now; nobody but people writes there"
    assert f"preferences/slack/shop.md:3 {told}" in findings
    settled(stage)


def test_a_note_that_a_person_merged_into_another(stage: Stage) -> None:
    merged = FILES["services/queue.md"] + ORDERS.removeprefix("# Orders\n")
    stage.person().edit({"services/queue.md": merged, "services/orders.md": None})
    stage.next_night()
    assert shop(stage) == SHOP.replace("services/orders.md", "services/queue.md").replace("orders#Keys", "queue#Keys")
    settled(stage)


def test_a_heading_that_was_renamed_and_a_section_that_was_moved(stage: Stage) -> None:
    keys = "## Keys\n\n- Orders are signed twice a day by the vault.\n"
    stage.person().edit(
        {
            "services/orders.md": ORDERS.replace("## Limits", "## Caps").replace(keys, ""),
            "services/queue.md": FILES["services/queue.md"] + "\n" + keys,
        }
    )
    stage.next_night()
    assert shop(stage) == SHOP.replace("#limits", "#caps").replace("orders#Keys", "queue#Keys")
    settled(stage)


def test_a_rename_that_changed_nothing_but_case(stage: Stage) -> None:
    stage.person().edit({"services/Orders.md": ORDERS, "services/orders.md": None})
    stage.next_night()
    assert shop(stage) == SHOP.replace("services/orders.md", "services/Orders.md")
    settled(stage)


@pytest.mark.parametrize("nights", [1, 2])
def test_a_heading_that_was_renamed_before_nights_whose_tidying_failed(stage: Stage, nights: int) -> None:
    stage.person().edit({"services/orders.md": ORDERS.replace("## Limits", "## Rates")})
    for _ in range(nights):
        stage.next_night(steps=failing("tidy"))
    stage.next_night()
    assert "(../services/orders.md#rates)" in shop(stage)


def test_a_note_that_a_person_merged_into_another_before_a_night_whose_tidying_failed(stage: Stage) -> None:
    queue = FILES["services/queue.md"]
    stage.person().edit({"services/queue.md": queue + ORDERS.split("\n", 1)[1], "services/orders.md": None})
    stage.next_night(steps=failing("tidy"))
    stage.next_night()
    assert "(../services/queue.md#limits)" in shop(stage)


def test_a_heading_that_was_renamed_while_the_night_before_was_landing(stage: Stage) -> None:
    person = stage.person()

    async def renaming(name: str, step: Callable[[], T]) -> T:
        if name == "land":
            person.edit({"services/orders.md": ORDERS.replace("## Limits", "## Rates")})
        return step()

    stage.next_night(call=renaming)
    stage.next_night()
    assert "(../services/orders.md#rates)" in shop(stage)


def test_a_heading_that_was_renamed_between_a_night_and_its_revert(stage: Stage) -> None:
    person = stage.person()
    person.edit({"services/orders.md": ORDERS.replace("## Keys", "## Signing keys")})
    stage.next_night()
    person.edit({"services/orders.md": ORDERS.replace("## Limits", "## Rates")})
    stage.revert("tidy", night=SECOND)
    stage.next_night()
    assert "(../services/orders.md#rates)" in shop(stage)
