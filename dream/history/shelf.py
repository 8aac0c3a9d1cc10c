"""Where the sessions of one organisation lie, three objects each, read with suspicion and never thrown away unread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import structlog

from dream.history.naming import CONDENSED, FULL, RECORD, is_leftover, key_in, parse_object
from dream.history.records import (
    CHANGED,
    DamagedError,
    Owner,
    Record,
    Whole,
    parse_record,
    parse_whole,
    render_record,
    render_whole,
)
from dream.object_store import Objects

log = structlog.get_logger()

_ASIDE = "damaged"


class Shelf:
    """The objects of `organisation`, by place (`2026-10/thread_7c2e.<key>`).

    What cannot be read, or belongs to somebody else, is None and told in `damages`; before anything is written in its
    place it is put aside under `damaged/`. Raises StoreDownError where the store cannot be reached.
    """

    def __init__(self, objects: Objects, *, organisation: str) -> None:
        """Look at nothing yet."""
        self._objects = objects
        self._organisation = organisation
        self._places: dict[str, str] | None = None
        self._present: set[str] = set()
        self._leftovers: list[str] = []
        self._damaged: dict[str, str] = {}
        self._records: dict[str, Record] = {}
        self._last: tuple[str, Whole] | None = None

    @property
    def damages(self) -> tuple[str, ...]:
        """What was passed over, each with why."""
        return tuple(f"{name}: {why}" for name, why in self._damaged.items())

    def places(self) -> dict[str, str]:
        """Return the place of each session by its key; listed once."""
        if self._places is None:
            places: dict[str, str] = {}
            for name in self._objects.names():
                parsed = parse_object(name)
                if parsed is not None:
                    places.setdefault(parsed[1], parsed[0])
                    self._present.add(name)
                elif is_leftover(name):
                    self._leftovers.append(name)
            self._places = places
        return self._places

    def is_whole(self, place: str) -> bool:
        """Whether all three objects of a session are there."""
        return all(self._has(place + suffix) for suffix in (RECORD, CONDENSED, FULL))

    def expect(self, places: Iterable[str]) -> None:
        """Read the records of `places` together, because somebody will ask for each of them soon."""
        self._records.update(self.records(places))

    def records(self, places: Iterable[str]) -> Iterator[tuple[str, Record]]:
        """Yield the records of `places`, of those that can be read."""
        names = sorted(name for place in places if self._has(name := place + RECORD))
        for name, data in self._objects.read_many(names):
            record = self._record(name, data)
            if record is not None:
                yield name.removesuffix(RECORD), record

    def record(self, place: str) -> Record | None:
        """Return the record of a session, None where there is none that can be read."""
        known = self._records.pop(place, None)
        name = place + RECORD
        if known is not None or name in self._damaged or not self._has(name):
            return known
        return self._record(name, self._objects.read(name))

    def whole(self, place: str) -> Whole | None:
        """Return all of a session, None where there is nothing that can be read; the last one is remembered.

        It is looked for even where none was listed: another run can have kept it since.
        """
        if self._last is not None and self._last[0] == place:
            return self._last[1]
        name = place + FULL
        data = self._objects.read(name)
        if data is None and not self._has(name):
            return None
        try:
            read = parse_whole(data or b"", self._owner(place))
        except DamagedError as error:
            self.damage(name, str(error))
            return None
        self._last = (place, read)
        return read

    def texts(self, expected: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str | None]]:
        """Yield each place of `expected` (place, digest) with its condensed text, None unless it has that digest."""
        digests = {place + CONDENSED: digest for place, digest in expected}
        for name, data in self._objects.read_many(list(digests)):
            if data is None or sha256(data).hexdigest() != digests[name]:
                self.damage(name, CHANGED if data else "it is not there")
                yield name.removesuffix(CONDENSED), None
            else:
                yield name.removesuffix(CONDENSED), data.decode("utf-8", "surrogatepass")

    def put(self, place: str, *, record: Record, condensed: bytes, whole: Whole) -> None:
        """Keep a session; its record is written last, so that one that is there has its other two beside it."""
        self._last = None
        self._put(place + FULL, render_whole(whole, self._owner(place)))
        self._put(place + CONDENSED, condensed)
        self.put_record(place, record)
        self.places()[key_in(place)] = place

    def put_record(self, place: str, record: Record) -> None:
        """Write the record of a session anew."""
        self._put(place + RECORD, render_record(record))

    def remove(self, place: str) -> None:
        """Take a session away, its record first: nothing then leads to the rest."""
        for suffix in (RECORD, CONDENSED, FULL):
            self._objects.remove(place + suffix)
            self._present.discard(place + suffix)
        self.places().pop(key_in(place), None)
        self._records.pop(place, None)
        self._last = None

    def remove_leftovers(self, *, before: str) -> None:
        """Take away what runs that died have left in the folders of months before that one (`2026-10`)."""
        places = [place for place in self.places().values() if place < before and not self._has(place + RECORD)]
        for place in places:
            self.remove(place)
        for name in self._leftovers:
            if name < before:
                self._objects.remove(name)

    def damage(self, name: str, why: str) -> None:
        """Note that an object is passed over, and why."""
        if name not in self._damaged:
            self._damaged[name] = why
            log.warning("history.damaged", object=name, why=why)

    def replace(self, name: str, data: bytes) -> None:
        """Write an object; what is damaged is put aside first."""
        if name in self._damaged:
            self._objects.move(name, f"{_ASIDE}/{name}")
        self._objects.write(name, data)

    def _has(self, name: str) -> bool:
        self.places()
        return name in self._present

    def _put(self, name: str, data: bytes) -> None:
        self.replace(name, data)
        self._present.add(name)

    def _record(self, name: str, data: bytes | None) -> Record | None:
        try:
            return parse_record(data or b"", self._owner(name.removesuffix(RECORD)))
        except DamagedError as error:
            self.damage(name, str(error))
            return None

    def _owner(self, place: str) -> Owner:
        return Owner(organisation=self._organisation, key=key_in(place))
