"""One night in a process of its own, on a clock that stands at its hour: what it said, and what it cost."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import structlog

from bench.nights.dreamer import Dreamer, Dreaming
from bench.nights.watching import watch
from bench.processes import Run, clock_at, run_module
from config.organisation import Organisation
from config.settings import Settings
from dream.errors import DreamError
from dream.night.result import not_landed, result_payload
from flows.dreaming import ModelMaker, build_models
from flows.night import dream_night
from flows.opening import Request
from flows.reverting.night import RevertRequest, revert_night
from flows.workplace import Workplace

LOG = "dreamt.jsonl"
"""The log of a scripted dreamer, in the home of its nights."""


def run_night(
    organisation: Mapping[str, Any],
    night: date,
    *,
    today: date,
    home: Path,
    dreaming: Dreaming | None = None,
    forked: bool = False,
) -> Run:
    """Dream a night of an organisation (the document of its file) in a new process `today` and wait for its end.

    With `dreaming` its models are scripted, and `home/dreamt.jsonl` says what was offered and what became of it.
    """
    told = {"organisation": organisation, "night": night.isoformat(), "today": today.isoformat()}
    return _run({**told, "dreaming": asdict(dreaming)} if dreaming else told, home, forked=forked)


def take_back(
    organisation: Mapping[str, Any],
    night: date,
    task: str,
    *,
    now: date,
    retry: bool,
    home: Path,
    forked: bool = False,
) -> Run:
    """Take back what a task of a night did, on the day `now`."""
    told = {"organisation": organisation, "night": night.isoformat(), "today": now.isoformat()}
    return _run({**told, "task": task, "retry": retry}, home, forked=forked)


def _run(told: Mapping[str, Any], home: Path, *, forked: bool) -> Run:
    return run_module(__name__, {**told, "home": str(home)}, home, forked=forked)


def main(text: str) -> None:
    """Dream, or take back, as `text` says and print the result as one JSON document."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    told = json.loads(text)
    organisation = Organisation.model_validate(told["organisation"])
    home, night = Path(told["home"]), date.fromisoformat(told["night"])
    workplace = Workplace(organisation=organisation, settings=Settings(home=home, organisations=home))
    clock = clock_at(date.fromisoformat(told["today"]))
    try:
        if "task" in told:
            wanted = RevertRequest(night=night, task=told["task"], retry=told["retry"])
            reverted = revert_night(workplace, wanted, dry_run=False, clock=clock)
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


if __name__ == "__main__":
    main(sys.argv[1])
