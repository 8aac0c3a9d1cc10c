"""Replay real days as nights and print what they came to: `python -m bench.nights [--dreamer] [--short]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date
from pathlib import Path

from bench.nights.dreamer import Dreaming, Judging
from bench.nights.ends import sum_of
from bench.nights.gate_tables import render_ends, render_sizes
from bench.nights.labels import Score, read_labels, score
from bench.nights.memories import SUBJECTS
from bench.nights.replay import Replay, Script, Told
from bench.nights.scripts import scripts
from bench.nights.sizes import RELATED, asked_over
from bench.nights.spoiling import BY_CODE, PLACES
from bench.nights.tables import render, render_scores
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
    most: int | None = None,
    pages: Path | None = None,
) -> list[Told]:
    """Run every replay, or those called `only`, with its files under `root` and return what they came to.

    `most` is how many days are lived at most; the page of each replay's last night goes into `pages`, if that is given.
    """
    all_scripts = scripts(data, root, seed=seed, short=short, dreaming=dreaming, days=days)
    chosen = [one for one in all_scripts if not only or one.name in only]
    if most is not None:
        chosen = [replace(one, most_nights=min(one.most_nights or most, most)) for one in chosen]
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        return list(pool.map(lambda script: _replay(script, root / script.name, pages), chosen))


def _replay(script: Script, root: Path, pages: Path | None) -> Told:
    (root / "remotes").mkdir(parents=True)
    with serve(root / "remotes") as served:
        replay = Replay(script, served, root)
        told = replay.run()
        if pages:
            replay.write_page(pages)
        return told


def main() -> int:
    """Run the replays and print their tables; 1 if any invariant was violated, or a dreamer got what code must stop."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="nights-") as scratch:
        root = options.keep or Path(scratch)
        if options.sizes:
            return _print_sizes(options.data, root, seed=options.seed)
        if options.dreamer:
            return max(
                _print_dreamt(options, root / judge, judge) for judge in options.judge or ("credulous", "strict")
            )
        told = replay_all(
            options.data,
            root,
            seed=options.seed,
            short=options.short,
            only=options.only,
            at_once=options.at_once,
            most=options.most,
            pages=options.report,
        )
    print(render(told, _scores(told), seed=options.seed))
    return int(any(one.violations for one in told))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.nights", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a few nights of each replay")
    parser.add_argument(
        "--dreamer", action="store_true", help="with a scripted dreamer, over the replays with sessions"
    )
    parser.add_argument("--judge", action="append", choices=("credulous", "strict"), help="only with this judge")
    parser.add_argument("--labelled", action="store_true", help="with --dreamer: only the five labelled days")
    parser.add_argument("--offers", choices=("everything", "honest", "wanted"), default="everything")
    parser.add_argument("--sizes", action="store_true", help="what a day's questions take over memories of three sizes")
    parser.add_argument(
        "--seed", type=int, default=SEED, help="decides what people do, what comes late, what is offered"
    )
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only this replay; repeatable")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="how many replays go on at a time")
    parser.add_argument("--most", type=int, metavar="N", help="only the first N days of each replay")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="write the page of each last night there")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real inputs")
    parser.add_argument("--keep", type=Path, help="an empty folder for everything that is made, which stays")
    return parser.parse_args()


def _print_dreamt(options: argparse.Namespace, root: Path, judge: Judging) -> int:
    dreaming = Dreaming(seed=str(options.seed), judge=judge, offers=options.offers)
    if options.offers != "everything":
        dreaming = replace(dreaming, bad_replies=0)
    told = replay_all(
        options.data,
        root,
        seed=options.seed,
        short=options.short,
        only=options.only,
        at_once=options.at_once,
        dreaming=dreaming,
        days=[day.day for day in read_labels()] if options.labelled else (),
        most=options.most,
        pages=options.report and options.report / judge,
    )
    ends = sum_of(one.ends for one in told if one.ends)
    print(render(told, _scores(told), seed=options.seed))
    print(render_scores(_distilled_scores(told), what="distilled of the day"))
    print(render_ends(ends, judge=judge))
    held = [line for line in ends.bad if line.kind in BY_CODE | PLACES]
    return int(bool(held or ends.unaccounted) or any(one.violations for one in told))


def _print_sizes(data: Path, root: Path, *, seed: int) -> int:
    for name, subjects in (("other things", SUBJECTS), ("what the day is about", RELATED)):
        print(f"Memories about {name}:\n")
        print(render_sizes(asked_over(data, root / name.replace(" ", "-"), seed=seed, subjects=subjects)))
    return 0


def _scores(told: Sequence[Told]) -> list[Score]:
    notes = {(one.name, day): note for one in told for day, note in one.days.items()}
    return [score(day, notes[day.replay, day.day]) for day in read_labels() if (day.replay, day.day) in notes]


def _distilled_scores(told: Sequence[Told]) -> list[Score]:
    """Score what was distilled of each labelled day by the lines that cite one of its threads, in whatever night."""
    found = []
    for day in read_labels():
        lines = [
            line
            for one in told
            if one.name == day.replay
            for text in one.distilled.values()
            for line in text.split("\n")
        ]
        threads = [f"thread_{label.thread}" for label in day.labels]
        cited = "\n".join(line for line in dict.fromkeys(lines) if any(thread in line for thread in threads))
        if any(one.name == day.replay and day.day in one.days for one in told):
            found.append(score(day, cited))
    return found


if __name__ == "__main__":
    sys.exit(main())
