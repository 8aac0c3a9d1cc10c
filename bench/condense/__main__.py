"""`python -m bench.condense [FOLDER] [--tool KIND…] [--lost N]`: condense every transcript, ask, and print tables."""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import structlog

from bench.condense.corpus import DATA, collections
from bench.condense.measuring import measured, speeds
from bench.condense.tables import Tool, lost_lines, printed
from bench.figures.measuring import say
from dream.sources.sessions.condensing import CondensingLimits


def main(arguments: list[str]) -> int:
    """Measure what is there; nothing is asserted, so that it exits 0 whatever comes of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.condense", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="where transcripts are")
    parser.add_argument("--tool", action="append", default=[], help="only this format, such as claude-code")
    parser.add_argument("--lost", type=int, default=0, help="print so many of the questions of a kind that were lost")
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(f"{asked.folder} is not here")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    limits = CondensingLimits()
    tools = []
    for collection in collections(asked.folder):
        if asked.tool and collection.kind not in asked.tool:
            continue
        say(f"{collection.kind}: {len(collection.files)} files …")
        units = [measured(unit, limits) for unit in collection.units]
        tools.append(Tool(collection=collection, units=units, speeds=speeds(collection, limits)))
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end"
    print(f"{now}, {machine}. No seed: nothing is drawn by chance.\n")
    print(printed(tools))
    print("\n".join(lost_lines(tools, most=asked.lost)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
