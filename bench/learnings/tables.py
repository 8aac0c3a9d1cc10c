"""What the replays came to, as tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from bench.learnings.ends import WRITTEN, Ends
from bench.learnings.offers import HOSTILE_NAME, JUDGED, TRUE_MARKS, TRUE_PROPOSALS
from bench.learnings.replay import Told
from bench.tables import render_table

_MOST_REASONS = 4
_REPLAYED = (
    "replay",
    "nights",
    "sessions",
    "learnings",
    "new a night, most",
    "trigger tokens, median",
    "trigger tokens, most",
    "broken files",
    "taken back or rewritten",
    "brought back",
    "faults",
    "CPU s a night, mean",
)


def render(told: Sequence[Told], *, ruling: str, seed: int) -> str:
    """Return the tables of all replays under one judge and reviewer."""
    return "\n\n".join(_parts(told, ruling, seed))


def sum_of(all_ends: Iterable[Ends]) -> Ends:
    """Return the ends of several replays as one."""
    whole = Ends()
    for one in all_ends:
        whole.marks += one.marks
        whole.proposals += one.proposals
        whole.remembered += one.remembered
        whole.written += one.written
        whole.unaccounted += one.unaccounted
        whole.revised += one.revised
    return whole


def _parts(told: Sequence[Told], ruling: str, seed: int) -> Iterator[str]:
    ends = sum_of(one.ends for one in told)
    yield (
        f"With a {ruling} judge and reviewer (seed {seed}): {ends.marks.total()} stretches marked, "
        f"{ends.proposals.total()} candidates proposed, {len(ends.unaccounted)} without an end or counted otherwise, "
        f"{ends.revised} revised, {len(ends.remembered)} stretches remembered that nobody typed, "
        f"{len(ends.written)} wrong candidates written, {len(ends.held_by_code)} of them code's to stop."
    )
    yield render_table(("marked", "stretches", "remembered", "why not, most often"), _rows(ends.marks, "observed"))
    heads = ("proposed", "held by", "candidates", "written", "why not, most often")
    yield render_table(heads, _proposed(ends))
    yield render_table(("candidates refused by", "right", "wrong"), _reasons(ends))
    yield render_table(_REPLAYED, (_replayed(one) for one in told))
    yield render_table(("replay", "night", "observations", "bytes of state"), _growth(told))
    for one in told:
        for fault, night in one.faults.items():
            yield f"- {one.name}, first on {night}: {fault}"
    for kind, text in ends.written:
        yield f"- wrong and written, {kind}: {text[:300]}"
    for text in ends.remembered:
        yield f"- remembered, but nobody typed it: {text[:200]!r}"
    for what in ends.unaccounted:
        yield f"- no end: {what}"


def _rows(counts: Counter[tuple[str, str]], good: str) -> Iterator[tuple[object, ...]]:
    ends: dict[str, Counter[str]] = {}
    for (kind, end), number in counts.items():
        ends.setdefault(kind, Counter())[end] += number
    for kind, some in sorted(ends.items(), key=lambda item: (item[0] not in TRUE_MARKS, item[0])):
        reasons = [f"{end} {number}" for end, number in some.most_common() if end != good]
        yield kind, some.total(), some[good], ", ".join(reasons[:_MOST_REASONS])


def _proposed(told: Ends) -> Iterator[tuple[object, ...]]:
    rows = {row[0]: row[1:] for row in _rows(told.proposals, WRITTEN)}
    for kind in sorted(rows, key=lambda kind: (kind not in TRUE_PROPOSALS, kind in JUDGED, kind)):
        holder = {HOSTILE_NAME: "its place"}.get(str(kind), "the judge" if kind in JUDGED else "code")
        holder = "" if kind in TRUE_PROPOSALS else holder
        yield kind, holder, *rows[str(kind)]


def _reasons(told: Ends) -> Iterator[tuple[object, ...]]:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for (kind, end), number in told.proposals.items():
        (right if kind in TRUE_PROPOSALS else wrong)[end] += number
    for end, _ in (right + wrong).most_common():
        if end != WRITTEN:
            yield end, right[end], wrong[end]


def _replayed(one: Told) -> tuple[object, ...]:
    tokens = [learning.tokens for learning in one.learnings.values()]
    nights = len(one.nights) or 1
    return (
        one.name,
        len(one.nights),
        one.sessions,
        len(one.learnings),
        max((night.new for night in one.nights), default=0),
        median(tokens) if tokens else 0,
        max(tokens, default=0),
        sum(bool(learning.findings) for learning in one.learnings.values()),
        len(one.taken_back),
        sum("brought back" in fault for fault in one.faults),
        len(one.faults),
        sum(night.cpu_seconds for night in one.nights) / nights,
    )


def _growth(told: Sequence[Told]) -> Iterator[tuple[object, ...]]:
    for one in told:
        places = sorted({0, len(one.nights) // 4, len(one.nights) // 2, 3 * len(one.nights) // 4, len(one.nights) - 1})
        for place in places:
            if 0 <= place < len(one.nights):
                night = one.nights[place]
                yield one.name, f"{place + 1}: {night.night}", night.observations, night.observation_bytes
