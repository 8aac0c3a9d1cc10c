"""`python -m bench.figures [--short]`: measure, and print one table."""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys

import structlog

from bench.figures.commands import commands
from bench.figures.commits import commits
from bench.figures.history import history
from bench.figures.measuring import Row, say
from bench.figures.memories import index, lookups, loss
from bench.figures.nights import nights
from bench.figures.ranking import ranking
from bench.figures.sessions import reading
from bench.tables import render_table

FIGURES = {
    "commands": commands,
    "commits": commits,
    "index": index,
    "loss": loss,
    "lookups": lookups,
    "ranking": ranking,
    "sessions": reading,
    "history": history,
    "nights": nights,
}


def main(arguments: list[str]) -> int:
    """Measure what is asked for; nothing is asserted, so that it exits 0 however slow the machine is."""
    parser = argparse.ArgumentParser(prog="python -m bench.figures", description=__doc__)
    parser.add_argument("--short", action="store_true", help="memories a tenth as large")
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help=", ".join(FIGURES))
    asked = parser.parse_args(arguments)
    unknown = set(asked.figures) - set(FIGURES)
    if unknown:
        parser.error(f"there is no figure {', '.join(sorted(unknown))}")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    rows: list[Row] = []
    for name in asked.figures or FIGURES:
        say(f"{name} …")
        rows += FIGURES[name](short=asked.short)
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f} at the end.\n")
    print(render_table(["what", "cold", "warm", "reference", "target", "met"], [row.cells() for row in rows]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
