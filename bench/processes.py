"""A night in a process of its own, measured from outside, on a clock that stands at its hour."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from flows.clock import Clock

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a run ended, and the CPU seconds and peak memory (MB) of its process and of every git that it started."""

    payload: Mapping[str, Any]
    cpu_seconds: float
    peak_mb: float


def run_module(module: str, told: Mapping[str, Any], home: Path) -> Run:
    """Run `python -m module` with `told` as its one argument in JSON, and wait for the document that it prints.

    Raises:
        RuntimeError: it printed nothing; `home/log.txt` holds what it said.
    """
    home.mkdir(parents=True, exist_ok=True)
    with (home / "said.json").open("w+b") as said, (home / "log.txt").open("ab") as log:
        command = [sys.executable, "-m", module, json.dumps(told)]
        process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        answer = said.read()
    if not answer:
        message = f"{told.get('night')} broke off with {process.returncode}; see {home / 'log.txt'}"
        raise RuntimeError(message)
    return Run(
        payload=json.loads(answer),
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20),
    )


def clock_at(today: date) -> Clock:
    """Return a clock that stands at five past four and whose waits cost nothing."""
    now = datetime(today.year, today.month, today.day, 4, 0, 5, tzinfo=UTC)
    waits: list[float] = []
    return Clock(
        now=lambda: now + timedelta(seconds=sum(waits)),
        monotonic=lambda: sum(waits),
        sleep=waits.append,
        jitter=lambda seconds: seconds,
    )
