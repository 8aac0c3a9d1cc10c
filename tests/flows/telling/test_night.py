"""What Prefect is told of a night that has ended: counts and next steps, and no word of a memory unless it may be."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError, FatalError, RemoteError, TransientError
from dream.memory.records import LeftOut, LossRecord, NightRecord, RoleSpend, TaskRecord
from dream.night.result import NightResult, not_landed
from dream.report.alarms.alarm import Alarm
from dream.report.story import Story
from dream.repository.failures import PathConflictError
from flows.publishing import write_report
from flows.telling.artifacts import night_markdown
from flows.telling.events import night_events
from flows.telling.figures import figures_of
from flows.telling.night import standing_alarms
from flows.telling.reasons import public_reason, way_out_of
from flows.workplace import Workplace

NIGHT = date(2026, 10, 22)
CANARY = "canary"

TIDY = TaskRecord(
    outcome="failed",
    reason=f"the {CANARY} fell over",
    inputs=7,
    written=3,
    not_written={f"{CANARY}-reason": 2},
    pending=2,
    refusals={f"{CANARY}-rule": 4},
    left_out=(LeftOut(input=f"services/{CANARY}.md", reason="secret", operation=f"add {CANARY}"),),
    findings=(f"a {CANARY}",),
    spend={"dreamer": RoleSpend(model="m", questions=5, calls=5, input=900, output=100, dollars="0.0421")},
)
RECORD = NightRecord(
    night=NIGHT,
    scheduled=f"{NIGHT}T04:00:00Z",
    run="1",
    base="2" * 40,
    tasks={"tidy": TIDY, CANARY: TaskRecord(outcome="changed")},
    loss=LossRecord(notes=1, statements=2, topic_notes=40, statement_count=300),
    findings=(CANARY,),
)
RESULT = NightResult(
    organisation="acme",
    night=NIGHT,
    status="landed",
    tip="3" * 40,
    tries=2,
    record=RECORD,
    ran=("tidy",),
    findings=(CANARY, "another"),
    exit_code=1,
)
FIGURES: Mapping[str, int | float] = {
    "inputs": 7,
    "written": 3,
    "not_written": 2,
    "pending": 2,
    "refused": 4,
    "notes": 40,
    "statements": 300,
    "notes_lost": 1,
    "statements_lost": 2,
    "questions": 5,
    "unanswered": 0,
    "tokens": 1000,
    "dollars": 0.0421,
    "failed_tasks": 1,
    "findings": 2,
    "seconds": 12.3,
    "tries": 2,
}
ALARM = Alarm(
    kind="zero-yield", why=CANARY, since=date(2026, 10, 16), way_out="dream report acme --night 2026-10-22", task="tidy"
)


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    organisation = Organisation.model_validate({"organisation": "acme", "memory": {"url": "https://git.example/x.git"}})
    return Workplace(organisation=organisation, settings=Settings(home=tmp_path, organisations=tmp_path))


def test_the_figures_of_a_night_are_numbers_and_the_same_for_one_that_did_not_land() -> None:
    assert figures_of(RESULT, seconds=12.345) == FIGURES
    down = not_landed("acme", NIGHT, RemoteError("down"))
    assert figures_of(down, seconds=1) == {**dict.fromkeys(FIGURES, 0), "seconds": 1}


def test_a_night_that_landed_with_a_failed_task_and_an_alarm_is_three_events_of_one_organisation() -> None:
    events = night_events(RESULT, figures=FIGURES, alarms=[ALARM])
    assert [event.name for event in events] == ["dream.night.landed", "dream.night.failed", "dream.night.degraded"]
    acme = {
        "prefect.resource.id": "dream.organisation.acme",
        "prefect.resource.name": "acme",
        "dream.night": "2026-10-22",
    }
    assert [event.resource for event in events] == [acme, acme, acme]
    assert events[0].related == [
        {"prefect.resource.id": "dream.night.acme.2026-10-22", "prefect.resource.role": "night"}
    ]
    told = {
        "organisation": "acme",
        "night": "2026-10-22",
        "status": "landed",
        "exit": 1,
        "reason": "failed: tidy",
        "way_out": (
            "dream report acme --night 2026-10-22; dream run acme --night 2026-10-22 tries the failed tasks again"
        ),
        "failed": ["tidy"],
        **FIGURES,
    }
    assert events[0].payload == events[1].payload == told
    assert events[2].payload == {
        **told,
        "reason": "zero-yield",
        "since": "2026-10-16",
        "way_out": "dream status acme",
        "alarms": [
            {
                "kind": "zero-yield",
                "since": "2026-10-16",
                "task": "tidy",
                "way_out": "dream report acme --night 2026-10-22",
            }
        ],
    }
    assert CANARY not in str(events)


def test_a_night_that_did_not_land_is_one_event_and_a_rehearsal_or_an_empty_run_none() -> None:
    down = not_landed("acme", NIGHT, RemoteError("down"))
    assert [event.name for event in night_events(down, figures=FIGURES, reason="down")] == ["dream.night.failed"]
    for status in ("dry-run", "nothing-to-do", "superseded"):
        quiet = NightResult(organisation="acme", night=NIGHT, status=status)
        assert night_events(quiet, figures=FIGURES, alarms=[ALARM]) == ()


def test_a_night_that_people_hold_is_told_with_their_reason_and_the_way_on() -> None:
    held = NightResult(
        organisation="acme", night=NIGHT, status="paused", reason="paused by ana: moving", way_out="dream resume acme"
    )
    (event,) = night_events(held, figures=FIGURES, alarms=[ALARM])
    told = (event.name, event.payload["reason"], event.payload["way_out"], event.payload["exit"])
    assert told == ("dream.night.paused", "paused by ana: moving", "dream resume acme", 0)


def test_counts_name_no_note_no_reason_and_no_task_that_is_none(workplace: Workplace) -> None:
    shown = night_markdown(workplace, RESULT, figures=FIGURES, reason="", way_out="")
    assert shown == (
        "# acme, night 2026-10-22: landed\n\n"
        "**failed: tidy**\n\n"
        "Next: dream report acme --night 2026-10-22; dream run acme --night 2026-10-22 tries the failed tasks again\n\n"
        "| task | came to | in | written | not written | pending | refused | tokens | US dollars |\n"
        "|---|---|---:|---:|---:|---:|---:|---:|---:|\n"
        "| tidy | failed | 7 | 3 | 2 | 2 | 4 | 1,000 | 0.0421 |\n\n"
        "Taken away: 1 of 40 notes, 2 of 300 statements. 5 questions, 1,000 tokens, 0.0421 US dollars by the prices "
        "that are known; 12.3 s, 2 tries to land.\n\n"
        "Read it with `dream report acme --night 2026-10-22`, on the machine that dreamed it in "
        f"`{workplace.home}/reports/2026-10-22.md`.\n"
    )


def test_an_organisation_that_allows_it_is_shown_with_its_whole_report(workplace: Workplace) -> None:
    document = {**workplace.organisation.model_dump(), "artifacts": "full"}
    open_to_all = Workplace(organisation=Organisation.model_validate(document), settings=workplace.settings)
    path = write_report(workplace.home, Story(organisation="acme", night=NIGHT, record=RECORD))
    shown = night_markdown(open_to_all, RESULT, figures=FIGURES, reason="", way_out="")
    assert (shown, CANARY in shown) == (path.read_text(), True)
    path.unlink()
    assert CANARY not in night_markdown(open_to_all, RESULT, figures=FIGURES, reason="", way_out="")


def test_alarms_are_those_of_the_nights_report(workplace: Workplace) -> None:
    assert standing_alarms(workplace, RESULT) == ()
    path = write_report(workplace.home, Story(organisation="acme", night=NIGHT, record=RECORD, alarms=[ALARM]))
    assert standing_alarms(workplace, RESULT) == (ALARM,)
    path.with_suffix(".json").write_text('{"degraded": [{"kind": 1}]}')
    assert standing_alarms(workplace, RESULT) == ()


@pytest.mark.parametrize(
    ("error", "reason", "way_out"),
    [
        (
            RemoteError(f"it says {CANARY}", way_out="run again", cause="down", address="https://git.example/x.git"),
            "https://git.example/x.git: down",
            "run again",
        ),
        (RemoteError(f"it says {CANARY}"), "the remote refuses; its own words are not told here", "dream status acme"),
        (TransientError("no room", way_out="make room"), "no room", "make room"),
        (FatalError("no git"), "no git", "dream status acme"),
        (
            PathConflictError(f"services/{CANARY}.md", way_out=f"move {CANARY} away", path=CANARY),
            "PathConflictError; its words are not told here, as they may quote a memory",
            "dream status acme",
        ),
        (
            ValueError(CANARY),
            "ValueError; its words are not told here, as they may quote a memory",
            "dream status acme",
        ),
    ],
)
def test_why_a_night_failed_is_told_in_words_of_our_own(error: Exception, reason: str, way_out: str) -> None:
    assert (public_reason(error), way_out_of("acme", error)) == (reason, way_out)
    assert isinstance(error, DreamError | ValueError)
