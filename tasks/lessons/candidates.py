"""What one pull request would teach if it were said again: remembered from night to night, `tentative` until then."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal, get_args

from dream.memory.records import Effect, NightRecord
from dream.memory.sources import parse_date
from dream.memory.state import Tombstone
from dream.sources.pull_requests.values import PullRequest

TASK = "pr_outcomes"
"""The task that writes lessons, and whose effects say which candidates have become one."""

Kind = Literal["edit", "file", "words", "stated"]

_KINDS = frozenset(get_args(Kind))
_KEY = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One statement that a pull request founds, and `key`: what the same one of another pull request has as well.

    `sources` are how an entry cites it, `marks` what the pull request has in common with one that is the same work,
    `quotes` where its words stand and their digests. There only on the night that read the pull request, and not kept,
    are `evidence`, `old` and `new` (what became what), `opposite` (the key of the same the other way round) and
    `covers` (the lines that it rests on, by the ids that a model is shown).
    """

    kind: Kind
    key: str
    statement: str
    repository: str
    pull_request: str
    sources: tuple[str, ...]
    day: date
    place: str = ""
    marks: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    opposite: str = ""
    old: str = ""
    new: str = ""
    covers: tuple[str, ...] = ()


def is_taught_in(repository: str, sources: Iterable[str]) -> bool:
    """Whether an entry of these sources may be about `repository`: those of two can share a note."""
    named = {source.rpartition("@")[2].rpartition("#")[0].casefold() for source in sources if "#" in source}
    return not named or repository.casefold() in named


def lessons_id(pull_request: PullRequest) -> str:
    """Return the id of the input that a pull request is for what it teaches: `acme/web#41/lessons`.

    How it ended is another input, which is counted whether or not anything can be learned tonight.
    """
    return f"{pull_request.source}/lessons"


def key_of_matter(*parts: str) -> str:
    """Return the digest (16 hex) of what must be the same for one candidate to repeat another."""
    text = "\0".join(" ".join(part.split()) for part in parts)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_KEY]


def mark_of(pull_request: str, place: str, start: int, text: str) -> str:
    """Return where `text` stands in a pull request and its digest, as a night's record keeps a quote."""
    digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()
    return f"{pull_request}/{place}:{start}-{start + len(text)} {digest}"


def read_candidates(items: Iterable[Mapping[str, Any]]) -> tuple[Candidate, ...]:
    """Return what `state.tentative` holds, oldest first; what is none of the night's own words is left out."""
    found = [one for one in map(_parsed, items) if one is not None]
    return tuple(sorted(found, key=lambda one: (one.day, one.pull_request, one.key)))


def candidate_item(one: Candidate, *, night: date) -> dict[str, Any]:
    """Return `one` as the state keeps it, with the `night` that found it."""
    return {
        "day": one.day.isoformat(),
        "id": key_of_matter(one.pull_request, one.key),
        "key": one.key,
        "kind": one.kind,
        "marks": list(one.marks),
        "night": night.isoformat(),
        "place": one.place,
        "pullRequest": one.pull_request,
        "quotes": list(one.quotes),
        "repository": one.repository,
        "sources": list(one.sources),
        "statement": one.statement,
    }


def candidate_sources(items: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return every source that a lesson may cite of what `state.tentative` holds."""
    return frozenset(source for one in read_candidates(items) for source in one.sources)


def kept_candidates(
    items: Sequence[Mapping[str, Any]],
    *,
    fresh: Iterable[Mapping[str, Any]],
    records: Iterable[NightRecord],
    tombstones: Collection[Tombstone],
    night: date,
    days: int,
    most: int = 1_000,
) -> tuple[dict[str, Any], ...]:
    """Return `state.tentative` after `night`: with `fresh`, without what became a lesson, was undone or is too old.

    Of a pull request that was looked at once more only what was found last is kept, and of all the `most` newest. What
    stands there and is none of the night's own words stays as it is.
    """
    spent = _spent(records, tombstones)
    oldest = night - timedelta(days=days)
    strange = [dict(item) for item in items if _parsed(item) is None]
    new = list(fresh)
    again = {str(item.get("pullRequest", "")) for item in new}
    held: dict[str, Mapping[str, Any]] = {}
    for item in [*(item for item in items if item.get("pullRequest") not in again), *new]:
        one, seen = _parsed(item), parse_date(str(item.get("night", "")))
        if one is not None and seen is not None and seen >= oldest and not spent & {*one.quotes}:
            held[str(item["id"])] = item
    newest = sorted(held.values(), key=lambda item: (str(item["day"]), str(item["id"])))[-most:]
    return (*strange, *map(dict, newest))


def lessons_of_nights(records: Iterable[NightRecord]) -> Iterable[str]:
    """Yield every line that nights wrote as a lesson or a tally: one that reads so to the letter is the night's own."""
    for effect in _effects(records):
        if not effect.reverted:
            yield from (line for change in effect.changes for line in change.added)


def _spent(records: Iterable[NightRecord], tombstones: Collection[Tombstone]) -> frozenset[str]:
    """The quotes of every lesson that stands, or that somebody undid: what was taken back to be tried again may."""
    undone = {stone.effect for stone in tombstones}
    effects = (effect for effect in _effects(records) if not effect.reverted or effect.id in undone)
    return frozenset(quote for effect in effects for quote in effect.quotes)


def _effects(records: Iterable[NightRecord]) -> Iterable[Effect]:
    return (effect for record in records for effect in record.effects if effect.task == TASK)


def _parsed(item: Mapping[str, Any]) -> Candidate | None:
    texts = [item.get(name) for name in ("id", "key", "kind", "statement", "repository", "pullRequest", "place")]
    lists = [item.get(name) for name in ("sources", "marks", "quotes")]
    day = parse_date(str(item.get("day", "")))
    if day is None or not all(isinstance(text, str) for text in texts):
        return None
    if not all(isinstance(one, list | tuple) and all(isinstance(text, str) for text in one) for one in lists):
        return None
    if item["kind"] not in _KINDS or not item["sources"]:
        return None
    return Candidate(
        kind=item["kind"],
        key=item["key"],
        statement=item["statement"],
        repository=item["repository"],
        pull_request=item["pullRequest"],
        sources=tuple(item["sources"]),
        day=day,
        place=item["place"],
        marks=tuple(item["marks"]),
        quotes=tuple(item["quotes"]),
    )
