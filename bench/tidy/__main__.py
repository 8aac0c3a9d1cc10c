"""`python -m bench.tidy [--short]`: make the pairs, run the stages over them, and print a table for each."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from bench.tables import render_table
from bench.tidy import merging, nominating
from bench.tidy.corpus import DATA, SEED, Pair, pairs

Stage = tuple[Sequence[str], Callable[[Sequence[Pair]], Sequence[Sequence[object]]]]
STAGES: dict[str, Stage] = {
    "nomination": (nominating.HEADS, nominating.rows),
    "ruling and merging": (merging.HEADS, merging.rows),
}
MOST, MOST_SHORT = 400, 40


def main(arguments: list[str]) -> int:
    """Print a confusion matrix for each stage; nothing is asserted."""
    parser = argparse.ArgumentParser(prog="python -m bench.tidy", description=__doc__)
    parser.add_argument("--short", action="store_true", help=f"{MOST_SHORT} pairs of each kind instead of {MOST}")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print so many pairs of each kind")
    asked = parser.parse_args(arguments)
    made = pairs(DATA, most=MOST_SHORT if asked.short else MOST)
    print(f"{len(made)} pairs, seed {SEED}.\n")
    for relation in dict.fromkeys(pair.relation for pair in made):
        for pair in [pair for pair in made if pair.relation is relation][: asked.show]:
            print(f"{relation}:\n  {pair.one}\n  {pair.other}")
    for name, (heads, rows) in STAGES.items():
        print(f"{name}:\n\n{render_table(heads, rows(made))}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
