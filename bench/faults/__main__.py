"""`python -m bench.faults [--short] [--seed N] [T01 …]`: run the fault tests and print their tables."""

from __future__ import annotations

import argparse
import sys

from bench.faults.suite import TESTS
from bench.faults.tally import Tally, take
from bench.tables import render_table


def main(arguments: list[str]) -> int:
    """Run what is asked for; exit 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=__doc__)
    parser.add_argument("--short", action="store_true", help="as many tries as a test suite has time for")
    parser.add_argument("--seed", type=int, default=20261022)
    parser.add_argument("tests", nargs="*", metavar="T01", help=", ".join(f"{one.id} {one.title}" for one in TESTS))
    asked = parser.parse_args(arguments)
    unknown = set(asked.tests) - {one.id for one in TESTS}
    if unknown:
        parser.error(f"there is no test {', '.join(sorted(unknown))}")
    chosen = [one for one in TESTS if not asked.tests or one.id in asked.tests]
    tallies = [take(one, seed=asked.seed, short=asked.short) for one in chosen]
    titles = {one.id: one.title for one in chosen}
    print(f"Seed {asked.seed}, {'short' if asked.short else 'long'} version.\n")
    print(
        render_table(
            ["test", "", "tries", "passed", "seconds"],
            [(tally.id, titles[tally.id], tally.tries, tally.passed, round(tally.seconds)) for tally in tallies],
        )
    )
    for tally in tallies:
        _print_rest(tally)
    return 1 if any(tally.passed < tally.tries or not tally.tries for tally in tallies) else 0


def _print_rest(tally: Tally) -> None:
    if tally.kills:
        print(f"\nKills of {tally.id} by the step that they met:\n")
        print(render_table(["step", "kills"], list(tally.kills.items())))
    for remark in tally.remarks:
        print(f"\n{remark}")
    for problem in tally.problems[:20]:
        print(f"\nFAILED {tally.id} {problem}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
