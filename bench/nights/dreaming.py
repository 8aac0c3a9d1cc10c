"""One night in a process of its own, on a clock that stands at its hour: what it said, and what it cost."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from bench.nights.dreamer import Dreamer, Dreaming
from bench.nights.watching import watch
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError
from dream.night.result import not_landed, result_payload
from flows.clock import Clock
from flows.dreaming import ModelMaker, build_models
from flows.night import dream_night
from flows.opening import Request
from flows.revert import revert_night
from flows.workplace import Workplace

LOG = "dreamt.jsonl"
"""The log of a scripted dreamer, in the home of its nights."""

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a run ended, and the CPU seconds and peak memory (MB) of its process and of every git that it started."""

    payload: Mapping[str, Any]
    cpu_seconds: float
    peak_mb: float


def run_night(
    organisation: Mapping[str, Any], night: date, *, today: date, home: Path, dreaming: Dreaming | None = None
) -> Run:
    """Dream a night of an organisation (the document of its file) in a new process `today` and wait for its end.

    With `dreaming` its models are scripted, and `home/dreamt.jsonl` says what was offered and what became of it.
    """
    told = {"organisation": organisation, "night": night.isoformat(), "today": today.isoformat()}
    return _run({**told, "dreaming": asdict(dreaming)} if dreaming else told, home)


def take_back(organisation: Mapping[str, Any], night: date, task: str, *, now: date, retry: bool, home: Path) -> Run:
    """Take back what a task of a night did, on the day `now`."""
    told = {"organisation": organisation, "night": night.isoformat(), "today": now.isoformat()}
    return _run({**told, "task": task, "retry": retry}, home)


def _run(told: Mapping[str, Any], home: Path) -> Run:
    home.mkdir(parents=True, exist_ok=True)
    text = json.dumps({**told, "home": str(home)})
    with (home / "said.json").open("w+b") as said, (home / "log.txt").open("ab") as log:
        process = subprocess.Popen([sys.executable, "-m", __name__, text], cwd=ROOT, stdout=said, stderr=log)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        answer = said.read()
    if not answer:
        message = f"{told['night']} broke off with {process.returncode}; see {home / 'log.txt'}"
        raise RuntimeError(message)
    return Run(
        payload=json.loads(answer),
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mb=usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20),
    )


def main(text: str) -> None:
    """Dream, or take back, as `text` says and print the result as one JSON document."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    told = json.loads(text)
    organisation = Organisation.model_validate(told["organisation"])
    home, night = Path(told["home"]), date.fromisoformat(told["night"])
    workplace = Workplace(organisation=organisation, settings=Settings(home=home, organisations=home))
    clock = _clock(date.fromisoformat(told["today"]))
    try:
        if "task" in told:
            reverted = revert_night(
                workplace, night=night, task=told["task"], retry=told["retry"], dry_run=False, clock=clock
            )
            payload = reverted.payload()
        else:
            models = _scripted(told, home) if "dreaming" in told else build_models
            request = Request(night=night)
            payload = result_payload(asyncio.run(dream_night(workplace, request, clock=clock, models=models)))
    except DreamError as error:
        payload = {**result_payload(not_landed(organisation.organisation, night, error)), "commits": []}
    sys.stdout.write(json.dumps(payload))


def _scripted(told: Mapping[str, Any], home: Path) -> ModelMaker:
    dreamer = Dreamer(dreaming=Dreaming(**told["dreaming"]), night=told["night"], log=home / LOG)
    watch(dreamer)
    return partial(build_models, adapter=dreamer.adapter)


def _clock(today: date) -> Clock:
    """Return a clock that stands at five past four and whose waits cost nothing."""
    now = datetime(today.year, today.month, today.day, 4, 0, 5, tzinfo=UTC)
    waits: list[float] = []
    return Clock(
        now=lambda: now + timedelta(seconds=sum(waits)),
        monotonic=lambda: sum(waits),
        sleep=waits.append,
        jitter=lambda seconds: seconds,
    )


if __name__ == "__main__":
    main(sys.argv[1])
