"""`python -m bench.simulation [--short] [--seed N] [--minutes N]`: simulate sequences of 30 steps and print a table."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from bench.simulation.running import simulate
from bench.tables import render_table
from tests.support.served import serve

_MEMORY_DISK = Path("/dev/shm")  # noqa: S108 - a folder with an unguessable name is made in it


def main(arguments: list[str]) -> int:
    """Run until the time is over or something does not hold; exit 1 then."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulation", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a few sequences, and no shrinking")
    parser.add_argument("--seed", type=int, default=20261022)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=30)
    asked = parser.parse_args(arguments)
    start = time.monotonic()
    memory_disk = _MEMORY_DISK if os.access(_MEMORY_DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory_disk) as folder, serve(Path(folder), direct=True) as served:
        if asked.short:
            told = simulate(seed=asked.seed, sequences=6, steps=15, served=served)
        else:
            chosen = {"sequences": asked.sequences, "steps": asked.steps, "minutes": asked.minutes}
            told = simulate(seed=asked.seed, served=served, **chosen)
    print(f"Seed {asked.seed}, {'short' if asked.short else 'long'} version.\n")
    rows = [*told.counted.items(), ("violations", told.violations), ("seconds", round(time.monotonic() - start))]
    print(render_table(["what happened", "times"], rows))
    if told.failure:
        print(f"\n{told.failure}")
    return 1 if told.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
