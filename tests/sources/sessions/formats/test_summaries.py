from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.formats.summaries import read_summaries
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import SessionSource, Summary
from tests.sources.sessions.transcripts import jsonl, write

WHOLE = {
    "id": "7c2e91aa",
    "started": "2026-10-21T09:00:00Z",
    "ended": "2026-10-21T11:40:00+02:00",
    "person": "ana",
    "title": "Queue names",
    "lasting": "orders-v2 replaces orders.",
    "stale": "The rollout is half done.",
    "pull_requests": ["acme/web#41", "#7"],
    "repository": "acme/web",
}


def read(data: bytes) -> FileReading:
    return read_summaries(SessionFile(path="ready.jsonl", handle=BytesIO(data)))


def test_a_summary_is_read_as_it_is_documented() -> None:
    (summary,) = read(jsonl([WHOLE])).summaries
    assert summary == Summary(
        id="7c2e91aa",
        started=datetime(2026, 10, 21, 9, tzinfo=UTC),
        ended=datetime(2026, 10, 21, 9, 40, tzinfo=UTC),
        person="ana",
        title="Queue names",
        lasting="orders-v2 replaces orders.",
        stale="The rollout is half done.",
        pull_requests=("acme/web#41", "#7"),
        repository="acme/web",
        digest=summary.digest,
    )
    assert summary.source == "thread_7c2e91aa"


def test_only_four_keys_are_needed() -> None:
    needed = {key: WHOLE[key] for key in ("id", "started", "ended", "title")}
    (summary,) = read(jsonl([needed])).summaries
    assert (summary.person, summary.lasting, summary.stale, summary.pull_requests) == ("", "", "", ())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"author": "ana"}, "a key that summaries do not have"),
        ({"id": ""}, "a key is missing"),
        ({"title": 3}, "title is not a text of at most 500 characters"),
        ({"lasting": "x" * 20_001}, "lasting is not a text of at most 20000 characters"),
        ({"pull_requests": "acme/web#41"}, "pull_requests is not a list of names like acme/web#41"),
        ({"pull_requests": ["acme/web/41"]}, "pull_requests is not a list of names like acme/web#41"),
        ({"pull_requests": [None]}, "pull_requests is not a list of names like acme/web#41"),
        ({"started": "2026-10-21T09:00:00"}, "an instant without a zone, or an end before its start"),
        ({"started": "2026-10-22T09:00:00Z"}, "an instant without a zone, or an end before its start"),
        ({"ended": 1792574400}, "an instant without a zone, or an end before its start"),
    ],
)
def test_a_wrong_line_is_left_out_with_its_reason_and_the_next_is_read(change: dict[str, object], reason: str) -> None:
    reading = read(jsonl([{**WHOLE, **change}, WHOLE]))
    assert (len(reading.summaries), dict(reading.left_out)) == (1, {reason: 1})
    assert read(jsonl([{**WHOLE, **change}])).refused == reason


def test_a_file_that_gives_nothing_says_why() -> None:
    assert read(b"").refused == "empty"
    assert read(b"[]\n").refused == "a line is not an object"
    assert read(jsonl([WHOLE])[:-5]).refused == "the last line is cut off or wrong: not JSON"


def test_the_latest_of_a_summary_counts_and_the_window_holds(tmp_path: Path) -> None:
    grown = {**WHOLE, "ended": "2026-10-21T12:00:00Z", "lasting": "orders is gone."}
    future = {**WHOLE, "id": "ffff", "ended": "2026-10-23T12:00:00Z"}
    old = {**WHOLE, "id": "aaaa", "started": "2026-10-01T09:00:00Z", "ended": "2026-10-01T12:00:00Z"}
    write(tmp_path, "a.jsonl", jsonl([grown, future]))
    write(tmp_path, "b.jsonl", jsonl([WHOLE, old]))
    write(tmp_path, "c.jsonl", jsonl([old]))
    source = SessionSource(kind="summaries", path=str(tmp_path))
    now = datetime(2026, 10, 22, 4, tzinfo=UTC)
    reading = read_sessions([source], since=datetime(2026, 10, 21, tzinfo=UTC), now=now)
    assert [(summary.id, summary.lasting) for summary in reading.summaries] == [("7c2e91aa", "orders is gone.")]
    assert [(remark.what, remark.count) for remark in reading.remarks] == [("dated in the future", 1)]
    assert [skipped.reason for skipped in reading.skipped] == ["before the window"]
