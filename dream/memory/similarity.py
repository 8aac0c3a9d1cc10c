"""How alike two statements are, and the specifics that must not differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from dream.memory.specifics import lost_specifics, specifics

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["lost_specifics", "similarity", "specifics", "word_set"]

_NO_BLANKS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"(?P<unspaced>[{_NO_BLANKS}]+)|[^\W_{_NO_BLANKS}]+")
_LONGEST_BY_CHARACTER = 20_000


def similarity(a: str, b: str, *, cutoff: float = 0.0) -> float:
    """Return how alike two comparison keys are, 0 to 1; 0.0 where that is below `cutoff`, which is then faster.

    The share of characters that need not change (indel, rapidfuzz `ratio`), case apart, or that of the same words in
    alphabetical order where it is higher, so that a clause that moved costs nothing. Not the token set ratio: it gives
    1.0 to a statement that contains the other, which is how a hollowed one would pass as revised. In real memories 999
    of 1,000 pairs from different notes are below 0.55, so that 0.6 tells a revision from a coincidence. A changed value
    or a `not` hardly moves it: that is what `specifics` are for. Above 20,000 characters words are compared instead of
    characters, which takes milliseconds where characters take a second.
    """
    if a == b:
        return 1.0
    left, right = a.casefold(), b.casefold()
    if max(len(left), len(right)) > _LONGEST_BY_CHARACTER:
        return Indel.normalized_similarity(left.split(), right.split(), score_cutoff=cutoff)
    best = fuzz.ratio(left, right, score_cutoff=cutoff * 100) / 100
    return max(best, fuzz.token_sort_ratio(left, right, score_cutoff=max(cutoff, best) * 100) / 100)


def word_set(text: str) -> frozenset[str]:
    """Return the words of `text`, case folded; of scripts without blanks between words, the pairs of characters."""
    return frozenset(_words(text.casefold()))


def _words(text: str) -> Iterator[str]:
    for word in _WORD.finditer(text):
        run = word[0]
        if word["unspaced"] is None or len(run) == 1:
            yield run
        else:
            yield from (run[at : at + 2] for at in range(len(run) - 1))
