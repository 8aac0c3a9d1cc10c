"""How alike two statements are, and the specifics that must not differ."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

_WORD = re.compile(r"\w+")


def similarity(a: str, b: str, *, cutoff: float = 0.0) -> float:
    """Return how alike two comparison keys are, 0 to 1; 0 where that is below `cutoff`."""
    if a == b:
        return 1.0
    return fuzz.token_sort_ratio(a.casefold(), b.casefold(), score_cutoff=cutoff * 100) / 100


def specifics(text: str) -> frozenset[str]:
    """Return what of `text` a rewording must keep: numbers, paths, links, code, identifiers, versions, negations."""
    return frozenset(re.findall(r"[0-9]+(?:[.,][0-9]+)*|`[^`]*`|\S*[/_]\S*", text))


def word_set(text: str) -> frozenset[str]:
    """Return the words of `text`, case folded."""
    return frozenset(_WORD.findall(text.casefold()))
