"""How fast sessions are read, beside a program that only parses their JSON."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from bench.figures.making import sessions as write_sessions
from bench.figures.measuring import Row, cold_and_warm, say, shown
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import SessionSource

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "transcripts"
_BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
_END = datetime(2100, 1, 1, tzinfo=UTC)


def reading(*, short: bool) -> Iterator[Row]:
    """Read invented sessions, and real ones where they are at hand."""
    with tempfile.TemporaryDirectory(prefix="dream-figures-") as folder:
        write_sessions(Path(folder), count=20 if short else 200, turns=100)
        yield _row("invented sessions", Path(folder))
    real = DATA / "PackmindHub__context-evaluator"
    if real.is_dir():
        yield _row("real sessions (PackmindHub/context-evaluator)", real)
    else:
        say(f"{DATA} is not here: real sessions are left out")


def _row(what: str, folder: Path) -> Row:
    files = sorted(folder.rglob("*.jsonl"))
    size = sum(path.stat().st_size for path in files)
    source = SessionSource(kind="claude-code", path=str(folder))
    cold, warm = cold_and_warm(lambda: read_sessions([source], since=_BEGINNING, now=_END))
    plain = cold_and_warm(lambda: _parse(files))
    return Row(
        what=f"reading {len(files)} {what}, {size / 1e6:.1f} MB",
        cold=shown(cold),
        warm=f"{shown(warm)} ({size / 1e6 / warm:.0f} MB/s)",
        reference=f"json.loads of every line: {shown(plain[0])}, {shown(plain[1])}",
        target="≥ half the speed",
        is_met=warm <= 2 * plain[1],
    )


def _parse(files: list[Path]) -> int:
    count = 0
    for path in files:
        with path.open("rb") as file:
            for line in file:
                try:
                    json.loads(line)
                except ValueError:
                    continue
                count += 1
    return count
