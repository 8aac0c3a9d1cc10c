"""What a scripted dreamer's nights came to, as tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bench.nights.ends import NOT_RULED, WRITTEN, Ends
from bench.nights.spoiling import BY_CODE, JUDGED, PLACES
from bench.tables import render_table

_MOST_REASONS = 4


def render_ends(told: Ends, *, judge: str) -> str:
    """Return the tables of one judge's nights: by kind, by gate, what is bad and was written, replies, tokens."""
    return "\n\n".join(_parts(told, judge))


def _parts(told: Ends, judge: str) -> Iterator[str]:
    written = sum(number for (_, _, end), number in told.ends.items() if end == WRITTEN)
    yield (
        f"With a {judge} judge: {told.offered} offers, {written} written, {len(told.bad)} of these bad, "
        f"{len(told.unaccounted)} without an end."
    )
    heads = ("offered", "held by", "offers", "ruled on", "written", "bad and written", "why not, most often")
    yield render_table(heads, _by_kind(told))
    yield render_table(("refused by", "good offers", "bad offers"), _by_gate(told))
    yield render_table(("asked", "questions", "answered badly", "longest question, characters"), _replies(told))
    yield render_table(
        ("tokens a night", "nights", "questions", "in, mean", "in, most", "out, mean", "out, most"), _tokens(told)
    )
    for line in told.bad:
        yield f"- bad and written by {line.task} on {line.night}, {line.kind}: {line.statement}"
    for what in told.unaccounted:
        yield f"- no end: {what}"


def _by_kind(told: Ends) -> Iterator[tuple[object, ...]]:
    ends: dict[str, Counter[str]] = {}
    for (_, kind, end), number in told.ends.items():
        ends.setdefault(kind, Counter())[end] += number
    bad = Counter(line.kind for line in told.bad)
    for kind, counts in sorted(ends.items(), key=lambda item: (_rank(item[0], told), item[0])):
        ruled = counts.total() - sum(counts[end] for end in NOT_RULED)
        reasons = [(end, number) for end, number in counts.most_common() if end not in {WRITTEN, *NOT_RULED}]
        why = ", ".join(f"{end} {number}" for end, number in reasons[:_MOST_REASONS])
        yield kind, _holder(kind, told), counts.total(), ruled, counts[WRITTEN], bad[kind], why


def _holder(kind: str, told: Ends) -> str:
    if kind in told.good:
        return ""
    return "code" if kind in BY_CODE else "its place" if kind in PLACES else "the judge"


def _rank(kind: str, told: Ends) -> int:
    return ("", "code", "its place", "the judge").index(_holder(kind, told)) + (kind in JUDGED)


def _by_gate(told: Ends) -> Iterator[tuple[object, ...]]:
    good: Counter[str] = Counter()
    bad: Counter[str] = Counter()
    for (_, kind, end), number in told.ends.items():
        (good if kind in told.good else bad)[end] += number
    for end, _ in (good + bad).most_common():
        if end != WRITTEN:
            yield end, good[end], bad[end]


def _replies(told: Ends) -> Iterator[tuple[object, ...]]:
    for task in sorted({task for task, _ in told.replies}):
        counts = {how: number for (name, how), number in told.replies.items() if name == task}
        badly = ", ".join(f"{how} {number}" for how, number in sorted(counts.items()) if how != "answered")
        yield task, sum(counts.values()), badly or "none", told.longest[task]


def _tokens(told: Ends) -> Iterator[tuple[object, ...]]:
    rows: dict[str, list[tuple[int, int, int]]] = {}
    for (_, task, role), spent in told.tokens.items():
        rows.setdefault(f"{task}, {role}", []).append(spent)
    for name, some in sorted(rows.items()):
        yield name, len(some), *_summed(some)


def _summed(spent: Sequence[tuple[int, int, int]]) -> tuple[int, ...]:
    asked, taken, given = (list(column) for column in zip(*spent, strict=True))
    nights = len(spent)
    return sum(asked), sum(taken) // nights, max(taken), sum(given) // nights, max(given)


def render_sizes(sizes: Mapping[int, Mapping[str, tuple[int, int]]]) -> str:
    """Return questions and characters asked by each task over memories of so many notes, beside the smallest's."""
    smallest = min(sizes)
    rows = [
        (notes, task, questions, characters, f"{100 * characters / sizes[smallest][task][1] - 100:+.1f} %")
        for notes, tasks in sorted(sizes.items())
        for task, (questions, characters) in sorted(tasks.items())
    ]
    heads = ("notes", "asked by", "questions", "characters asked", f"against {smallest} notes")
    return render_table(heads, rows)
