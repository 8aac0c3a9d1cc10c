"""What all the nights of one run came to, and when that is a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from config.loading import BrokenOrganisation, Organisations
from config.organisation import Organisation
from dream.errors import UsageError
from flows.fleet.document import fleet_document, fleet_failure, fleet_told
from flows.fleet.rings import RingEnd
from tests.support.stage import NIGHT

LANDED = {"status": "landed", "exit": 0, "attempts": 1}
BROKEN = {"status": "not-landed", "exit": 3, "attempts": 3, "reason": "down", "way_out": "tomorrow"}


def found(*names: str, broken: tuple[str, ...] = ()) -> Organisations:
    """Organisations of which the first is in ring 0 and the others are in ring 1."""
    return Organisations(
        folder=Path("/organisations"),
        organisations=tuple(
            Organisation.model_validate(
                {"organisation": name, "memory": {"url": "https://x.example/m"}, "ring": min(at, 1)}
            )
            for at, name in enumerate(names)
        ),
        broken=tuple(
            BrokenOrganisation(name=name, path=Path(name), error=UsageError("unknown key", way_out="correct it"))
            for name in broken
        ),
    )


def document(*rings: RingEnd, broken: tuple[str, ...] = (), **ends: dict[str, Any]) -> dict[str, Any]:
    told = {name: {"organisation": name, **end} for name, end in ends.items()}
    return fleet_document(found("acme", "birch", "cedar", broken=broken), NIGHT, told, rings)


def test_every_organisation_is_told_and_one_that_was_not_begun_has_not_failed() -> None:
    unsound = RingEnd(ring=0, names=("acme",), why="1 of 1 failed: acme")
    made = document(unsound, broken=("dahlia",), acme=BROKEN)
    assert [(one["organisation"], one["status"], one["exit"]) for one in made["organisations"]] == [
        ("acme", "not-landed", 3),
        ("birch", "not-started", 3),
        ("cedar", "not-started", 3),
        ("dahlia", "not-landed", 2),
    ]
    assert (made["failed"], made["not_started"]) == (["acme", "dahlia"], ["birch", "cedar"])
    assert made["organisations"][1] == {
        "organisation": "birch",
        "status": "not-started",
        "exit": 3,
        "reason": "ring 0 is not sound: 1 of 1 failed: acme",
        "way_out": "dream nightly --all-rings",
        "attempts": 0,
        "ring": 1,
    }
    assert fleet_told(made) == "4 organisations, 2 failed: acme, dahlia"


def test_a_run_has_failed_where_too_many_did() -> None:
    sound = RingEnd(ring=0, names=("acme", "birch", "cedar"))
    made = document(sound, acme=LANDED, birch=LANDED, cedar=BROKEN)
    assert fleet_failure(made, failed_percent=10, gated=True) == "1 of 3 failed: cedar; dream status"
    assert fleet_failure(made, failed_percent=34, gated=True) == ""


def test_a_last_ring_that_people_have_paused_wakes_nobody() -> None:
    paused = {"status": "paused", "exit": 0, "attempts": 1}
    rings = (RingEnd(ring=0, names=("acme",)), RingEnd(ring=1, names=("birch", "cedar"), why="no night landed"))
    made = document(*rings, acme=LANDED, birch=paused, cedar=paused)
    assert fleet_failure(made, failed_percent=10, gated=True) == ""
    down = document(*rings, acme=LANDED, birch=paused, cedar=BROKEN)
    assert fleet_failure(down, failed_percent=50, gated=True) == ("ring 1 is not sound: no night landed; dream status")


def test_a_run_whose_shards_nobody_began_says_why_itself() -> None:
    unsound = RingEnd(ring=0, names=("acme",), why="1 of 1 failed: acme")
    never = {**BROKEN, "reason": "Prefect knows no deployment x/y", "way_out": "deploy it", "began": False}
    assert fleet_failure(document(unsound, acme=never), failed_percent=50, gated=True) == (
        "ring 0 is not sound: 1 of 1 failed: acme; not begun: 2 organisations; "
        "Prefect knows no deployment x/y; deploy it"
    )


def test_a_run_has_failed_where_a_ring_was_not_sound_unless_nobody_waited_for_it() -> None:
    unsound = RingEnd(ring=0, names=("acme",), why="1 of 1 failed: acme")
    made = document(unsound, acme=BROKEN, birch=LANDED, cedar=LANDED)
    assert fleet_failure(made, failed_percent=50, gated=True) == (
        "ring 0 is not sound: 1 of 1 failed: acme; dream status"
    )
    assert fleet_failure(made, failed_percent=50, gated=False) == ""
