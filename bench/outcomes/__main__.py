"""`python -m bench.outcomes`: what became of real pull requests, beside labels made by hand. Nothing is asserted."""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from bench.outcomes.labels import DATA, DERIVED, OF_FATE, Label, Labelled, read_labels, read_raw
from bench.outcomes.tables import Pair, by_change, scores
from bench.outcomes.teaching import taught
from bench.outcomes.variants import variants
from bench.tables import render_table
from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.classification import classify
from dream.sources.pull_requests.records import read_record
from dream.sources.pull_requests.values import Classification, SkippedRecord


def main(arguments: list[str]) -> int:
    """Print how code and hand agree; exits 0 whatever comes of it."""
    parser = argparse.ArgumentParser(prog="python -m bench.outcomes", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, help="where recorded pull requests are")
    asked = parser.parse_args(arguments)
    if not asked.folder.is_dir():
        parser.error(f"{asked.folder} is not here")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    records, labels = read_raw(asked.folder), read_labels()
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    print(f"{now}, Python {platform.python_version()}, {os.cpu_count()} cores. No seed: nothing is drawn by chance.")
    for part in (
        _by_hand(labels, records),
        _derived(labels, records),
        _varied(labels, records),
        f"### What {len(records)} records teach in one night\n\n{taught(records.values())}",
        _closed_by_systems(labels, records),
    ):
        print(f"\n{part}")
    return 0


def classified(record: Mapping[str, Any]) -> Classification:
    """Return what the product calls the end of a record, all of which it can read."""
    read = read_record("record", record)
    assert not isinstance(read, SkippedRecord), read.reason
    return classify(read, KNOWN_AGENTS)


def _by_hand(labels: Sequence[Labelled], records: Mapping[str, Mapping[str, Any]]) -> str:
    pairs: list[Pair] = []
    apart = []
    for one in labels:
        said = classified(records[one.source])
        pairs.append((one.label, OF_FATE[said.fate]))
        if OF_FATE[said.fate] is not one.label:
            apart.append((one.source, one.label, one.why, OF_FATE[said.fate], said.reason))
    told = render_table(("pull request", "by hand", "why", "by code", "why"), apart) if apart else "They agree on all."
    return f"### Against {len(labels)} labels made by hand\n\n{scores(pairs)}\n\n{told}"


def _derived(labels: Sequence[Labelled], records: Mapping[str, Mapping[str, Any]]) -> str:
    """Say where code and the labels that came with the records differ; of those read by hand, with whom hand agrees."""
    by_hand = {one.source: one.label for one in labels}
    pairs: list[Pair] = []
    apart = []
    for source, record in records.items():
        said = classified(record)
        given, ours = DERIVED[record["_derived"]["category"]], OF_FATE[said.fate]
        pairs.append((given, ours))
        if given is not ours:
            hand: Label | str = by_hand.get(source, "")
            apart.append((source, given, ours, said.reason, hand))
    heads = ("pull request", "with the record", "by code", "why", "by hand")
    title = f"### Against the labels that came with {len(records)} records"
    return f"{title}\n\n{scores(pairs)}\n\n{render_table(heads, apart)}"


def _varied(labels: tuple[Labelled, ...], records: dict[str, dict[str, Any]]) -> str:
    outcomes = [(one.change, (one.label, OF_FATE[classified(one.record).fate])) for one in variants(labels, records)]
    return f"### {len(outcomes)} real records with one thing changed\n\n{by_change(outcomes)}"


def _closed_by_systems(labels: tuple[Labelled, ...], records: dict[str, dict[str, Any]]) -> str:
    """Say what those teach that a person closed, as if a bot had done it: nothing but who closed them is changed."""
    made = [one.record for one in variants(labels, records) if one.change == "a stale bot closed it"]
    return f"### What {len(made)} closed ones would teach if a bot had closed them\n\n{taught(made)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
