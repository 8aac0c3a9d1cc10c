"""What the replays came to, as tables in Markdown."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterator, Sequence

from bench.nights.labels import Score, sum_of
from bench.nights.replay import Told, total
from bench.tables import render_table

_HEADS = (
    "replay",
    "nights",
    "sessions",
    "people's commits",
    "nightly commits",
    "written",
    "not written",
    "pending",
    "notes, statements lost",
    "index lines",
    "index bytes",
    "CPU s",
    "peak MB",
    "violations",
)


def render(told: Sequence[Told], scores: Sequence[Score], *, seed: int) -> str:
    """Return all tables, with the seed and the machine that they were made with."""
    return "\n\n".join(_parts(told, scores, seed=seed))


def _parts(told: Sequence[Told], scores: Sequence[Score], *, seed: int) -> Iterator[str]:
    yield f"Seed {seed}; {os.cpu_count()} cores, Python {platform.python_version()}."
    whole = total(told)
    yield render_table(_HEADS, [_row(one) for one in (*told, whole)])
    yield render_table(
        ("not written, by reason", "inputs", "refused, by reason", "operations"),
        _side_by_side(whole.not_written, whole.refused),
    )
    yield render_table(("between the nights", "times", "runs ended", "times"), _side_by_side(whole.did, whole.statuses))
    if scores:
        yield render_scores(scores, what="labelled day")
    for violation in whole.violations:
        yield f"- violation of {violation.invariant}: {violation.what}"


def render_scores(scores: Sequence[Score], *, what: str) -> str:
    """Return recall and precision of `what` was written, by day and in all."""
    heads = (what, "replay", "labels told", "recall", "lines wanted", "precision", "told by kind")
    return render_table(heads, [_score(one) for one in (*scores, sum_of(scores))])


def _row(one: Told) -> tuple[object, ...]:
    return (
        one.name,
        one.nights,
        one.sessions,
        one.people_commits,
        one.commits,
        one.written,
        one.not_written.total(),
        one.pending,
        f"{one.lost_notes}, {one.lost_statements}",
        one.index_lines,
        one.index_bytes,
        f"{one.cpu_seconds:.1f}",
        f"{one.peak_mb:.0f}",
        len(one.violations),
    )


def _score(one: Score) -> tuple[object, ...]:
    kinds = ", ".join(f"{kind} {told}/{count}" for kind, (told, count) in one.by_kind.items())
    return (
        "all" if one.replay == "all" else one.day.isoformat(),
        one.replay,
        f"{one.told}/{one.labels}",
        one.told / max(one.labels, 1),
        f"{one.wanted}/{one.lines}",
        one.wanted / max(one.lines, 1),
        kinds,
    )


def _side_by_side(left: Counter[str], right: Counter[str]) -> list[tuple[object, ...]]:
    rows = max(len(left), len(right))
    columns = [[*counter.most_common(), *[("", "")] * (rows - len(counter))] for counter in (left, right)]
    return [(*one, *other) for one, other in zip(*columns, strict=True)]
