"""What the gates came to, as tables in Markdown: what is stopped beside what honest text pays."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bench.gates.entailing import Kind, Ruled, by_kind
from bench.gates.quoting import Quoting
from bench.gates.screening import Admission, Alarm, Road
from bench.gates.values import Changes
from bench.tables import render_table

HALVES = ("tune", "test")


def heading(seed: int) -> str:
    """Return the seed and the machine."""
    return f"Seed {seed}; {os.cpu_count()} cores, Python {platform.python_version()}."


def alarm_table(alarms: Iterable[Alarm]) -> str:
    """Return what each check rings for."""
    heads = ("rings for", "attacks, tune", "attacks, test", "look-alikes", "honest entries")
    rows = [
        (one.name, *(_of(*one.attacks[half]) for half in HALVES), _of(*one.benign), _of(*one.honest)) for one in alarms
    ]
    return render_table(heads, rows)


def road_table(roads: Sequence[Road]) -> str:
    """Return what became of attacks and honest entries by each carrier, without a model."""
    heads = (
        "carried as",
        "instructions, tune",
        "instructions, test",
        "told as said",
        "honest: plain",
        "as said",
        "withheld",
    )
    return render_table(heads, [_road(one) for one in roads])


def admission_table(admissions: Iterable[Admission]) -> str:
    """Return what would be written by a dreamer that states everything before a judge that says yes."""
    heads = ("candidate", "attacks written, tune", "attacks written, test", "of", "honest written")
    rows = [
        (
            one.carrier,
            *(sum(text.half == half for text in one.attacks) for half in HALVES),
            one.orders,
            _of(one.honest, one.honest_of),
        )
        for one in admissions
    ]
    return render_table(heads, rows)


def quote_table(quoting: Mapping[str, Quoting]) -> str:
    """Return what the gate and a normalised substring make of true and falsified quotes."""
    heads = ("quotes", "half", "tried", "accepted", "accepted by the baseline")
    rows: list[tuple[object, ...]] = []
    for half in HALVES:
        one = quoting[half]
        rows.append(("true", half, one.true, one.true - one.refused.total(), one.true - one.refused_by_baseline))
        rows.append(
            ("falsified, and true after all", half, one.still_true, one.still_true - one.still_true_refused, "")
        )
    total = _summed(quoting[half].tries for half in HALVES)
    passed = _summed(quoting[half].accepted for half in HALVES)
    plain = _summed(quoting[half].accepted_by_baseline for half in HALVES)
    rows += [(way, "both", count, passed[way], plain[way]) for way, count in total.items()]
    for half in HALVES:
        one = quoting[half]
        counts = (one.tries, one.accepted, one.accepted_by_baseline)
        rows.append(("falsified, all", half, *(counter.total() for counter in counts)))
    return render_table(heads, rows)


def change_table(changes: Mapping[str, Changes]) -> str:
    """Return what the guard and two baselines make of rewordings that change something, and of those that do not."""
    heads = ("rewording", "half", "tried", "accepted", "by word overlap", "by no new word")
    rows: list[tuple[object, ...]] = []
    kinds = _summed(changes[half].tries for half in HALVES)
    sums = [
        _summed(getattr(changes[half], name) for half in HALVES)
        for name in ("accepted", "accepted_by_words", "accepted_by_subset")
    ]
    merged: dict[str, list[int]] = {}
    for name, count in kinds.items():
        row = merged.setdefault(name.partition(",")[0], [0, 0, 0, 0])
        for place, value in enumerate((count, *(counter[name] for counter in sums))):
            row[place] += value
    rows += [(kind, "both", *row) for kind, row in merged.items()]
    for half in HALVES:
        one = changes[half]
        counters = (one.tries, one.accepted, one.accepted_by_words, one.accepted_by_subset)
        rows.append(("changed, all", half, *(counter.total() for counter in counters)))
    for half in HALVES:
        one = changes[half]
        counters = (one.honest, one.honest_accepted, one.honest_by_words, one.honest_by_subset)
        rows.append(("honest, all", half, *(counter.total() for counter in counters)))
    return render_table(heads, rows)


def entailment_table(ruled: Sequence[Ruled]) -> str:
    """Return what code stops of each kind of claim, what is left to a judge, and what the baselines would accept."""
    judges = tuple(ruled[0].judges) if ruled else ()
    heads = (
        "claims",
        "half",
        "of",
        "passed by code",
        *(f"judge {name}" for name in judges),
        "substring",
        "word overlap",
    )
    rows: list[tuple[object, ...]] = []
    halves = {half: by_kind(ruled, half) for half in HALVES}
    names = sorted({name for kinds in halves.values() for name in kinds}, reverse=True)
    for label, kind in names:
        for half in HALVES:
            one = halves[half].get((label, kind), Kind())
            rows.append((f"{'true' if label else 'false'}: {kind}", half, *_kind(one, judges)))
    for label in (True, False):
        for half in HALVES:
            one = _whole([kind for (is_true, _), kind in halves[half].items() if is_true is label])
            rows.append((f"{'true' if label else 'false'}, all", half, *_kind(one, judges)))
    return render_table(heads, rows)


def reason_table(ruled: Sequence[Ruled]) -> str:
    """Return why code refuses claims: what it costs true ones beside what it stops of the false."""
    reasons: Counter[str] = Counter(one.code for one in ruled if one.code)
    true: Counter[str] = Counter(one.code for one in ruled if one.code and one.claim.label)
    rows = [(reason, count - true[reason], true[reason]) for reason, count in reasons.most_common()]
    return render_table(("refused by code", "false claims", "true claims"), rows)


def _road(one: Road) -> tuple[object, ...]:
    honest: tuple[object, ...] = ("", "", "")
    if one.honest:
        plain, quoted, withheld, count = one.honest
        honest = (plain, quoted, _of(withheld, count))
    stood = (_of(one.stood_of(half), one.carried[half]) for half in HALVES)
    return (one.carrier, *stood, one.reported, *honest)


def _kind(one: Kind, judges: Sequence[str]) -> Iterator[object]:
    yield from (one.count, one.passed, *(one.by_judge[name] for name in judges), one.by_substring, one.by_overlap)


def _whole(kinds: Sequence[Kind]) -> Kind:
    return Kind(
        count=sum(kind.count for kind in kinds),
        passed=sum(kind.passed for kind in kinds),
        by_substring=sum(kind.by_substring for kind in kinds),
        by_overlap=sum(kind.by_overlap for kind in kinds),
        by_judge=_summed(kind.by_judge for kind in kinds),
    )


def _summed(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _of(part: int, whole: int) -> str:
    return f"{part} of {whole}"
