"""`python -m bench.simulation [--short] [--seed N] [--minutes N]`: simulate sequences of 30 steps and print a table."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from bench.simulation.running import simulate
from bench.tables import render_table
from tests.support.served import serve


def main(arguments: list[str]) -> int:
    """Run until the time is over or something does not hold; exit 1 then."""
    parser = argparse.ArgumentParser(prog="python -m bench.simulation", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a few sequences on a remote served over http")
    parser.add_argument("--seed", type=int, default=20261022)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=30)
    asked = parser.parse_args(arguments)
    start = time.monotonic()
    if asked.short:
        with tempfile.TemporaryDirectory() as folder, serve(Path(folder)) as served:
            told = simulate(seed=asked.seed, sequences=6, steps=15, served=served)
    else:
        told = simulate(seed=asked.seed, sequences=asked.sequences, steps=asked.steps, minutes=asked.minutes)
    print(f"Seed {asked.seed}, {'short' if asked.short else 'long'} version.\n")
    rows = [*told.counted.items(), ("violations", told.violations), ("seconds", round(time.monotonic() - start))]
    print(render_table(["what happened", "times"], rows))
    if told.failure:
        print(f"\n{told.failure}")
    return 1 if told.violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
