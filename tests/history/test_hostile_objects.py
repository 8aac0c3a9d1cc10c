"""Objects in a store that somebody else has written: passed over and told, and nothing raises."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from dream.history.lines import render_line
from dream.history.store import HistoryStore
from tests.history.sessions import condensed, session, store

ODD: tuple[object, ...] = (None, 0, -1, 1e300, 10**30, True, "", "x", [], {}, [[]], [None], "0001-01-01T00:00:00Z")
EARLIEST, LATEST = "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"


def kept(folder: Path) -> HistoryStore:
    store(folder).keep(session(), condense=condensed)
    return store(folder)


def show(history: HistoryStore) -> int:
    """Ask for everything that a command asks for, in zones at both ends of the day; return how much there was."""
    shown = 0
    for line in history.lines():
        for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
            render_line(line, name=line.name, zone=ZoneInfo(zone), most=300)
        history.condensed(line)
        for one in history.full(line) or ():
            one.at.astimezone(ZoneInfo("Pacific/Pago_Pago"))
            one.at.astimezone(ZoneInfo("Pacific/Kiritimati"))
            shown += 1
        history.session(line)
    return shown


def change_head(path: Path, told: dict[str, Any], line: int) -> None:
    lines = gzip.decompress(path.read_bytes()).decode().split("\n")
    lines[line] = json.dumps(json.loads(lines[line]) | told)
    path.write_bytes(gzip.compress("\n".join(lines).encode()))


def test_no_odd_value_in_a_record_breaks_the_list(tmp_path: Path) -> None:
    kept(tmp_path)
    (path,) = tmp_path.rglob("2026-10/*.json")
    record = json.loads(path.read_bytes())
    for key in record:
        for odd in ODD:
            path.write_text(json.dumps(record | {key: odd}), encoding="utf-8")
            show(store(tmp_path))


@pytest.mark.parametrize("told", [{"sources": []}, {"started": EARLIEST}, {"ended": LATEST}])
def test_a_record_that_nobody_can_be_shown_is_told_and_passed_over(tmp_path: Path, told: dict[str, Any]) -> None:
    kept(tmp_path)
    (path,) = tmp_path.rglob("2026-10/*.json")
    path.write_text(json.dumps(json.loads(path.read_bytes()) | told), encoding="utf-8")
    history = store(tmp_path)
    assert history.lines() == ()
    assert history.damages == (f"2026-10/{path.name}: it is no record",)


@pytest.mark.parametrize("line", [0, 1])
def test_no_odd_value_in_a_transcript_breaks_its_showing(tmp_path: Path, line: int) -> None:
    kept(tmp_path)
    (path,) = tmp_path.rglob("*.gz")
    whole = path.read_bytes()
    for key in ("files", "title", "version", "key", "at", "role", "text", "id", "exit_code", "failed", "cut", "diff"):
        for odd in (*ODD, EARLIEST, LATEST):
            path.write_bytes(whole)
            change_head(path, {key: odd}, line)
            assert show(store(tmp_path)) in {0, len(session().messages)}
