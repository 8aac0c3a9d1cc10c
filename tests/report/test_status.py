from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from dream.memory.allowance import LossLimits
from dream.memory.records import LossRecord, NightRecord
from dream.report.alarms.alarm import Alarm
from dream.report.attempts import Attempt
from dream.report.needs import Need
from dream.report.spend import SpendAccount
from dream.report.status import Status, render_status, status_of
from tests.report.records import NIGHT, attempt, nights_before, record, spend, task

DOWN = attempt("not-landed", exit=3, reason="the remote is down", way_out="run again when it can", needs="a retry")


def status(
    records: Sequence[NightRecord] = (), attempts: Mapping[date, Sequence[Attempt]] | None = None, **options: Any
) -> Status:
    return status_of(
        "acme",
        due=NIGHT,
        records=records,
        attempts=attempts or {},
        limits=LossLimits(),
        shown=options.pop("shown", 14),
        **options,
    )


def test_an_organisation_that_never_dreamed_needs_its_first_night() -> None:
    told = status()
    assert (told.nights, told.newest_landed, told.failing_since, told.wanted) == ((), None, None, "a retry")


def test_nights_that_landed_need_nothing_and_stand_newest_first() -> None:
    told = status([record({"tidy": task(inputs=1, written=1)}, night=night) for night in nights_before(3)])
    assert [(line.night, line.ended) for line in told.nights] == [
        (NIGHT, "landed"),
        (NIGHT - timedelta(days=1), "landed"),
        (NIGHT - timedelta(days=2), "landed"),
    ]
    assert (told.wanted, told.failing_since, told.without_landing) == ("nothing", None, ())


def test_it_fails_since_the_first_of_the_nights_that_have_gone_wrong_up_to_now() -> None:
    days = nights_before(5)
    records = [
        record({"tidy": task("failed")}, night=days[0]),
        record({"tidy": task()}, night=days[1]),
        record({"tidy": task("failed")}, night=days[2]),
    ]
    told = status(records, {days[4]: [DOWN]})
    assert told.failing_since == days[2]
    assert told.without_landing == (days[4], days[3])
    assert [line.ended for line in told.nights] == ["not landed", "tasks failed", "landed", "tasks failed"]
    assert [str(need) for need in told.needs] == [
        "a retry: nothing landed: the remote is down: run again when it can",
    ]


def test_a_night_that_is_due_and_has_not_run_is_not_failing_yet() -> None:
    told = status([record({"tidy": task()}, night=NIGHT - timedelta(days=1))])
    assert told.failing_since is None
    assert [need.why for need in told.needs] == ["the night of 2026-10-22 has not run"]


def test_a_run_that_landed_after_one_that_could_not_ends_the_trouble() -> None:
    told = status([record({"tidy": task()})], {NIGHT: [DOWN, attempt(hour=5)]})
    assert (told.wanted, told.nights[0].ended, told.nights[0].runs) == ("nothing", "landed", 2)


def test_a_night_that_landed_and_was_rewritten_away_says_so() -> None:
    told = status([record({"tidy": task()})], {NIGHT - timedelta(days=1): [attempt(night=NIGHT - timedelta(days=1))]})
    assert told.nights[1].reason == "it landed, and the branch has no record of it any more"


def test_a_night_dreamed_long_ago_does_not_make_a_list_of_thousands() -> None:
    told = status(attempts={date(1990, 1, 1): [DOWN]})
    assert len(told.without_landing) == 91


def test_what_is_told_on_a_terminal_names_each_need_with_its_way_out() -> None:
    days = nights_before(4)
    records = [
        record(
            {"daily_note": task("failed", reason="broken\x1b[2J", inputs=2, pending=2)},
            night=days[0],
            loss=LossRecord(notes=1, statements=2, topic_notes=20, statement_count=100),
        )
    ]
    trouble = Need(wanted="a person", why="history was rewritten", way_out="dream run acme --accept-history")
    told = status(records, {days[3]: [DOWN]}, troubles=[trouble], remarks=["the remote could not be asked"])
    assert render_status(told).split("\n") == [
        "acme: needs a person",
        "  a person: history was rewritten",
        "    dream run acme --accept-history",
        "  a retry: nothing landed: the remote is down",
        "    run again when it can",
        "  note: the remote could not be asked",
        "  failing since the night of 2026-10-19",
        "  nights without a landing: 2026-10-20 to 2026-10-22",
        "  loss over the last nights: 0 of 5 notes, 0 of 25 statements; spend: 0 tokens",
        "  night       ended         in  written  not written  pending  lost  tokens  what failed, or why",
        "  2026-10-22  not landed                                                     the remote is down",
        "  2026-10-19  tasks failed   2        0            0        2   1+2       0  daily note",
    ]


def test_an_organisation_that_is_degraded_needs_a_person_and_says_since_when_and_what_to_do() -> None:
    alarm = Alarm(kind="growth", why="nights wrote\x1b[2J 56", since=NIGHT, way_out="dream log acme", task="")
    told = status([record({"tidy": task()})], degraded=[alarm])
    assert render_status(told).split("\n")[:3] == [
        "acme: degraded, needs a person",
        "  degraded since 2026-10-22: nights wrote\\x1b[2J 56",
        "    dream log acme",
    ]
    document = told.payload()
    assert {name: document[name] for name in ("status", "degraded", "needs")} == {
        "status": "degraded",
        "degraded": [alarm.payload()],
        "needs": "a person",
    }


def test_nights_that_only_do_not_land_need_what_their_last_run_asked_for() -> None:
    alarm = Alarm(kind="not-landed", why="no night has landed", since=NIGHT, way_out="dream run acme")
    assert status([], {NIGHT: [DOWN]}, degraded=[alarm]).wanted == "a retry"
    assert [status([record({"tidy": task(how)})]).word for how in ("changed", "failed")] == ["sound", "failing"]


def test_the_document_of_a_status_holds_the_same() -> None:
    told = status([record({"tidy": task(inputs=2, written=1, not_written={"declined": 1})})])
    document = told.payload()
    assert {name: document[name] for name in ("organisation", "needs", "reasons", "newest_landed", "tokens")} == {
        "organisation": "acme",
        "needs": "nothing",
        "reasons": [],
        "newest_landed": "2026-10-22",
        "tokens": 0,
    }
    assert document["nights"] == [
        {
            "night": "2026-10-22",
            "ended": "landed",
            "failed": [],
            "inputs": 2,
            "written": 1,
            "not_written": {"declined": 1},
            "pending": 0,
            "refusals": {},
            "loss": {"notes": 0, "notes_budget": None, "statements": 0, "statements_budget": None},
            "tokens": 0,
            "spend": SpendAccount().payload(),
            "spend_by_task": {},
            "runs": 1,
            "reason": "",
        }
    ]


def test_what_models_took_is_told_night_by_night_and_for_the_last_nights_together() -> None:
    days = nights_before(40)
    told = status(
        [
            record({"distil": task(spend=spend(calls=9, input=9_000))}, night=days[0]),
            record({"distil": task(spend=spend(calls=1, input=1_000, output=50, dollars="0.01"))}, night=days[38]),
            record({"distil": task(spend=spend(calls=2, input=2_000, output=100, dollars="0.02"))}, night=days[39]),
        ]
    )
    assert [line.spend.tokens for line in told.nights[:2]] == [2_100, 1_050]
    assert "; spend: 3,150 tokens in 3 calls, 0.0300 US dollars" in render_status(told)
    assert told.payload()["tokens"] == 3_150
    assert told.payload()["nights"][0]["spend"]["dollars"] == "0.02"
    assert told.payload()["nights"][0]["spend_by_task"]["distil"]["tokens"] == 2_100


def test_what_the_newest_night_could_not_ask_is_told_with_the_ceiling() -> None:
    asked = task(
        spend=spend(unanswered={"over-budget": 1}),
        findings=("1 question was not asked: the ceiling of 500 calls a night", "a.md:3 links to nothing"),
    )
    older, newest = nights_before(2)
    told = status([record({"distil": asked}, night=older), record({"distil": asked}, night=newest)])
    assert told.remarks == (
        "distil in the night of 2026-10-22: 1 question was not asked: the ceiling of 500 calls a night",
    )
