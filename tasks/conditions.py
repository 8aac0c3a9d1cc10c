"""Under which conditions people said a thing, and in which order: neither may get lost on the way to a rule."""

from __future__ import annotations

import re

from dream.guards.vocabulary import content_words

_SENTENCE = re.compile(r"(?<=[.!?])\s+|[\n;]")
_CLAUSE = re.compile(r"[,:()\u2014]|\s-\s|[.!?](?=\s|\Z)")
_TURNING = re.compile(r"\b(before|after|instead of|rather than|in favou?r of|over|than)\b", re.IGNORECASE)
_CONDITION = re.compile(r"\b(only|if|unless|except|until|when|while)\b", re.IGNORECASE)
_SELDOM = re.compile(
    r"\b(sometimes|occasionally|usually|mostly|rarely|seldom|often|maybe|perhaps|at times)\b", re.IGNORECASE
)
_NEXT = re.compile(
    r"\b(?:when|while|if|unless|until|before|after|instead|rather|in|for|on|at|with|and|or|so)\b", re.IGNORECASE
)
_POLITE = content_words("possible needed necessary like want wish please mind time you can could may")
_HALF = 0.5


def is_turned_round(text: str, said: str) -> bool:
    """Whether `text` puts something else than `said` behind every `before`, `after` or `instead of` that both have."""
    for turn, after in _turns(text).items():
        heard = _turns(said).get(turn)
        if heard and after and not any(one & other for one in heard for other in after):
            return True
    return False


def dropped_condition(text: str, said: str) -> str:
    """Return a word by which `said` holds for some cases alone, where `text` is without that; empty where it is not.

    Of what was said the sentences count that have most in common with `text`. A condition stands in `text` where half
    of its words do; `if possible` is none.
    """
    wanted = content_words(text)
    for sentence in _nearest(said, wanted):
        for found in _SELDOM.finditer(sentence):
            if found[1].casefold() not in text.casefold():
                return found[1].casefold()
        for found in _CONDITION.finditer(sentence):
            clause = _CLAUSE.split(sentence[found.end() :], maxsplit=1)[0]
            words = content_words(clause) - _POLITE
            if words and len(words & wanted) < _HALF * len(words):
                return found[1].casefold()
    return ""


def _turns(text: str) -> dict[str, list[frozenset[str]]]:
    """Return the content of what stands next behind each turning word, up to the next clause or phrase."""
    found: dict[str, list[frozenset[str]]] = {}
    for match in _TURNING.finditer(text):
        clause = _CLAUSE.split(text[match.end() :], maxsplit=1)[0]
        found.setdefault(match[1].casefold(), []).append(content_words(_NEXT.split(clause, maxsplit=1)[0]) - _POLITE)
    return found


def _nearest(said: str, wanted: frozenset[str]) -> list[str]:
    sentences = [one for one in _SENTENCE.split(said) if one.strip()]
    shared = [len(content_words(one) & wanted) for one in sentences]
    return [one for one, count in zip(sentences, shared, strict=True) if count == max(shared)]
