"""How far two ways of naming the ends of pull requests agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from bench.outcomes.labels import Label
from bench.tables import render_table

Pair = tuple[Label, Label]
"""What a pull request is called by whoever is believed, and by whom that is measured."""


def scores(pairs: Sequence[Pair]) -> str:
    """Return precision and recall of each class, with what went into them."""
    counts = Counter(pairs)
    rows = []
    for label in Label:
        right = counts[label, label]
        labelled = sum(number for (truth, _), number in counts.items() if truth is label)
        given = sum(number for (_, said), number in counts.items() if said is label)
        rows.append((label, labelled, given, right, _share(right, given), _share(right, labelled)))
    return render_table(("class", "labelled", "given", "both", "precision", "recall"), rows)


def by_change(outcomes: Iterable[tuple[str, Pair]]) -> str:
    """Return, for each change that was made to real records, in how many of them the class followed."""
    made: Counter[str] = Counter()
    followed: Counter[str] = Counter()
    for change, (truth, said) in outcomes:
        made[change] += 1
        followed[change] += truth is said
    return render_table(("change", "records", "class as it follows"), [(one, made[one], followed[one]) for one in made])


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"
