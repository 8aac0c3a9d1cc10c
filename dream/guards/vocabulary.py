"""The words of a statement that carry its content, in a form in which a plural is no other word."""

from __future__ import annotations

import re

from dream.memory.similarity import word_set

_FUNCTION_WORDS = word_set(
    "a an and are as at be been but by can did do does for from had has have if in into is it its of on or per so than "
    "that the their them then there these they this those to was were which while will with"
)
_ENDINGS = ("ing", "ied", "ies", "ed", "es", "s", "y", "e")
_SHORTEST_STEM = 3
_VALUE = re.compile(r"[-+]?[$€£]?[0-9].{0,200}|v[0-9].{0,60}|true|false|enabled|disabled|[≥≤]", re.DOTALL)
_NEGATION = re.compile(r"not(?: [0-9]+)?")


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the words of `text` without articles, prepositions and the like; negations stay."""
    return frozenset(_stem(word) for word in word_set(text) if word not in _FUNCTION_WORDS)


def is_negation(specific: str) -> bool:
    """Whether a specific says that something is not so."""
    return _NEGATION.fullmatch(specific) is not None


def is_value(specific: str) -> bool:
    """Whether a specific is what something has (a number, a date, a version, yes or no) and not what it is called."""
    return is_negation(specific) or _VALUE.fullmatch(specific) is not None


def _stem(word: str) -> str:
    if not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
