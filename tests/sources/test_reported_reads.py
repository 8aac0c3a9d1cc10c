"""Reads as they are reported."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

from dream.sources.reported_reads import ReportedReads, ReportLimits, read_reports

NOW = datetime(2026, 10, 22, 4, tzinfo=UTC)
UNTIL = datetime(2026, 10, 22, tzinfo=UTC)


def reported(path: Path, *records: object, limits: ReportLimits | None = None) -> ReportedReads:
    path.write_text("".join(f"{one if isinstance(one, str) else json.dumps(one)}\n" for one in records))
    return read_reports([str(path)], until=UNTIL, now=NOW, limits=limits)


def test_the_last_day_of_each_path_counts(tmp_path: Path) -> None:
    found = reported(
        tmp_path / "reads.jsonl",
        {"path": "a.md", "at": "2026-10-21T10:00:00Z", "agent": "web"},
        {"path": "a.md", "at": "2026-10-20T10:00:00+02:00"},
        {"path": "./s/b.md", "at": "2026-10-21T01:00:00+02:00"},
        "",
    )
    assert found == ReportedReads(days={"a.md": date(2026, 10, 21), "s/b.md": date(2026, 10, 20)})


def test_what_is_after_the_window_is_for_the_next_night_and_tomorrow_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "reads.jsonl"
    found = reported(
        path, {"path": "a.md", "at": "2026-10-22T01:00:00Z"}, {"path": "a.md", "at": "2027-01-01T00:00:00Z"}
    )
    assert found == ReportedReads(findings=(f"reads {path}: dated in the future (1)",))


def test_what_is_no_report_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "reads.jsonl"
    found = reported(
        path,
        "{",
        [],
        {"path": "", "at": "2026-10-21T10:00:00Z"},
        {"path": 7, "at": "2026-10-21T10:00:00Z"},
        {"path": "a.md", "at": "2026-10-21T10:00:00"},
        {"path": "a" * 5_000, "at": "2026-10-21T10:00:00Z"},
        {"path": "a.md", "at": "2026-10-21T10:00:00Z"},
    )
    assert found.days == {"a.md": date(2026, 10, 21)}
    assert found.findings == (f"reads {path}: no object with the path of a note and an instant (6)",)


def test_files_that_cannot_be_read_are_named_and_other_files_of_a_folder_are_not(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "big.jsonl").write_text("x" * 100)
    found = read_reports(
        [str(tmp_path), str(tmp_path / "gone")], until=UNTIL, now=NOW, limits=ReportLimits(file_bytes=10)
    )
    assert found.findings == (
        f"reads {tmp_path}/big.jsonl left out: the file is too large",
        f"reads {tmp_path}/gone left out: no such file or directory",
    )
