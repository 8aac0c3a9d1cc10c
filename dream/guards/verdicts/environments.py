"""Environments and places: what makes two things of one name two things."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAME = (
    "production prod prd live",
    "staging stage stg preprod preproduction",
    "development dev",
    "test testing tst",
    "qa",
    "uat",
    "preview",
    "sandbox",
    "canary",
    "demo",
    "blue",
    "green",
    "dr failover",
    "standby",
    "shadow",
    "nonprod",
    "integration",
    "perf loadtest",
    "alpha",
    "beta",
)
_ENVIRONMENTS = {word: group.split()[0] for group in _SAME for word in group.split()}
_REGION = re.compile(
    r"(?:eu|us|ap|sa|af|me|ca|cn|uk|de|fr|nl|in|jp|au|br|asia|europe|emea|apac|africa|global|"
    r"northamerica|southamerica|australia)"
    r"(?:-(?:gov|north|south|east|west|central|northeast|northwest|southeast|southwest))?-?[0-9]{1,2}(?:-?[a-d])?"
    r"|(?:dc|az|pop|site|rack|cell)-?[0-9]{1,3}|(?:fra|ams|lon|nyc|sfo|sgp|iad|lhr|cdg|hel|nbg|fsn|ash|tor|blr)-?[0-9]{1,2}"
    r"|(?:east|west|north|south|central)-?(?:us|eu|europe)?-?[0-9]{0,2}|(?:us|eu)-(?:north|south|east|west|central)"
)
_SPLIT = re.compile(r"[^A-Za-z0-9-]+")
_PRODUCTION = "production"


def environments_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the environments that words and parts of names in `texts` say, each in one form."""
    parts = (part for text in texts for part in re.split(r"[^A-Za-z0-9]+", text.lower()))
    return frozenset(_ENVIRONMENTS[part] for part in parts if part in _ENVIRONMENTS)


def regions_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the regions and places that `texts` name, as words of their own or as the end or beginning of a name."""
    return frozenset(region for text in texts for word in _SPLIT.split(text.lower()) for region in _regions(word))


def differs(entry: frozenset[str], line: frozenset[str]) -> bool:
    """Whether what a line says of environments is not what an entry says: no word of one is production."""
    return entry - {_PRODUCTION} != line - {_PRODUCTION} or (
        bool(entry) and bool(line) and entry.isdisjoint(line) and _PRODUCTION in entry | line
    )


def _regions(word: str) -> Iterable[str]:
    parts = word.split("-")
    for first in range(len(parts)):
        for last in range(len(parts), first, -1):
            part = "-".join(parts[first:last])
            if _REGION.fullmatch(part):
                yield part
                return
