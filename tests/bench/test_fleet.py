"""What decides the exit of a fleet's night, and what is read of processes, without a server."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

from bench.fleet.reading import problems_of_memories
from bench.fleet.running import latest_night, shard_deployment
from bench.fleet.town import found_town
from bench.fleet.watching import is_below, read_process, watching

NIGHT = date(2026, 10, 22)


def test_an_organisation_that_has_not_landed_is_named(tmp_path: Path) -> None:
    with found_town(tmp_path / "town", night=NIGHT, answer_seconds=0, seed=1, organisations=2) as town:
        assert problems_of_memories(town) == ["org-0001 has no night", "org-0002 has no night"]


def test_a_town_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    days = []
    for number in range(2):
        root = tmp_path / str(number)
        with found_town(root, night=NIGHT, answer_seconds=0, seed=7, organisations=1):
            days.append((root / "days" / "org-0001" / "0.jsonl").read_bytes())
    assert days[0] == days[1]


def test_the_night_of_a_fleet_is_the_last_that_was_due() -> None:
    assert latest_night(datetime(2026, 10, 22, 3, 59, tzinfo=UTC)) == datetime(2026, 10, 21, 4, tzinfo=UTC)
    assert latest_night(datetime(2026, 10, 22, 4, 0, tzinfo=UTC)) == datetime(2026, 10, 22, 4, tzinfo=UTC)


def test_the_deployment_that_dreams_a_shard_is_found_by_its_entrypoint() -> None:
    assert shard_deployment() == "dream-shard"


def test_processes_are_counted_by_role() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        with watching(lambda pid, _: "child" if pid == child.pid else "") as watch:
            watch.look()
            below = is_below(child.pid, os.getpid())
        child.communicate(b"\n")
    assert below
    assert not is_below(os.getpid(), child.pid)
    assert watch.most == {"child": 1}
    assert watch.peak_bytes["child"] > 0
    assert read_process(child.pid) is None
