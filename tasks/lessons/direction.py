"""Which way a change went: a sentence wants what people put in, and never what they took out. English. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"[^\W\d][\w$]{0,100}(?:(?:\.|::|->|/|-)[^\W\d][\w$]{0,100}){0,8}")
_WANTED_FIRST = re.compile(
    r"\b(?:instead of|rather than|in place of|in favou?r over|over|replaces|replaced|(?:and |but |(?<=, ))not)\b",
    re.IGNORECASE,
)
_UNWANTED_FIRST = re.compile(
    r"\b(?:replaced?|changed?|swap(?:ped)?|turn(?:ed)?|migrated?|moved?|switch(?:ed)?)"
    r"(?: from)? (?P<old>.{1,200}?) (?:with|by|to|for|into)"
    r" (?P<new>.{1,400})"
    r"|(?P<was>.{1,200}?) (?:is|are|was|were|gets?|be) (?:replaced|changed|swapped)(?: out)? (?:with|by|to|for)"
    r" (?P<is>.{1,400})",
    re.IGNORECASE,
)
_NEVER = re.compile(
    r"\b(?:never|do not|don't|avoid|must not|mustn't|should not|shouldn't|cannot|no longer|without|stop|remove|drop)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;,.:](?=\s|\Z)|\b(?:but|and|use|prefer|write|call)\b", re.IGNORECASE)


def goes_against(statement: str, *, gone: Iterable[str], come: Iterable[str]) -> str:
    """Return a name that a statement wants though people took it out, or the other way round; else nothing.

    `gone` and `come` are the cited lines of the change. A name that stands in both says nothing of the way it went.
    """
    before, after = _names(gone), _names(come)
    taken, put = before - after, after - before
    wanted, unwanted = _sides(statement)
    return next(iter([*sorted(_names([wanted]) & taken), *sorted(_names([unwanted]) & put)]), "")


def _sides(statement: str) -> tuple[str, str]:
    """What a statement wants, and what it does not."""
    match = _UNWANTED_FIRST.search(statement)
    if match:
        return match["new"] or match["is"], match["old"] or match["was"]
    never = _NEVER.search(statement)
    first = _WANTED_FIRST.search(statement)
    if never and not (first and first.start() < never.start()):
        rest = statement[never.end() :]
        verb = re.match(r"\s*(?:use|write|call|prefer|using|writing|calling|the use of)\b", rest, re.IGNORECASE)
        begin = verb.end() if verb else 0
        if first and first.start() > never.end():
            cut = first.start() - never.end()
            return statement[: never.start()] + rest[cut:], rest[begin:cut]
        end = _CLAUSE.search(rest, begin)
        stop = end.start() if end else len(rest)
        return statement[: never.start()] + rest[stop:], rest[begin:stop]
    if first:
        end = re.compile(r"[;,](?=\s)|\.(?=\s|\Z)").search(statement, first.end())
        stop = end.start() if end else len(statement)
        return statement[: first.start()] + statement[stop:], statement[first.end() : stop]
    return statement, ""


def _names(lines: Iterable[str]) -> frozenset[str]:
    return frozenset(match[0] for line in lines for match in _NAME.finditer(line))
