"""What whole nights take, on memories of two sizes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from bench.figures.making import memory, sessions
from bench.figures.measuring import Row, seconds, shown
from bench.figures.night import Cost, dream_apart
from tests.support.repositories import git
from tests.support.served import serve
from tests.support.stage import NIGHT, Stage, stage_of

MOST_SECONDS = 3.0
_STEPS = ("open", "daily_note", "production_verification", "tidy", "index_rewrite", "state_update", "land", "remember")
MOST_BYTES = 300_000_000


def nights(*, short: bool) -> Iterator[Row]:
    """Dream a first night and the next on each memory, with a hundred sessions of the day before each."""
    sizes = (100, 1_000) if short else (1_000, 10_000)
    count = 10 if short else 100
    costs: list[tuple[Cost, Cost]] = []
    for notes in sizes:
        with _organisation(notes) as stage:
            size = sessions(stage.sessions / "claude", count=count)
            cloning = _clone(stage)
            cold = dream_apart(stage, NIGHT, home="home")
            stage.now += timedelta(days=1)
            stage.person().append("folder-000/note-00001.md", "- 2026-10-22: One more thing is said here.\n")
            warm = dream_apart(stage, NIGHT + timedelta(days=1), home="home")
            costs.append((cold, warm))
            target = f"≤ {MOST_SECONDS:.0f} s" if notes == sizes[0] else f"twice that: ≤ {2 * MOST_SECONDS:.0f} s"
            most = MOST_SECONDS if notes == sizes[0] else 2 * MOST_SECONDS
            yield Row(
                what=f"CPU of a night on {notes:,} notes and {count} sessions ({size / 1e6:.1f} MB), beyond reading",
                cold=shown(cold.beyond_reading),
                warm=shown(warm.beyond_reading),
                reference=f"reading the sessions: {shown(cold.steps['read'])}; git clone: {shown(cloning)} wall",
                target=target,
                is_met=cold.beyond_reading <= most,
            )
            yield Row(
                what=f"of that, {' / '.join(_STEPS)} / git / the rest, on {notes:,} notes",
                cold=_parts(cold),
                warm=_parts(warm),
            )
    largest = costs[-1]
    yield Row(
        what=f"peak memory of a night on {sizes[-1]:,} notes",
        cold=f"{largest[0].peak_bytes / 1e6:.0f} MB",
        warm=f"{largest[1].peak_bytes / 1e6:.0f} MB",
        reference=f"on {sizes[0]:,} notes: {costs[0][0].peak_bytes / 1e6:.0f} MB",
        target="≤ 300 MB",
        is_met=max(cost.peak_bytes for cost in largest) <= MOST_BYTES,
    )


def _clone(stage: Stage) -> float:
    return seconds(lambda: git(stage.root, "clone", "-q", "--bare", stage.hosted.url, "clone"))[0]


def _parts(cost: Cost) -> str:
    told = [cost.steps[name] for name in _STEPS]
    rest = cost.own - sum(cost.steps.values())
    return " / ".join(shown(value) for value in (*told, cost.git, rest))


@contextmanager
def _organisation(notes: int) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory(prefix="dream-figures-") as folder:
        root = Path(folder)
        (root / "hosted").mkdir()
        with serve(root / "hosted") as served:
            stage = stage_of(served, root, memory(notes))
            git(stage.hosted.path, "gc", "--quiet")
            yield stage
