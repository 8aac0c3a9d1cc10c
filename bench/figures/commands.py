"""How long the command line takes to answer when there is nothing to do."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bench.figures.making import memory
from bench.figures.measuring import Row, cold_and_warm, shown
from tests.support.repositories import git, host
from tests.support.served import serve

DREAM = str(Path(sys.executable).with_name("dream"))


def commands(*, short: bool) -> Iterator[Row]:
    """Ask for help, and run a night that has landed."""
    bare = cold_and_warm(lambda: _run([sys.executable, "-c", "pass"], os.environ))
    helping = cold_and_warm(lambda: _run([DREAM, "--help"], os.environ))
    yield Row(
        what="`dream --help`",
        cold=shown(helping[0]),
        warm=shown(helping[1]),
        reference=f"python -c pass: {shown(bare[1])}",
        target="≤ 0.3 s",
        is_met=helping[1] <= 0.3,
    )
    notes = 100 if short else 1_000
    with tempfile.TemporaryDirectory(prefix="dream-figures-") as folder:
        root = Path(folder)
        (root / "hosted").mkdir()
        (root / "organisations").mkdir()
        with serve(root / "hosted") as served:
            hosted = host(served, "memory", memory(notes), at=datetime.now(UTC) - timedelta(days=2))
            (root / "organisations" / "acme.yaml").write_text(f"organisation: acme\nmemory: {{url: {hosted.url!r}}}\n")
            environment = {
                **{name: value for name, value in os.environ.items() if not name.startswith(("DREAM_", "PREFECT_"))},
                "DREAM_ORGANISATIONS": str(root / "organisations"),
                "DREAM_HOME": str(root / "home"),
            }
            _run([DREAM, "run", "acme"], environment)
            spent = _processor_time()
            nothing = cold_and_warm(lambda: _run([DREAM, "run", "acme"], environment))
            spent = (_processor_time() - spent) / 4
            fetching = cold_and_warm(lambda: git(root / "home" / "acme" / "memory.git", "fetch", hosted.url, "main"))
            yield Row(
                what=f"`dream run` with nothing to do, {notes:,} notes",
                cold=shown(nothing[0]),
                warm=f"{shown(nothing[1])} ({shown(spent)} of processor time)",
                reference=f"git fetch alone: {shown(fetching[1])}",
                target="≤ 1.0 s",
                is_met=nothing[1] <= 1.0,
            )


def _processor_time() -> float:
    """Processor seconds of all programs that were run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
