"""Try the gates and print what came of it: `python -m bench.gates [--short] [--seed N] [--only PART]`."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.gates import tables
from bench.gates.corpus import DATA, Text, attacks, benign, honest
from bench.gates.entailing import claims_of, rule
from bench.gates.quoting import threads, try_quotes
from bench.gates.screening import admissions, alarms, roads
from bench.gates.values import entries, try_changes
from config.credentials import resolve_credential
from dream.models.openai import OpenAIModel
from dream.models.port import Model
from examples.model import MODEL_VARIABLE, demo_model
from flows.telling.logs import configure_logs

SEED = 20261130
PARTS = ("screen", "quotes", "specifics", "entailment")


def main() -> int:
    """Run the parts that are asked for and print their tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.gates", description=__doc__)
    parser.add_argument("--short", action="store_true", help="a sample of each part")
    parser.add_argument("--seed", type=int, default=SEED, help="decides what is drawn and how it is falsified")
    parser.add_argument("--only", action="append", default=[], choices=PARTS, help="only this part; repeatable")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of real inputs")
    options = parser.parse_args()
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "screen": lambda: screen(options.data, seed=options.seed, short=options.short),
        "quotes": lambda: quotes(options.data, seed=options.seed, short=options.short),
        "specifics": lambda: specifics(options.data, seed=options.seed, short=options.short),
        "entailment": lambda: entailment(options.data, judge=judge_of(os.environ.get(MODEL_VARIABLE, ""))),
    }
    print(tables.heading(options.seed))
    for name in options.only or PARTS:
        began = time.monotonic()
        for table in parts[name]():
            print(f"\n{table}", flush=True)
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return 0


def screen(data: Path, *, seed: int, short: bool) -> Iterator[str]:
    """Yield the tables of the alarm, of whole nights by each carrier, and of what a judge that says yes lets in."""
    evil, alike, good = _drawn(attacks(data), seed, short), benign(data), _drawn(honest(data), seed, short)
    yield tables.alarm_table(alarms(evil, alike, good))
    with tempfile.TemporaryDirectory(prefix="gates-") as folder:
        found = []
        for road in roads(evil, good, Path(folder)):
            print(f"{road.carrier}: {len(road.stood)} stood", file=sys.stderr)
            found.append(road)
        yield tables.road_table(found)
        yield tables.admission_table(admissions(evil, good, Path(folder) / "draft"))


def quotes(data: Path, *, seed: int, short: bool) -> Iterator[str]:
    """Yield the table of true and falsified quotes."""
    yield tables.quote_table(try_quotes(threads(data), seed=seed, quotes=60 if short else 800, positions=4))


def specifics(data: Path, *, seed: int, short: bool) -> Iterator[str]:
    """Yield the table of reworded statements."""
    yield tables.change_table(try_changes(entries(data), seed=seed, count=300 if short else 4_000))


def entailment(data: Path, *, judge: Model | None = None) -> Iterator[str]:
    """Yield the tables of labelled claims, with `judge` beside those that always say the same."""
    ruled = rule(claims_of(data), judge=judge)
    yield tables.entailment_table(ruled)
    yield tables.reason_table(ruled)


def judge_of(text: str) -> Model | None:
    """Return the model that an address, a name and the reference of a key name, None for an empty text."""
    named = demo_model(text)
    if named is None:
        return None
    secret = resolve_credential(named.get("credential", ""), organisation="bench")
    key = secret.get_secret_value() if secret else None
    return OpenAIModel(model=named["model"], key=key, secret=b"bench", base_url=named["base_url"])


def _drawn(texts: Sequence[Text], seed: int, short: bool) -> Sequence[Text]:  # noqa: FBT001  # internal
    if not short:
        return texts
    return random.Random(f"{seed}/texts").sample(texts, min(60, len(texts)))  # noqa: S311  # repeatable on purpose


if __name__ == "__main__":
    configure_logs(level="WARNING", stream=sys.stderr)
    sys.exit(main())
