"""A night in a process of its own, which signals itself at a step: `python -m tests.support.child CONFIGURATION`."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TypeVar

import structlog

from dream.errors import DreamError
from flows.calling import call_here
from tests.support.repositories import Hosted
from tests.support.stage import NIGHT, Stage

T = TypeVar("T")
ROOT = Path(__file__).resolve().parents[2]


def start(
    stage: Stage,
    *,
    step: str = "",
    by: signal.Signals = signal.SIGKILL,
    home: str = "home",
    room: int | None = None,
) -> subprocess.Popen[str]:
    """Start a night that sends itself the signal `by` when it comes to `step`; it prints how it ended.

    With `room` it is not signalled: from `step` on no file can grow past so many bytes, and what it writes is cut off
    there, as on a disk that is full.
    """
    configuration = {
        "path": str(stage.hosted.path),
        "url": stage.hosted.url,
        "root": str(stage.root),
        "home": home,
        "night": NIGHT.isoformat(),
        "extra": dict(stage.extra),
        "step": step,
        "signal": by.name,
        "room": room,
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.child", json.dumps(configuration)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def main(text: str) -> int:
    """Dream as `text` says and print the status."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    told = json.loads(text)

    async def call(name: str, step: Callable[[], T]) -> T:
        if name == told["step"] and told["room"] is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (told["room"], told["room"]))
        elif name == told["step"]:
            os.kill(os.getpid(), signal.Signals[told["signal"]])
        return await call_here(name, step)

    stage = Stage(hosted=Hosted(path=Path(told["path"]), url=told["url"]), root=Path(told["root"]), extra=told["extra"])
    try:
        print(stage.dream(date.fromisoformat(told["night"]), home=told["home"], call=call).status)  # noqa: T201
    except DreamError as error:
        print(f"not-landed: {error}")  # noqa: T201
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
