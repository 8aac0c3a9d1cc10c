"""Runs the machine in batches, each with a seed of its own, until there is enough or something does not hold."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from bench.simulation.machine import Simulation
from tests.support.served import Served

BATCH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How often each thing happened, and the failure, shrunk, if there was one."""

    counted: Mapping[str, int]
    violations: int = 0
    failure: str = ""


def simulate(*, seed: int, sequences: int, steps: int, served: Served, minutes: float | None = None) -> Told:
    """Run so many sequences, or as many as there is time for."""
    Simulation.counted = {}
    end = None if minutes is None else time.monotonic() + minutes * 60
    done = 0
    while done < sequences and (end is None or time.monotonic() < end):
        batch = min(BATCH, sequences - done)
        failure = _run(seed + done, batch=batch, steps=steps, served=served, shrink=end is not None)
        done += batch
        print(f"{done} sequences, seed {seed + done - batch}", file=sys.stderr, flush=True)
        if failure:
            text = f"seed {seed + done - batch}: {failure}"
            return Told(counted=dict(Simulation.counted), violations=1, failure=text)
    return Told(counted=dict(Simulation.counted))


def _run(number: int, *, batch: int, steps: int, served: Served, shrink: bool) -> str:
    machine = type("SeededSimulation", (Simulation,), {"served": served})
    phases = (Phase.generate, Phase.shrink) if shrink else (Phase.generate,)
    chosen = settings(
        max_examples=batch,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        derandomize=False,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    try:
        run_state_machine_as_test(seed(number)(machine), settings=chosen)
    except Exception:  # noqa: BLE001 - whatever breaks a sequence is what is looked for
        return traceback.format_exc()[-6000:]
    return ""
