"""`python -m bench.fleet [--organisations N] [--embedded N] …`: one night of many organisations, each way to run it."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from bench.fleet.running import Ran, Shape, latest_night, run_embedded, run_plain, run_pool
from bench.fleet.tables import cost_table, night_table, waiting_lines
from bench.fleet.town import Town, found_town
from tests.support.prefect_server import prefect_stack

PARTS = ("pool", "plain", "embedded", "many")


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for and print the tables; exit 1 where anything is not as promised."""
    parser = argparse.ArgumentParser(prog="python -m bench.fleet", description=__doc__)
    parser.add_argument("--organisations", type=int, default=200, help="on the pool, and embedded beside it")
    parser.add_argument("--embedded", type=int, default=1000, help="embedded alone")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shards", type=int, default=4, help="runs on the pool that share the organisations")
    parser.add_argument("--at-once", type=int, default=25, help="organisations at once in one process")
    parser.add_argument("--seconds-per-answer", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args(arguments)
    shape = Shape(workers=asked.workers, at_once=asked.at_once, shards=asked.shards)
    done = list(_ran(asked, shape))
    print(f"Seed {asked.seed}. {asked.workers} workers, {asked.shards} shards; a process dreams for {asked.at_once}")
    print(f"organisations at once, and the model answers after {asked.seconds_per_answer:g} s.\n")
    print(night_table(done))
    print()
    print(cost_table(done))
    for line in waiting_lines(done):
        print(f"\n{line}")
    problems = [f"{one.name}: {problem}" for one in done for problem in one.problems]
    for problem in problems[:40]:
        print(f"\nFAILED {problem}")
    return 1 if problems else 0


def _ran(asked: argparse.Namespace, shape: Shape) -> Iterator[Ran]:
    if {"pool", "plain"} & set(asked.parts):
        with prefect_stack() as stack:
            with _town(asked, asked.organisations) as town:
                if "pool" in asked.parts:
                    yield _told(run_pool(stack, town, shape))
            if "plain" in asked.parts:
                if not stack.workers:
                    stack.deploy()
                    for _ in range(shape.workers):
                        stack.start_worker(limit=8)
                yield _told(run_plain(stack, organisations=asked.organisations, shape=shape))
    for part, count in (("embedded", asked.organisations), ("many", asked.embedded)):
        if part in asked.parts:
            with _town(asked, count) as town:
                yield _told(run_embedded(town, at_once=asked.at_once))


@contextmanager
def _town(asked: argparse.Namespace, count: int) -> Iterator[Town]:
    night = latest_night(datetime.now(UTC)).date()
    print(f"{count} organisations move in …", file=sys.stderr, flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="dream-fleet-") as folder,
        found_town(
            Path(folder) / "town",
            organisations=count,
            night=night,
            answer_seconds=asked.seconds_per_answer,
            seed=asked.seed,
        ) as town,
    ):
        yield town


def _told(ran: Ran) -> Ran:
    print(
        f"{ran.name}: {ran.organisations} in {ran.seconds:.0f} s, {len(ran.problems)} problems",
        file=sys.stderr,
        flush=True,
    )
    return ran


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
