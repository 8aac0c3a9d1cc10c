"""`python -m bench.index [--short] [FOLDER]`: index memories of every size and every real one, and print tables."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from bench.figures.measuring import say
from bench.index.measuring import Indexed, index_memory
from bench.index.memories import Memory, five_files, made_memory, real_memories
from bench.tables import render_table

DATA = Path("../shared/data/memory_trees")
SIZES = (10, 200, 1_000, 5_000, 50_000)
_SHORT_SIZES = (10, 200)
_SHORT_TREES = 12
_KINDS = ("changed", "retitled", "added", "removed", "renamed")
_HEADS = ("memory", "notes", "reached", "plain list", "lines", "bytes", "largest page", "cold ms", "warm ms")


def main(arguments: Sequence[str]) -> int:
    """Measure and print; nothing is asserted, so that it exits 0 whatever comes of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.index", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="where real memories are")
    parser.add_argument("--short", action="store_true", help="small memories, and a dozen real ones")
    asked = parser.parse_args(arguments)
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    print(f"{now}, Python {platform.python_version()}, {os.cpu_count()} cores. Seed 7.\n")
    print(made_table(_indexed(made_memories(short=asked.short))))
    if asked.folder.is_dir():
        real = real_memories(asked.folder)
        print(f"\n{real_table(list(_indexed(islice(real, _SHORT_TREES) if asked.short else real)))}")
    return 0


def made_memories(*, short: bool) -> Iterable[Memory]:
    """Yield the memories that are made up."""
    sizes = _SHORT_SIZES if short else SIZES
    yield from (made_memory(size) for size in sizes)
    yield made_memory(sizes[-1], folders=1)
    yield five_files(40)
    yield five_files(100 if short else 2_000)


def _indexed(memories: Iterable[Memory]) -> Iterable[Indexed]:
    for memory in memories:
        say(f"{memory.name} …")
        yield index_memory(memory)


def made_table(rows: Iterable[Indexed]) -> str:
    """Return a row for each memory: what is reached, what it costs, and how many lines a change to a note changes."""
    return render_table((*_HEADS, "plain ms", *(f"one {kind}" for kind in _KINDS)), map(_cells, rows))


def _cells(one: Indexed) -> tuple[object, ...]:
    return (
        one.name,
        one.notes,
        one.reachable,
        one.plain,
        one.lines,
        one.bytes,
        one.largest,
        round(one.cold * 1000),
        round(one.warm * 1000),
        round(one.plain_time * 1000),
        *(one.changes.get(kind, 0) for kind in _KINDS),
    )


def real_table(rows: Sequence[Indexed]) -> str:
    """Return what holds of all real memories together, and for how many."""
    known = [one for one in rows if one.notes]
    facts: list[tuple[str, object]] = [
        ("memories", len(rows)),
        ("with notes beside the index", len(known)),
        ("notes", sum(one.notes for one in rows)),
        ("least share reached", min((one.reachable for one in rows), default=1.0)),
        ("share that a plain list of files reaches, least", min((one.plain for one in rows), default=1.0)),
        ("indexes that agents load whole", sum(one.lines <= 200 and one.bytes <= 25_000 for one in rows)),
        (
            "indexes that only people's own lines take over the limits",
            sum("index-over-limits" in one.findings for one in rows),
        ),
        ("indexes over the limits otherwise", sum(not one.fits for one in rows)),
        ("people's lines", sum(one.theirs for one in rows)),
        ("of them byte for byte as they were", sum(one.kept for one in rows)),
        ("memories that a second rewrite changes", sum(bool(one.again) for one in rows)),
        ("milliseconds, all cold", round(sum(one.cold for one in rows) * 1000)),
        ("milliseconds, all warm", round(sum(one.warm for one in rows) * 1000)),
        *((f"most lines that one note {kind} changes", _most(known, kind)) for kind in _KINDS),
    ]
    return render_table(("real memories", ""), facts)


def _most(rows: Sequence[Indexed], kind: str) -> int:
    return max((one.changes.get(kind, 0) for one in rows), default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
