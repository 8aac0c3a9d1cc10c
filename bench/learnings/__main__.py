"""Replay what people taught over real days: `python -m bench.learnings [--short]`.

A scripted dreamer marks and proposes everything that it can, right and wrong. In the first tables judge and reviewer
approve all of it, in the second they approve what is right. With `DREAM_DEMO_MODEL="ADDRESS MODEL [env:KEY]"` that
model is asked instead, and reviews what it proposes itself; what comes of it is written into a memory that is made for
the replay and thrown away with it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from bench.learnings.dreaming import reviewed_by_itself
from bench.learnings.mind import MODELS, Minding, Ruling
from bench.learnings.planted import Planted
from bench.learnings.replay import Replay, Script, Told
from bench.learnings.tables import render
from bench.nights.sessions import Shelf, claude_code, specstory
from examples.model import MODEL_VARIABLE, demo_model
from tests.support.served import serve

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SEED = 20260804
SPECSTORY = "specstoryai__getspecstory"
PACKMIND = "PackmindHub__context-evaluator"
_SHORT: Mapping[str, tuple[date, int]] = {"specstory": (date(2026, 2, 20), 5), "packmind": (date(2026, 2, 3), 5)}


def scripts(
    data: Path,
    root: Path,
    *,
    seed: int,
    minding: Minding | None,
    models: Mapping[str, Any] = MODELS,
    short: bool = False,
) -> Iterator[Script]:
    """Yield the replays over the real sessions in `data`; what they lay for the nights is laid under `root`."""
    for name, kind, found in (
        ("specstory", "specstory", specstory(data / "transcripts" / SPECSTORY)),
        ("packmind", "claude-code", claude_code(data / "transcripts" / PACKMIND)),
    ):
        transcripts = tuple(found)
        if short:
            transcripts = tuple(one for one in transcripts if one.ended.date() >= _SHORT[name][0])
        shelf = Shelf(
            kind=kind,  # type: ignore[arg-type]
            folder=root / name / "sessions",
            transcripts=transcripts,
            seed=f"{seed}/{name}",
        )
        yield Script(
            name=name,
            shelf=shelf,
            planted=Planted(days=tuple(shelf.days), at=0 if short else 2) if minding else None,
            minding=minding and replace(minding, seed=f"{minding.seed}/{name}"),
            models=models,
            most_nights=_SHORT[name][1] if short else None,
            forked=short,
        )


def replay_all(chosen: Sequence[Script], root: Path, *, at_once: int = 2) -> list[Told]:
    """Run the replays with their files under `root` and return what they came to."""
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        return list(pool.map(lambda script: _replay(script, root / script.name), chosen))


def _replay(script: Script, root: Path) -> Told:
    (root / "remotes").mkdir(parents=True)
    with serve(root / "remotes") as served:
        return Replay(script, served, root).run()


def main() -> int:
    """Run the replays and print their tables; 1 if anything false was written that code must stop, or lacks an end."""
    options = _options()
    model = demo_model(os.environ.get(MODEL_VARIABLE, ""))
    with tempfile.TemporaryDirectory(prefix="learnings-") as scratch:
        if model:
            told = _run(options, Path(scratch), None, reviewed_by_itself(model))
            print(render(told, ruling=f"real ({model['model']})", seed=options.seed))
            return 0
        worst = 0
        for ruling in options.ruling or ("credulous", "strict"):
            minding = Minding(seed=str(options.seed), ruling=ruling)
            told = _run(options, Path(scratch) / ruling, minding, MODELS)
            print(render(told, ruling=ruling, seed=options.seed))
            worst = max(worst, *(_is_bad(one, ruling) for one in told))
    return worst


def _run(options: argparse.Namespace, root: Path, minding: Minding | None, models: Mapping[str, Any]) -> list[Told]:
    found = scripts(options.data, root, seed=options.seed, minding=minding, models=models, short=options.short)
    chosen = [one for one in found if not options.only or one.name in options.only]
    return replay_all(chosen, root, at_once=options.at_once)


def _is_bad(told: Told, ruling: Ruling) -> bool:
    ends = told.ends
    written = ends.held_by_code if ruling == "credulous" else ends.written
    return bool(written or ends.remembered or ends.unaccounted or (ruling == "strict" and told.faults))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.learnings", description=__doc__)
    parser.add_argument("--short", action="store_true", help="five nights of each replay")
    parser.add_argument("--ruling", action="append", choices=("credulous", "strict"), help="only with this reviewer")
    parser.add_argument("--seed", type=int, default=SEED, help="decides what comes late and what is offered")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this replay; repeatable")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="how many replays go on at a time")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real inputs")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
