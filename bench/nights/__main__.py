"""Replay real days as nights and print what they came to: `python -m bench.nights [--short] [--seed N]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

from bench.nights.dreamer import Dreaming
from bench.nights.labels import read_labels, score
from bench.nights.replay import Replay, Script, Told
from bench.nights.scripts import scripts
from bench.nights.tables import render
from tests.support.served import serve

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SEED = 20260804


def replay_all(
    data: Path,
    root: Path,
    *,
    seed: int = SEED,
    short: bool = False,
    only: Sequence[str] = (),
    at_once: int = 2,
    dreaming: Dreaming | None = None,
    days: Collection[date] = (),
) -> list[Told]:
    """Run every replay, or those called `only`, with its files under `root` and return what they came to."""
    all_scripts = scripts(data, root, seed=seed, short=short, dreaming=dreaming, days=days)
    chosen = [one for one in all_scripts if not only or one.name in only]
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        return list(pool.map(lambda script: _replay(script, root / script.name), chosen))


def _replay(script: Script, root: Path) -> Told:
    (root / "remotes").mkdir(parents=True)
    with serve(root / "remotes") as served:
        return Replay(script, served, root).run()


def main() -> int:
    """Run the replays and print their tables; 1 if any invariant was violated."""
    parser = argparse.ArgumentParser(prog="python -m bench.nights", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a few nights of each replay")
    parser.add_argument("--seed", type=int, default=SEED, help="decides what people do and what comes late")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this replay; repeatable")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="how many replays go on at a time")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real inputs")
    parser.add_argument("--keep", type=Path, help="an empty folder for everything that is made, which stays")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nights-") as scratch:
        root = options.keep or Path(scratch)
        told = replay_all(
            options.data,
            root,
            seed=options.seed,
            short=options.short,
            only=options.only,
            at_once=options.at_once,
        )
    notes = {(one.name, day): note for one in told for day, note in one.days.items()}
    scores = [score(day, notes[day.replay, day.day]) for day in read_labels() if (day.replay, day.day) in notes]
    print(render(told, scores, seed=options.seed))
    return int(any(one.violations for one in told))


if __name__ == "__main__":
    sys.exit(main())
