"""A night in a process of its own, measured from outside, on a clock that stands at its hour."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from multiprocessing.connection import Connection
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


def run_module(module: str, told: Mapping[str, Any], home: Path, *, forked: bool = False) -> Run:
    """Run `python -m module` with `told` as its one argument in JSON, and wait for the document that it prints.

    A `forked` one runs where everything is imported already, so that its CPU seconds are without its imports.

    Raises:
        RuntimeError: it printed nothing; `home/log.txt` holds what it said.
    """
    home.mkdir(parents=True, exist_ok=True)
    if forked:
        return _run_forked(module, told, home)
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
        peak_mb=_mb(usage.ru_maxrss),
    )


def _run_forked(module: str, told: Mapping[str, Any], home: Path) -> Run:
    context = multiprocessing.get_context("forkserver")
    # one server forks for all who ask it, so that it imports what the nights of the fault tests need as well
    context.set_forkserver_preload([module, "bench.faults.child"])
    answers, tell = context.Pipe(duplex=False)
    process = context.Process(target=_main, args=(module, json.dumps(told), home / "log.txt", tell), daemon=True)
    process.start()
    tell.close()
    with answers, suppress(EOFError):
        run: Run = answers.recv()
        process.join()
        return run
    process.join()
    message = f"{told.get('night')} broke off with {process.exitcode}; see {home / 'log.txt'}"
    raise RuntimeError(message)


def _main(module: str, text: str, log: Path, tell: Connection) -> None:
    os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), sys.stderr.fileno())
    with redirect_stdout(io.StringIO()) as said:
        import_module(module).main(text)
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    tell.send(
        Run(
            payload=json.loads(said.getvalue()),
            cpu_seconds=sum(usage.ru_utime + usage.ru_stime for usage in (own, children)),
            peak_mb=_mb(max(own.ru_maxrss, children.ru_maxrss)),
        )
    )


def _mb(size: int) -> float:
    return size / (1 << 10 if sys.platform == "linux" else 1 << 20)


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
