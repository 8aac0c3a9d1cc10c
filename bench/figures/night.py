"""One night in a process of its own, which prints what it took: `python -m bench.figures.night CONFIGURATION`."""

from __future__ import annotations

import json
import logging
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, TypeVar

import structlog

from flows.calling import call_here
from tests.support.repositories import Hosted
from tests.support.stage import Stage

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a night took: processor seconds of its own, those of its git programs, by step, and peak memory."""

    status: str
    own: float
    git: float
    steps: dict[str, float]
    wall: float
    peak_bytes: int

    @property
    def beyond_reading(self) -> float:
        """Everything but the reading of the sessions, git's time included."""
        return self.own + self.git - self.steps.get("read", 0.0)


def dream_apart(stage: Stage, night: date, *, home: str) -> Cost:
    """Dream a night in a fresh process and return what that took, from after its imports."""
    configuration = {
        "path": str(stage.hosted.path),
        "url": stage.hosted.url,
        "root": str(stage.root),
        "home": home,
        "night": night.isoformat(),
        "now": stage.now.isoformat(),
    }
    command = [sys.executable, "-m", "bench.figures.night", json.dumps(configuration)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return Cost(**json.loads(done.stdout))


def main(text: str) -> int:
    """Dream as `text` says and print the cost."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    told: dict[str, Any] = json.loads(text)
    stage = Stage(
        hosted=Hosted(path=Path(told["path"]), url=told["url"]),
        root=Path(told["root"]),
        now=datetime.fromisoformat(told["now"]),
    )
    steps: dict[str, float] = {}

    async def call(name: str, step: Callable[[], T]) -> T:
        start = time.process_time()
        try:
            return await call_here(name, step)
        finally:
            steps[name] = time.process_time() - start

    began, start = time.process_time(), time.perf_counter()
    result = stage.dream(date.fromisoformat(told["night"]), home=told["home"], call=call)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {
        "status": result.status,
        "own": time.process_time() - began,
        "git": children.ru_utime + children.ru_stime,
        "steps": steps,
        "wall": time.perf_counter() - start,
        "peak_bytes": _peak_bytes(),
    }
    print(json.dumps(cost))
    return 0


def _peak_bytes() -> int:
    """The most memory that this program held; what `getrusage` tells counts the program that started it."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) * 1024


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
