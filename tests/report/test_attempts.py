from __future__ import annotations

from dream.report.attempts import findings_of, parse_attempts, render_attempt
from tests.report.records import attempt

FIRST = attempt("not-landed", exit=3, reason="the remote is down", way_out="run again", needs="a retry")
SECOND = attempt(hour=5, tip="a" * 40, tries=2, findings=("one file left out", "another"))


def test_what_was_noted_is_read_back_oldest_first() -> None:
    assert parse_attempts(render_attempt(SECOND) + render_attempt(FIRST)) == (FIRST, SECOND)


def test_a_line_that_a_killed_run_left_unfinished_costs_only_itself() -> None:
    unfinished = render_attempt(SECOND)[:40]
    assert parse_attempts(render_attempt(FIRST) + unfinished + render_attempt(SECOND)) == (FIRST, SECOND)


def test_bytes_that_are_no_attempts_are_none() -> None:
    assert parse_attempts(b'\xff\xfe\n[1]\n{"at": "2026-10-22T04:00:00", "status": "landed"}\nnull\n') == ()


def test_a_finding_of_two_runs_is_one() -> None:
    again = attempt(hour=6, findings=("another", "a third"))
    assert findings_of([SECOND, again]) == ("one file left out", "another", "a third")
