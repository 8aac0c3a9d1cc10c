from __future__ import annotations

from typing import Any

import pytest

from dream.report.run import render_nightly, render_run
from tests.report.records import spend

DOCUMENT: dict[str, Any] = {
    "organisation": "acme",
    "night": "2026-10-22",
    "status": "landed",
    "exit": 1,
    "reason": "",
    "tip": "a" * 40,
    "tries": 3,
    "tasks": {
        "daily_note": {"outcome": "failed", "inputs": 3, "written": 0, "not_written": {}, "pending": 3, "refusals": {}},
        "tidy": {
            "outcome": "changed",
            "inputs": 2,
            "written": 1,
            "not_written": {"declined": 1},
            "pending": 0,
            "refusals": {"secret": 2},
        },
    },
    "findings": [f"finding {number}\x1b[2J" for number in range(7)],
    "report": "/srv/dream/acme/reports/2026-10-22.md",
    "needs": [
        {"wanted": "a retry", "why": "daily note failed: broken", "way_out": "dream run acme --night 2026-10-22"}
    ],
    "spent": {
        "night": {"notes": 1, "notes_budget": 3, "statements": 4, "statements_budget": 12},
        "lately": {"notes": 2, "notes_budget": 5, "statements": 9, "statements_budget": None},
    },
}


def test_the_end_of_a_run_tells_tasks_loss_report_and_what_is_needed() -> None:
    assert render_run(DOCUMENT).split("\n") == [
        "acme: the night of 2026-10-22 landed at aaaaaaaaaaaa after 3 tries",
        "",
        "task        outcome  in  written  pending  not written",
        "daily note  failed    3        0        3",
        "tidy        changed   2        1        0  1 declined",
        "all                   5        1        3  1 declined",
        "",
        "operations refused: 2 secret",
        "taken away: 1 of 3 notes, 4 of 12 statements tonight",
        "            2 of 5 notes, 9 statements lately",
        "findings: 7",
        "  finding 0\\x1b[2J",
        "  finding 1\\x1b[2J",
        "  finding 2\\x1b[2J",
        "  finding 3\\x1b[2J",
        "  finding 4\\x1b[2J",
        "  … and 2 more, all in the report",
        "report: /srv/dream/acme/reports/2026-10-22.md",
        "needs a retry: daily note failed: broken",
        "  dream run acme --night 2026-10-22",
    ]


def test_a_run_that_found_nothing_to_do_says_why() -> None:
    quiet = {"tasks": {}, "findings": [], "report": "", "needs": [], "spent": {}, "tries": 0}
    document = DOCUMENT | quiet | {"status": "superseded", "tip": "", "reason": "the night of 2026-10-23 has landed"}
    assert render_run(document).split("\n") == [
        "acme: the night of 2026-10-22 is superseded",
        "  the night of 2026-10-23 has landed",
    ]


@pytest.mark.parametrize(
    ("status", "told"), [("paused", "is paused"), ("shadow", "is rehearsed in shadow and landed nowhere")]
)
def test_a_night_that_is_not_to_land_says_so_why_and_what_can_be_done(status: str, told: str) -> None:
    document = DOCUMENT | {"status": status, "tries": 1, "reason": "because", "way_out": "dream resume acme"}
    document |= {"tip": "a" * 40 if status == "shadow" else "", "tasks": {}}
    lines = render_run(document).split("\n")
    assert lines[:3] == [f"acme: the night of 2026-10-22 {told}", "  because", "  dream resume acme"]


def test_all_organisations_stand_in_one_table() -> None:
    document = {
        "night": None,
        "organisations": [
            {"organisation": "acme", "status": "landed", "exit": 0, "tip": "a" * 40, "reason": ""},
            {"organisation": "broken", "exit": 2, "reason": "broken.yaml: unknown key", "way_out": "correct it"},
        ],
        "failed": ["broken"],
    }
    assert render_nightly(document).split("\n") == [
        "organisation  ended       exit  tip           why",
        "acme          landed         0  aaaaaaaaaaaa",
        "broken        not-landed     2                broken.yaml: unknown key",
        "",
        "2 organisations, 1 failed: broken",
        "broken: correct it",
    ]


def test_a_ring_that_is_not_sound_is_told_with_those_it_held_back_and_the_way_out() -> None:
    held = {"status": "not-started", "exit": 3, "reason": "ring 0 is not sound: 1 of 1 failed: acme", "attempts": 0}
    document = {
        "night": "2026-10-22",
        "organisations": [
            {
                "organisation": "acme",
                "status": "not-landed",
                "exit": 3,
                "reason": "the remote is down",
                "way_out": "tomorrow; sooner: dream run acme",
                "attempts": 3,
            },
            {"organisation": "birch", **held},
        ],
        "failed": ["acme"],
        "not_started": ["birch"],
        "rings": [{"ring": 0, "organisations": 1, "sound": False, "why": "1 of 1 failed: acme"}],
    }
    assert render_nightly(document).split("\n") == [
        "organisation  ended        exit  tip  why",
        "acme          not-landed      3       the remote is down (after 3 tries)",
        "birch         not-started     3       ring 0 is not sound: 1 of 1 failed: acme",
        "",
        "2 organisations, 1 failed: acme",
        "not begun: 1, since ring 0 is not sound: 1 of 1 failed: acme",
        "  dream nightly --all-rings",
        "acme: tomorrow; sooner: dream run acme",
    ]


def test_of_many_that_failed_a_few_next_steps_are_told() -> None:
    rows = [
        {"organisation": f"n{number}", "status": "not-landed", "exit": 3, "way_out": f"dream run n{number}"}
        for number in range(7)
    ]
    document = {"organisations": rows, "failed": [row["organisation"] for row in rows]}
    assert render_nightly(document).split("\n")[-2:] == ["n4: dream run n4", "… and 2 more: dream status"]


def test_one_organisation_is_counted_as_one() -> None:
    document = {"organisations": [{"organisation": "acme", "status": "landed", "exit": 0}], "failed": []}
    assert render_nightly(document).endswith("\n1 organisation, 0 failed")


def test_the_end_of_a_run_tells_what_models_took_where_any_was_asked() -> None:
    tasks = {"distil": {**DOCUMENT["tasks"]["tidy"], "spend": spend(calls=2, input=900, output=100)}}
    assert "models: 1,000 tokens in 2 calls, US dollars not known (no price is known for openai/large)" in render_run(
        {**DOCUMENT, "tasks": tasks}
    )
    assert "models:" not in render_run(DOCUMENT)
