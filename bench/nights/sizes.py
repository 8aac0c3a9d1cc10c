"""One real day over memories of several sizes: what its questions take must not grow with the memory."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

from bench.nights.dreamer import Dreaming
from bench.nights.dreaming import LOG
from bench.nights.memories import SUBJECTS, invented
from bench.nights.replay import Replay, Script
from bench.nights.scripts import SPECSTORY
from bench.nights.sessions import Shelf, specstory
from tests.support.served import serve

SIZES = (10, 1_000, 10_000)
DAY = date(2026, 2, 20)
RELATED = ("watch", "sync", "provider", "session", "markdown", "cursor", "claude", "table", "summary", "linter")
"""What the sessions of that day are about, so that every note of a memory about these is akin to them."""


def asked_over(
    data: Path, root: Path, *, seed: int, sizes: Sequence[int] = SIZES, subjects: Sequence[str] = SUBJECTS
) -> Mapping[int, Mapping[str, tuple[int, int]]]:
    """Dream one night of real sessions over invented memories of `sizes` notes about `subjects`.

    Returns questions and their characters, by size and by who asked. The dreamer offers only what is honest, so that
    what it says hardly depends on what it is shown of the memory.
    """
    return {
        notes: _asked(
            data, root / str(notes), seed=seed, memory=invented(f"{seed}/sizes", notes=notes, subjects=subjects)
        )
        for notes in sizes
    }


def _asked(data: Path, root: Path, *, seed: int, memory: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    (root / "remotes").mkdir(parents=True)
    shelf = Shelf(
        kind="specstory",
        folder=root / "sessions",
        transcripts=tuple(specstory(data / "transcripts" / SPECSTORY)),
        seed=f"{seed}/sizes",
    )
    script = Script(
        name="sizes",
        memory=memory,
        seed=f"{seed}/sizes",
        shelf=shelf,
        dreaming=Dreaming(seed=str(seed), offers="honest", bad_replies=0),
        only=frozenset({DAY}),
        forked=True,
    )
    with serve(root / "remotes") as served:
        told = Replay(script, served, root).run()
    if told.violations:
        raise RuntimeError(str(told.violations))
    found: dict[str, tuple[int, int]] = {}
    for line in (root / "home" / LOG).read_text(encoding="utf-8").split("\n"):
        event = json.loads(line) if line else {}
        if event.get("event") == "asked":
            questions, characters = found.get(event["task"], (0, 0))
            found[event["task"]] = (questions + 1, characters + event["characters"])
    return found
