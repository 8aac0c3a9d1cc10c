"""What people have said about how work should be done, remembered from night to night as ids, offsets and hashes."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

from dream.memory.records import Effect, NightRecord
from dream.memory.sources import parse_date
from dream.memory.state import Tombstone
from dream.sources.sessions.values import Session

TASK = "learnings"
_MESSAGE = re.compile(r"m[0-9]{1,9}")
_MARK = re.compile(r"([^/\s]{1,300})/(m[0-9]{1,9}):([0-9]{1,9})-([0-9]{1,9}) ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A stretch that a person typed: code points `start` to `end` of a message of `session`, a thread.

    `person` is who the structure names, empty where it names nobody; `day` is the local day of `at`; `seen` the night
    that found it. `words` are there only while they can be read, and are never kept.
    """

    session: str
    message: str
    start: int
    end: int
    digest: str
    at: datetime
    day: date
    seen: date
    person: str = ""
    repository: str = ""
    words: str = ""

    @property
    def mark(self) -> str:
        """Where the words stand, and their digest, as a night's record keeps a quote."""
        return f"{self.session}/{self.message}:{self.start}-{self.end} {self.digest}"

    @property
    def source(self) -> str:
        """How an entry cites it, where the gates have named nobody else."""
        return f"person:{self.person}@{self.session}" if self.person else self.session

    @property
    def who(self) -> str:
        """The person, however the name is written; empty where there is none."""
        return " ".join(unicodedata.normalize("NFKC", self.person).casefold().split())

    def overlaps(self, other: Observation) -> bool:
        """Whether the two are of the same words of one message, in part at least."""
        same = (self.session, self.message) == (other.session, other.message)
        return same and self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """How often something must have been said: in so many sessions, on so many days or by so many people.

    Sessions of one person that begin to speak of it less than `apart` after each other are one; words of `verbatim`
    characters and more that are the same to the letter were copied, and count once. Who is not named may be any of
    those who are, and is nobody besides. Who says a thing says it with `in_common` of its words at least, so that it
    cannot be put together of parts.
    """

    sessions: int = 3
    days: int = 2
    people: int = 2
    apart: timedelta = timedelta(hours=1)
    verbatim: int = 120
    in_common: float = 0.5

    def counted(self, observations: Iterable[Observation]) -> tuple[Observation, ...]:
        """Return the observations that count as a session each, oldest first."""
        last: dict[str, datetime] = {}
        sessions: set[str] = set()
        copied: set[str] = set()
        told: list[frozenset[str]] = []
        found: list[Observation] = []
        for one in sorted(observations, key=lambda one: (one.at, one.mark, one.person)):
            pieces = self._pieces(one)
            is_copy = one.digest in copied or any(not pieces.isdisjoint(other) for other in told)
            heard = [at for name, at in last.items() if not one.who or not name or name == one.who]
            if one.session in sessions or is_copy or any(one.at - at < self.apart for at in heard):
                continue
            found.append(one)
            last[one.who] = one.at
            sessions.add(one.session)
            told.append(pieces)
            if one.end - one.start >= self.verbatim:
                copied.add(one.digest)
        return tuple(found)

    def _pieces(self, one: Observation) -> frozenset[str]:
        """Return every stretch of `verbatim` characters: who shares one was copied, wherever the words are cut."""
        text = " ".join(one.words.casefold().split())
        return frozenset(text[at : at + self.verbatim] for at in range(len(text) - self.verbatim + 1))

    def shortfall(self, observations: Collection[Observation]) -> str:
        """Return what is missing, `too-few-sessions` or `one-day-one-person`; empty where it was said often enough."""
        counted = self.counted(observations)
        if len(counted) < self.sessions:
            return "too-few-sessions"
        days = len({one.day for one in counted})
        people = len({one.who for one in observations if one.who})
        return "" if days >= self.days or people >= self.people else "one-day-one-person"


def read_observations(items: Iterable[Mapping[str, Any]]) -> tuple[Observation, ...]:
    """Return what `state.observations` holds, oldest first; what is none of the night's own words is left out."""
    found = [one for one in map(_parsed, items) if one is not None]
    return tuple(sorted(found, key=lambda one: (one.at, one.mark)))


def observed_sources(items: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return every source that a learning may cite of what `state.observations` holds."""
    return frozenset(source for one in read_observations(items) for source in (one.session, one.source))


def observation_item(one: Observation) -> dict[str, Any]:
    """Return `one` as the state keeps it: without its words."""
    return {
        "at": one.at.isoformat(),
        "day": one.day.isoformat(),
        "digest": one.digest,
        "end": one.end,
        "id": sha256(one.mark.encode()).hexdigest()[:12],
        "message": one.message,
        "person": one.person,
        "repository": one.repository,
        "seen": one.seen.isoformat(),
        "session": one.session,
        "start": one.start,
    }


class Spent:
    """The words that a learning rests on, or rested on until somebody undid it."""

    def __init__(self, records: Iterable[NightRecord] = (), tombstones: Iterable[Tombstone] = ()) -> None:
        """Take what the nights of `records` used.

        What was taken back to be tried again has left no tombstone, and its words may be used once more.
        """
        undone = {stone.effect for stone in tombstones}
        self._places: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        for effect in _effects(records):
            for mark in effect.quotes if not effect.reverted or effect.id in undone else ():
                if match := _MARK.match(mark):
                    self._places[match[1], match[2]].append((int(match[3]), int(match[4])))

    def __contains__(self, one: Observation) -> bool:
        """Whether any of the words of `one` have been used."""
        places = self._places.get((one.session, one.message), ())
        return any(one.start < end and start < one.end for start, end in places)


def unspent(observations: Iterable[Observation], *, spent: Spent, night: date, days: int) -> tuple[Observation, ...]:
    """Return the observations that may still be used in `night`: not `spent`, and at most `days` old."""
    oldest = night - timedelta(days=days)
    return tuple(one for one in observations if one not in spent and one.day >= oldest)


def kept_items(
    items: Sequence[Mapping[str, Any]],
    *,
    fresh: Iterable[Mapping[str, Any]],
    records: Sequence[NightRecord],
    tombstones: Collection[Tombstone],
    night: date,
    days: int,
    look_back: timedelta,
) -> tuple[dict[str, Any], ...]:
    """Return `state.observations` after `night`: with `fresh`, without those over `days` old, undone or used long ago.

    What a learning of the last `look_back` rests on is kept, since that learning may be taken back to be tried again.
    """
    gone = {stone.effect for stone in tombstones}
    over = [record if record.night < night - look_back else _undone_of(record, gone) for record in records]
    spent = Spent(over, tombstones)
    held: list[Observation] = []
    for one in unspent(read_observations([*items, *fresh]), spent=spent, night=night, days=days):
        if not any(map(one.overlaps, held)):
            held.append(one)
    strange = [dict(item) for item in items if _parsed(item) is None]
    return (*strange, *map(observation_item, held))


def with_words(
    observations: Iterable[Observation], sessions: Iterable[Session], words: Callable[[str], str | None]
) -> tuple[Observation, ...]:
    """Return the observations whose words can be read, with them: from `sessions`, else through `words`.

    `words` is given a mark. Whatever does not have the digest is not what was said.
    """
    known = {session.source: session for session in sessions}
    found = []
    for one in observations:
        text = _words_in(one, known[one.session]) if one.session in known else None
        if text is None:
            text = words(one.mark)
        if text is not None and digest_of_words(text) == one.digest:
            found.append(replace(one, words=text))
    return tuple(found)


def digest_of_words(text: str) -> str:
    """Return the digest (64 hex) under which words are remembered."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def words_at(one: Observation, text: str) -> str | None:
    """Return the words of `one` if they stand in the message `text`, None where it says something else there."""
    words = text[one.start : one.end]
    return words if len(words) == one.end - one.start and digest_of_words(words) == one.digest else None


def _words_in(one: Observation, session: Session) -> str | None:
    digits = one.message[1:]
    number = int(digits) if _MESSAGE.fullmatch(one.message) else 0
    return words_at(one, session.messages[number - 1].text) if 0 < number <= len(session.messages) else None


def _undone_of(record: NightRecord, undone: Collection[str]) -> NightRecord:
    return record.model_copy(update={"effects": tuple(one for one in record.effects if one.id in undone)})


def _effects(records: Iterable[NightRecord]) -> Iterable[Effect]:
    return (effect for record in records for effect in record.effects if effect.task == TASK)


def _parsed(item: Mapping[str, Any]) -> Observation | None:
    days = [parse_date(str(item.get(key, ""))) for key in ("day", "seen")]
    try:
        at = datetime.fromisoformat(str(item.get("at", "")))
    except ValueError:
        return None
    match [item.get(key) for key in ("session", "message", "start", "end", "digest")], days:
        case [str(session), str(message), int(start), int(end), str(digest)], [date() as day, date() as seen] if (
            at.tzinfo is not None and 0 <= start < end and _MESSAGE.fullmatch(message)
        ):
            return Observation(
                session=session,
                message=message,
                start=start,
                end=end,
                digest=digest,
                at=at,
                day=day,
                seen=seen,
                person=str(item.get("person", "")),
                repository=str(item.get("repository", "")),
            )
        case _:
            return None
