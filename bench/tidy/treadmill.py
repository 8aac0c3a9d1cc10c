"""Sixty real nights over writers who restate what is known: whether the memory comes to rest, and what it costs.

`python -m bench.tidy.treadmill [--nights N] [--facts N] [--offline] [--unseen]`
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import structlog

from bench.tables import render_table
from bench.tidy.restating import MODELS, Fact, TruthfulRuler, fact_in, facts
from dream.memory.notes import Entry, NoteCache, Unreadable
from dream.memory.paths import is_topic
from dream.memory.records import read_records
from dream.memory.tree import MappingTree
from flows.dreaming import build_models
from tasks.tidying.chains import Chains
from tests.support.repositories import Person
from tests.support.served import serve
from tests.support.stage import NIGHT, Stage, stage_of

NEW_NOTES = 0.3
"""How many of the restatements come as a note of their own."""

HEADS = (
    "night", "said so far", "entries", "notes", "facts told", "merged", "longest chain", "most sources", "questions",
    "tokens", "seconds",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The memory after one night, and what the night asked."""

    night: int
    said: int
    entries: int
    notes: int
    told: int
    merged: int
    chain: int
    sources: int
    questions: int
    tokens: int
    seconds: float

    @property
    def row(self) -> Sequence[object]:
        """The cells of a table."""
        return (
            self.night, self.said, self.entries, self.notes, self.told, self.merged, self.chain, self.sources,
            self.questions, self.tokens, round(self.seconds, 1),
        )  # fmt: skip


def run(*, nights: int, count: int, is_offline: bool = False, unseen: bool = False) -> Iterator[Day]:
    """Yield the memory after each of `nights`, in which `count` facts are said again in new words every day.

    `unseen` are words that nobody had in view when it was decided what a judge may rule on.
    """
    with tempfile.TemporaryDirectory(prefix="dream-treadmill-") as folder:
        root = Path(folder)
        (root / "hosted").mkdir()
        with serve(root / "hosted") as served:
            told = facts(count)
            stage = stage_of(served, root, dict(_beginning(told)))
            stage.summarise({})
            stage.extra = {} if is_offline else {"models": MODELS}
            said, dice = 2 * count, random.Random("writers")  # noqa: S311  # dice, no secret
            writer = stage.person("Writer")
            for number in range(nights):
                night = NIGHT + timedelta(days=number)
                said += _write(stage, writer, told, partial(Fact.reworded, dice=dice, unseen=unseen), dice, night=night)
                yield _dream(stage, told, number=number, said=said, is_offline=is_offline)


def _beginning(told: Sequence[Fact]) -> Iterator[tuple[str, bytes]]:
    dice = random.Random("beginning")  # noqa: S311  # dice, no secret
    by_resource: dict[str, list[str]] = {}
    for number, fact in enumerate(told):
        for again in range(2):
            said = fact.said(dice)
            day = f"2026-09-{1 + (number + again) % 28:02}"
            line = f"- {day}: {said} [thread_old{number:03}, {day}]"
            by_resource.setdefault(fact.resource, []).append(line)
    for resource, lines in by_resource.items():
        yield f"services/{resource}.md", f"# {resource}\n\n{chr(10).join(lines)}\n".encode()


def _write(
    stage: Stage, writer: Person, told: Sequence[Fact], say: Callable[[Fact], str], dice: random.Random, *, night: date
) -> int:
    """Commit what the writers of a day say, an entry or a note for each fact; return how many."""
    day = (night - timedelta(days=1)).isoformat()
    standing = stage.files()
    texts: dict[str, str] = {}
    for number, fact in enumerate(told):
        line = f"- {day}: {say(fact)} [thread_{day.replace('-', '')}n{number:03}, {day}]\n"
        path = f"services/{fact.resource}.md"
        if dice.random() < NEW_NOTES:
            texts[f"inbox/{fact.resource}-{fact.attribute}-{day}.md"] = f"# {fact.resource}\n\n{line}"
        else:
            before = texts.get(path) or standing.get(path, f"# {fact.resource}\n\n".encode()).decode()
            texts[path] = f"{before}{line}"
    writer.edit(texts)
    return len(told)


def _dream(stage: Stage, told: Sequence[Fact], *, number: int, said: int, is_offline: bool) -> Day:
    ruler = TruthfulRuler(known=told, seed=f"night {number}")
    began = time.perf_counter()
    night = NIGHT + timedelta(days=number)
    models = build_models if is_offline else ruler.models
    result = stage.dream(night, models=models) if number == 0 else stage.next_night(models=models)
    took = time.perf_counter() - began
    if result.status != "landed":
        message = f"night {night} ended {result.status}: {result.reason}"
        raise RuntimeError(message)
    tree = MappingTree(stage.files())
    entries = list(_entries(tree))
    keys = [entry.key for entry in entries]
    records = read_records(tree)
    chains = Chains(records)
    return Day(
        night=number + 1,
        said=said,
        entries=len(keys),
        notes=sum(map(is_topic, tree.paths())),
        told=len({fact_in(key, told) for key in keys} - {None}),
        merged=sum(effect.kind == "merge" for effect in records[-1].effects),
        sources=max((len(entry.sources) for entry in entries), default=0),
        chain=max((chains.length(key) for key in keys), default=0),
        questions=ruler.questions,
        tokens=ruler.tokens,
        seconds=took,
    )


def _entries(tree: MappingTree) -> Iterator[Entry]:
    for path in filter(is_topic, tree.paths()):
        note = NoteCache().note(tree, path)
        if not isinstance(note, Unreadable):
            yield from note.entries


def shown(days: Sequence[Day]) -> str:
    """Return the days as a table."""
    return render_table(HEADS, (day.row for day in days))


def main(arguments: Sequence[str]) -> None:
    """Print the memory night by night."""
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    parser = argparse.ArgumentParser(prog="bench.tidy.treadmill")
    parser.add_argument("--nights", type=int, default=60)
    parser.add_argument("--facts", type=int, default=100)
    parser.add_argument("--offline", action="store_true")
    parser.add_argument("--unseen", action="store_true", help="words that nobody had in view")
    told = parser.parse_args(arguments)
    days = []
    for day in run(nights=told.nights, count=told.facts, is_offline=told.offline, unseen=told.unseen):
        days.append(day)
        sys.stderr.write(f"{day.row}\n")
    sys.stdout.write(f"{shown(days)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
