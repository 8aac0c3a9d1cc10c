from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from dream.history.lines import line_payload, names_of, render_duration, render_line
from dream.history.values import HistoryLine, NamedPullRequest

LINE = HistoryLine(
    name="thread_7c2e91aa.0123456789abcdef",
    source="thread_7c2e91aa",
    sources=("thread_7c2e91aa",),
    id="7c2e91aa-0000-4000-8000-000000000001",
    tool="Claude Code",
    started=datetime(2026, 10, 21, 9, 0, tzinfo=UTC),
    ended=datetime(2026, 10, 21, 9, 40, tzinfo=UTC),
    path="2026-10/thread_7c2e91aa.0123456789abcdef",
    people=("ana", "ben"),
    repository="acme/web",
    branch="fix-queue",
    description="I renamed the queue.",
    pull_requests=(NamedPullRequest(name="acme/web#41", state="merged"), NamedPullRequest(name="acme/web#42")),
)


def rendered(line: HistoryLine, *, most: int = 300, zone: str = "UTC") -> str:
    return render_line(line, name=line.source, zone=ZoneInfo(zone), most=most)


def test_a_line_says_when_who_where_what_which_pull_requests_and_how_it_is_found() -> None:
    assert rendered(LINE) == (
        "2026-10-21 09:00  40m  ana, ben  acme/web@fix-queue  I renamed the queue."
        "  acme/web#41 merged, acme/web#42  thread_7c2e91aa"
    )
    assert rendered(LINE, zone="Europe/Berlin").startswith("2026-10-21 11:00  40m  ")


def test_every_line_has_seven_fields_whatever_is_in_them() -> None:
    hostile = "a  b\n\tc \x1b[2J\u202e\u2028  d"
    line = replace(LINE, people=(hostile,), repository=hostile, branch=hostile, description=hostile)
    empty = replace(LINE, people=(), repository="", branch="", description="", pull_requests=())
    for one in (line, empty, LINE):
        text = rendered(one)
        assert text.isprintable()
        assert len(text.split("  ")) == 7
    assert rendered(empty) == "2026-10-21 09:00  40m  -  -  -  -  thread_7c2e91aa"


def test_of_a_line_that_is_too_long_the_description_gives_way() -> None:
    text = rendered(replace(LINE, description="word " * 99), most=160)
    assert len(text) == 160
    assert text.endswith("…  acme/web#41 merged, acme/web#42  thread_7c2e91aa")


def test_only_the_first_pull_requests_are_named() -> None:
    many = tuple(NamedPullRequest(name=f"acme/web#{number}", state="open") for number in range(1, 10))
    told = "  acme/web#1 open, acme/web#2 open, acme/web#3 open, +6  "
    assert told in rendered(replace(LINE, pull_requests=many))


@pytest.mark.parametrize(
    ("minutes", "told"),
    [(0, "0m"), (59, "59m"), (60, "1h00m"), (185, "3h05m"), (1440, "1d0h"), (4000, "2d18h"), (-5, "0m")],
)
def test_a_length_of_time_is_told_in_two_units_at_most(minutes: int, told: str) -> None:
    assert render_duration(timedelta(minutes=minutes)) == told


def test_a_source_that_two_sessions_have_or_had_names_neither() -> None:
    other = replace(LINE, name="thread_7c2e91aa.ffff", source="thread_new", sources=("thread_7c2e91aa", "thread_new"))
    assert names_of([LINE]) == {LINE.name: "thread_7c2e91aa"}
    assert names_of([LINE, other]) == {LINE.name: LINE.name, other.name: "thread_new"}


def test_a_line_as_a_document_holds_all_of_it() -> None:
    assert line_payload(LINE, name="thread_7c2e91aa") == {
        "name": "thread_7c2e91aa",
        "source": "thread_7c2e91aa",
        "id": "7c2e91aa-0000-4000-8000-000000000001",
        "tool": "Claude Code",
        "started": "2026-10-21T09:00:00+00:00",
        "ended": "2026-10-21T09:40:00+00:00",
        "people": ["ana", "ben"],
        "repository": "acme/web",
        "branch": "fix-queue",
        "description": "I renamed the queue.",
        "pull_requests": [{"name": "acme/web#41", "state": "merged"}, {"name": "acme/web#42", "state": ""}],
        "messages": 0,
        "path": "2026-10/thread_7c2e91aa.0123456789abcdef",
    }
