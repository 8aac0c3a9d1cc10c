"""What nomination makes of pairs whose relation is known, beside a measure of likeness alone."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rapidfuzz import fuzz

from bench.tidy.corpus import Pair, Relation
from dream.memory.neighbours.alike import Neighbours
from dream.memory.notes import NoteCache
from dream.memory.tree import MappingTree
from tasks.tidying.nominating.tonight import nominate
from tasks.tidying.nominations import Matter

HEADS = ("relation", "pairs", "as duplicate", "as contradiction", "not", "token_set_ratio", "wordllama")
Measure = Callable[[str, str], float]
_WANTED = frozenset(Relation) - {Relation.UNRELATED}


def rows(pairs: Sequence[Pair]) -> list[tuple[object, ...]]:
    """Return a row for each relation: how its pairs were nominated, and how many a threshold would have taken."""
    matters = nominated(pairs)
    taken = [by_threshold(pairs, token_set_ratio), by_threshold(pairs, measure) if (measure := wordllama()) else None]
    found: list[tuple[object, ...]] = []
    for relation in Relation:
        places = [place for place, pair in enumerate(pairs) if pair.relation is relation]
        counts = Counter(matters.get(place) for place in places)
        beside = [sum(place in one for place in places) if one is not None else "" for one in taken]
        found.append(
            (relation, len(places), counts[Matter.DUPLICATE], counts[Matter.CONTRADICTION], counts[None], *beside)
        )
    return found


def nominated(pairs: Sequence[Pair]) -> Mapping[int, Matter]:
    """Return as what each pair is nominated in a memory of all of them; half of them stand in one note, half in two.

    Every pair is about a thing of its own that both its statements name, as statements of a memory do, so that what is
    measured is how likeness is found and not how things are told apart.
    """
    files: dict[str, list[str]] = {}
    where: dict[tuple[str, str], int] = {}
    for place, pair in enumerate(pairs):
        here = f"services/{thing(place)}.md"
        there = here if place % 2 else f"inbox/{thing(place)}.md"
        files.setdefault(here, []).append(pair.one)
        files.setdefault(there, []).append(pair.other)
    text = {
        path: f"# {Path(path).stem}\n\n" + "".join(f"- {Path(path).stem}: {line}\n" for line in lines)
        for path, lines in files.items()
    }
    for place, pair in enumerate(pairs):
        where[pair.one, pair.other] = place
    tree = MappingTree({path: written.encode() for path, written in text.items()})
    notes, neighbours = NoteCache(), Neighbours()
    neighbours.take(tree, notes, tree.paths())
    found: dict[int, Matter] = {}
    for one in nominate(tree, notes, neighbours, changed=None, most=len(pairs) * 10):
        if len(one.places) > 1 and one.matter in {Matter.DUPLICATE, Matter.CONTRADICTION}:
            stems = {Path(place.path).stem for place in one.places}
            if len(stems) == 1:
                found.setdefault(int(stems.pop().rpartition("-")[2], 26) - _FIRST, one.matter)
    return found


_FIRST = 26**3


def thing(place: int) -> str:
    """Return what a pair is about: a name in letters alone, so that no number of it is anybody's value."""
    number, letters = place + _FIRST, ""
    while number:
        number, digit = divmod(number, 26)
        letters = "0123456789abcdefghijklmnop"[digit] + letters
    return f"unit-{letters}"


def token_set_ratio(one: str, other: str) -> float:
    """Return how alike rapidfuzz takes two statements to be, 0 to 1."""
    return fuzz.token_set_ratio(one.casefold(), other.casefold()) / 100


def wordllama() -> Measure | None:
    """Return the likeness of wordllama's embeddings, None where it is not installed: it is no dependency."""
    try:
        package = importlib.import_module("wordllama")
    except ImportError:
        return None
    model = package.WordLlama.load(cache_dir=str(Path(package.__file__ or "").parent), disable_download=True)
    return lambda one, other: float(model.similarity(one, other))


def by_threshold(pairs: Sequence[Pair], measure: Measure) -> frozenset[int]:
    """Return the pairs that a measure takes for related at the threshold that is best for it on these very pairs."""
    scores = [measure(pair.one, pair.other) for pair in pairs]
    right = [pair.relation in _WANTED for pair in pairs]
    best = max(
        sorted(set(scores)),
        key=lambda cut: sum((score >= cut) == is_right for score, is_right in zip(scores, right, strict=True)),
    )
    return frozenset(place for place, score in enumerate(scores) if score >= best)
