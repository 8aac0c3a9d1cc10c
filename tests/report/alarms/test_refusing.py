from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest

from dream.memory.records import Effect, LeftOut, NightRecord
from dream.report.alarms.alarm import Alarm
from tasks.ruling import account_of
from tests.report.alarms.raised import raised
from tests.report.records import NIGHT, nights_before, record, task

FIRST = NIGHT - timedelta(days=6)
REPORT = "dream report acme --night 2026-10-22"


def deferred(reasons: Sequence[Mapping[str, int]]) -> list[NightRecord]:
    nights = nights_before(len(reasons))
    return [
        record({"tidy": task(refusals=one), "distil": task()}, night=night)
        for night, one in zip(nights, reasons, strict=True)
    ]


def test_a_loss_budget_that_was_short_in_each_of_seven_nights_is_told() -> None:
    short = {"deferred-month-notes": 2, "unique-line": 1}
    assert raised(deferred([*[short] * 6, {"deferred-night-notes": 1, "deferred-month-notes": 2}])) == (
        Alarm(
            kind="loss-cap",
            why="the loss budget held something back in 7 nights in a row, 3 operations in the last "
            "(deferred-month-notes, deferred-night-notes)",
            since=FIRST,
            way_out=REPORT,
        ),
    )
    assert raised(deferred([short] * 6)) == ()
    assert raised(deferred([short, {"unique-line": 1}, *[short] * 5])) == ()


def refused(night: int, count: int, reason: str = "quote-not-found", landed: int = 0) -> NightRecord:
    """A night, counted from the newest back, whose distilling had operations refused that no other night proposes."""
    left = [LeftOut(input=f"thread_{night}", reason=reason, operation=f"add a{number}.md") for number in range(count)]
    effects = tuple(Effect(id=f"{night}-{number}", task="distil", kind="add") for number in range(landed))
    told = task(inputs=1, pending=1, refusals={reason: count}, left_out=left)
    return record({"distil": told}, night=NIGHT - timedelta(days=night), effects=effects)


def test_a_rule_that_refuses_nine_operations_in_ten_of_twenty_is_told() -> None:
    nights = [refused(night, 3, landed=night == 6) for night in range(6, -1, -1)]
    assert raised(nights) == (
        Alarm(
            kind="one-rule",
            why="distil: quote-not-found refused 21 of 22 operations",
            since=FIRST,
            way_out=REPORT,
            task="distil",
        ),
    )
    assert raised(nights[1:]) == ()


@pytest.mark.parametrize("reason", ["undone", "near-duplicate", "deferred-night-notes", "displaced"])
def test_a_rule_that_refuses_what_is_known_or_decided_is_as_it_should_be(reason: str) -> None:
    assert raised([refused(night, 3, reason) for night in range(5, -1, -1)] + []) == ()
    assert [one.kind for one in raised([refused(2, 30, reason), refused(0, 30, reason)])] == []


def test_an_operation_that_is_refused_night_after_night_counts_once() -> None:
    left = [LeftOut(input="services/a.md", reason="unique-line", operation=f"merge {n}.md") for n in range(3)]
    again = [record({"tidy": task(refusals={"unique-line": 3}, left_out=left)}, night=one) for one in nights_before(7)]
    assert raised(again) == ()


def test_a_rule_that_lets_pass_in_the_newest_night_was_dealt_with() -> None:
    assert [one.kind for one in raised([refused(1, 30), refused(0, 1)])] == ["one-rule"]
    assert raised([refused(1, 30), refused(0, 1, landed=2)]) == ()


def gated(night: int, ends: Mapping[str, int]) -> NightRecord:
    findings = account_of("distil", Counter(ends))
    return record({"distil": task(findings=findings)}, night=NIGHT - timedelta(days=night))


def test_a_gate_that_refuses_nine_statements_in_ten_is_told_by_the_account_in_the_findings() -> None:
    nights = [gated(night, {"not-current": 3, "admitted": int(night == 6)}) for night in range(6, -1, -1)]
    assert [(one.kind, one.why) for one in raised(nights)] == [
        ("one-rule", "distil: not-current refused 21 of 22 statements")
    ]
    assert raised(nights[1:]) == ()
    assert raised([gated(1, {"not-current": 20, "admitted": 3}), gated(0, {"not-current": 5})]) == ()
    assert raised([gated(1, {"near-duplicate": 40}), gated(0, {"judge-unfit": 30})]) == ()
