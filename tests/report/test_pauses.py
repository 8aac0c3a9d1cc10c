"""How pauses, shadow nights and what the breaker holds are told."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from dream.memory.allowance import LossLimits
from dream.report.needs import Need
from dream.report.night import render_report
from dream.report.pauses import Pause, held_needs
from dream.report.status import Status, render_status, status_of
from dream.report.story import Story
from tests.report.records import NIGHT, attempt, record, task

WHOLE = Pause(since=datetime(2026, 10, 21, 16, 30, tzinfo=UTC), by="ana", reason="the index is moved")
TASKS = WHOLE.model_copy(update={"tasks": ("daily_note", "tidy"), "until": date(2026, 10, 25), "reason": ""})
TOLD = "paused since 2026-10-21 16:30 UTC by ana: the index is moved"
TASKS_TOLD = "daily note, tidy paused since 2026-10-21 16:30 UTC by ana until the night of 2026-10-25"
LET_LAND = "to let nights land, once you have read some: shadow: false in acme.yaml"
BEFORE = NIGHT - timedelta(days=1)
HELD = (
    "paused by itself: what it did in the nights of 2026-10-18 and 2026-10-20 was taken back; "
    "dream resume acme --task tidy"
)
HELD_NEED = Need(
    wanted="a person",
    why="tidy is paused by itself: what it did in the nights of 2026-10-18 and 2026-10-20 was taken back",
    way_out=(
        "see what with dream log acme --night 2026-10-20 --operations; once it is mended: dream resume acme --task tidy"
    ),
)


def status(
    *, pauses: tuple[Pause, ...] = (), shadow: bool = False, ended: str = "", failed: tuple[str, ...] = ()
) -> Status:
    """The status of an organisation whose last night but one landed."""
    runs = {NIGHT: [attempt(ended, reason=f"why {ended}", failed=failed)]} if ended else {}
    return status_of(
        "acme",
        due=NIGHT,
        records=[record({"tidy": task()}, night=BEFORE)],
        attempts=runs,
        limits=LossLimits(),
        pauses=pauses,
        shadow=shadow,
        shown=5,
    )


def test_a_paused_organisation_needs_nothing_and_is_told_since_when_by_whom_why_and_the_way_out() -> None:
    told = status(pauses=(WHOLE, TASKS), ended="paused")
    assert (told.word, told.wanted, told.failing_since, told.without_landing) == ("paused", "nothing", None, ())
    assert render_status(told).splitlines()[:3] == [
        "acme: needs nothing",
        f"  {TOLD}; dream resume acme",
        f"  {TASKS_TOLD}; dream resume acme --task daily_note tidy",
    ]
    assert told.payload()["paused"] == [
        {
            "since": "2026-10-21T16:30:00Z",
            "by": "ana",
            "reason": "the index is moved",
            "until": None,
            "tasks": [],
            "everyone": False,
            "way_out": "dream resume acme",
        },
        TASKS.payload("acme"),
    ]


def test_a_night_of_which_no_run_is_known_here_was_paused_if_it_was_due_since() -> None:
    told = status(pauses=(WHOLE,))
    assert [(line.night, line.ended, line.reason) for line in told.nights[:1]] == [(NIGHT, "paused", TOLD)]
    assert (told.wanted, told.without_landing) == ("nothing", ())
    later = WHOLE.model_copy(update={"since": datetime(2026, 10, 22, 9, tzinfo=UTC)})
    assert [line.ended for line in status(pauses=(later,)).nights] == ["no run", "landed"]


def test_a_paused_task_pauses_no_night() -> None:
    told = status(pauses=(TASKS,))
    assert (told.word, told.wanted, told.nights[0].ended) == ("sound", "a retry", "no run")


def test_an_organisation_in_shadow_is_told_how_its_nights_are_let_land() -> None:
    told = status(shadow=True, ended="shadow")
    assert (told.word, told.wanted, told.without_landing, told.payload()["shadow"]) == ("shadow", "nothing", (), True)
    assert render_status(told).splitlines()[1] == f"  in shadow, where nights land nowhere; {LET_LAND}"
    assert (told.nights[0].ended, told.nights[0].reason) == ("shadow", "why shadow")


def test_what_the_breaker_holds_needs_a_person_in_the_report_of_the_night() -> None:
    tasks = {"tidy": task("skipped", reason=HELD), "distil": task("skipped", reason=TOLD), "daily_note": task()}
    held = record(tasks)
    assert held_needs("acme", held) == [HELD_NEED]
    story = Story(organisation="acme", night=NIGHT, record=held, records=(held,))
    assert (story.needs, story.wanted) == ((HELD_NEED,), "a person")


def test_the_report_of_a_paused_night_says_so_and_how_nights_go_on() -> None:
    runs = (attempt("paused", reason=TOLD, way_out="dream resume acme"),)
    text = render_report(Story(organisation="acme", night=NIGHT, attempts=runs))
    assert f"- **{TOLD.replace('paused', 'Paused', 1)}; dream resume acme**" in text.splitlines()


def test_the_report_of_a_shadow_night_offers_nothing_to_take_back() -> None:
    shadow = record({"tidy": task()})
    story = Story(organisation="acme", night=NIGHT, record=shadow, records=(shadow,), dry=True, shadow=True)
    lines = render_report(story).splitlines()
    assert lines[2:4] == [
        "- **Shadow: landed nowhere**",
        "- To let nights land, once you have read some: `shadow: false in acme.yaml`",
    ]
    assert "## How to take one back" not in lines
    assert (story.payload()["ended"], story.payload()["shadow"]) == ("shadow: landed nowhere", True)
