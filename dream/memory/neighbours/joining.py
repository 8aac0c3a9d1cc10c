"""Pairs of sets of words that have much in common, found without comparing each with each. Pure.

Two sets whose Jaccard is at least `alike` share two of the first `n - ceil(alike * n) + 2` of the `n` words of either,
in any order of all words (prefix filtering, Chaudhuri et al. 2006; with two words, AdaptJoin, Wang et al. 2012). Which
order that is plays no part in what is found, only in how fast: the rarest come first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil

FEWEST_WORDS = 3
"""Sets of fewer words say too little to be compared."""

_SHARED = 2
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinLimits:
    """How much is compared: `block` sets that share two words each with each, `comparisons` in all.

    Where more share two words, or all comparisons are used up, each is compared with the `window` that follow it in the
    order of their words: so many alike are a template. A word that more than `common` sets hold finds none, and nothing
    is listed of more than `holding` sets.
    """

    block: int = 64
    window: int = 8
    comparisons: int = 5_000_000
    common: int = 5_000
    holding: int = 400


@dataclass(slots=True)
class Joined:
    """Pairs of the numbers of sets, smaller first, each with its Jaccard, and how many blocks were cut short."""

    pairs: dict[tuple[int, int], float]
    cut: int = 0


def jaccard(one: frozenset[int] | set[int], other: frozenset[int] | set[int]) -> float:
    """Return the share of words that two sets have in common, 0 to 1."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


def rarest(words: frozenset[int], *, alike: float, counts: Sequence[int]) -> list[int]:
    """Return those of `words`, rarest first, of which a set that is alike holds at least two."""
    return sorted(words, key=lambda word: (counts[word], word))[: _prefix(len(words), alike)]


def join(sets: Sequence[frozenset[int]], *, alike: float, limits: JoinLimits) -> Joined:
    """Return all pairs of `sets` whose Jaccard is at least `alike` (from 0.3 on).

    Of equal sets the first stands for all, and the others are paired with it alone.
    """
    joined = Joined({})
    first: dict[frozenset[int], int] = {}
    for number, words in enumerate(sets):
        if len(words) >= FEWEST_WORDS and first.setdefault(words, number) != number:
            joined.pairs[first[words], number] = 1.0
    left = limits.comparisons
    sizes, least = [len(words) for words in sets], alike / (1 + alike)
    for block in _blocks(first, alike):
        is_whole = len(block) <= limits.block and left > 0
        joined.cut += not is_whole
        reach = len(block) if is_whole else limits.window
        for at, one in enumerate(block):
            words, size = sets[one], sizes[one]
            left -= min(len(block) - at, reach)
            for other in block[at + 1 : at + 1 + reach]:
                both = size + sizes[other]
                common = len(words & sets[other]) if alike * max(size, sizes[other]) <= min(size, sizes[other]) else 0
                if common + _ROUNDING >= least * both:
                    joined.pairs[min(one, other), max(one, other)] = common / (both - common)
    return joined


def _blocks(first: Mapping[frozenset[int], int], alike: float) -> Iterator[list[int]]:
    """Yield the numbers of the sets that share two rare words, for every two, rare ones first."""
    counts = Counter(chain.from_iterable(first))
    rank = {word: place for place, word in enumerate(sorted(counts, key=lambda word: (counts[word], word)))}
    heads = {number: _head(words, rank, alike) for words, number in first.items()}
    holding: list[list[int]] = [[] for _ in rank]
    for number in sorted(heads, key=heads.__getitem__):
        for place in heads[number][:-1]:
            holding[place].append(number)
    for place, held in enumerate(holding):
        if len(held) > 1:
            yield from _shared_with(place, held, heads)
        holding[place] = []


def _head(words: frozenset[int], rank: Mapping[int, int], alike: float) -> list[int]:
    return sorted(map(rank.__getitem__, words))[: _prefix(len(words), alike)]


def _shared_with(place: int, held: Sequence[int], heads: Mapping[int, Sequence[int]]) -> Iterator[list[int]]:
    """Yield those of `held`, which have the word at `place`, that have one more word in common."""
    rests = [head[head.index(place) + 1 :] for head in map(heads.__getitem__, held)]
    twice = {word for word, count in Counter(chain.from_iterable(rests)).items() if count > 1}
    blocks: dict[int, list[int]] = defaultdict(list)
    if twice:
        for number, rest in zip(held, rests, strict=True):
            for word in twice.intersection(rest):
                blocks[word].append(number)
    yield from (blocks[word] for word in sorted(blocks))


def _prefix(size: int, alike: float) -> int:
    return size - ceil(alike * size - _ROUNDING) + _SHARED
