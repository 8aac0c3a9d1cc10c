"""`index.md` of a memory of five files, kept in its own shape: what to load, and where each topic stands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from dream.memory.entries import UPDATED
from dream.memory.five_files.page import FiveAround, FiveLine, FivePage, Pointer, read_five
from dream.memory.five_files.places import Section, insert, other_places, place_for
from dream.memory.five_files.reach import dead_places, loaded_places
from dream.memory.five_files.settling import Settling
from dream.memory.five_files.topics import Topic
from dream.memory.five_files.wording import Place, place_of, style_of
from dream.memory.limits import IndexLimits
from dream.memory.listing.findings import IndexFinding
from dream.memory.listing.lines import shown_path
from dream.memory.listing.selection import Candidate, Size, select_notes
from dream.memory.paths import CATALOG, FIVE_INDEX, is_topic

DAILY = "daily/"
_MOST_ROUNDS = 5
# A section, its heading and the blank lines around it.
_BEGINNING = Size(4, 40)


@dataclass(frozen=True, kw_only=True)
class FiveIndex:
    """The page as it stands and all that decides how it is to read.

    `titles` name the notes, `lines` settle what becomes of each line. `standing` are the pages that it always links,
    each by what it is called.
    """

    page: FivePage
    around: FiveAround
    titles: Mapping[str, str]
    topics: Sequence[Topic]
    lines: Settling
    changed: Mapping[str, date]
    today: date
    limits: IndexLimits
    standing: Mapping[str, str]

    def settle(self) -> tuple[FivePage, Sequence[IndexFinding]]:
        """Return the page as it stays when it is rewritten again, and what a person should know about it."""
        index = self
        for _ in range(_MOST_ROUNDS):
            before = index.page.data
            index = replace(index, page=self._read(index.settled()))
            page = index.rewritten()
            index = replace(index, page=self._read(page))
            if index.page.data == before:
                break
        page = index.page
        if page.data != self.page.data:
            page = self._read(_updated(page, self.today))
        return page, tuple(self._findings(page))

    def shown(self, page: FivePage) -> frozenset[str]:
        """Return the notes and pages that the part of a page that is loaded points at."""
        return loaded_places(page, self.limits)

    def _read(self, page: FivePage) -> FivePage:
        return read_five(page.data, self.around)

    def settled(self) -> FivePage:
        """Return the page without what is dead, and with what follows its note."""
        return self.page.with_lines([line for one in self.page.lines if (line := self.lines.settle(one))])

    def rewritten(self) -> FivePage:
        """Return the page once over: a line for each place that is wanted, and none that there is no room for."""
        page = self.page
        room = self._limit - _total(line for line in page.lines if not _is_loose(line))
        if not room.holds(self._size_of(CATALOG) if CATALOG in self.standing else Size(0, 0)):
            return self._rewrite_without_room(page)
        wanted: list[str] = []
        for name in self.standing:
            if name not in self._fixed and room.holds(self._size_of(name) + self._beginning(topics=False)):
                wanted.append(name)
                room -= self._size_of(name)
        notes = self._select(self._notes, room - self._beginning(topics=False))
        room -= _sum(self._room_for(name) for name in notes)
        topics = self._select(self._sections, room - self._beginning(topics=False) - self._beginning(topics=True))
        page = self._without(page, notes | topics)
        page = self._with(page, [*wanted, *sorted(notes)], topics=False)
        return self._with(page, [topic.place.key for topic in self.topics if topic.place.key in topics], topics=True)

    def _rewrite_without_room(self, page: FivePage) -> FivePage:
        """Return the page where people's own lines fill it: only the catalog's line comes, in the part that is loaded.

        A page that people keep just within the limits is not pushed over them.
        """
        is_full = self._limit.holds(_total(page.lines))
        if CATALOG not in self.standing or CATALOG in self.shown(page) or is_full:
            return page
        links = ((Place(path=CATALOG), self._label(CATALOG)),)
        top = (replace(place, heading="") for place in other_places(page, topics=False))
        for place in (place_for(page, topics=False), *top):
            linked = self._inserted(page, place, links)
            if CATALOG in self.shown(linked):
                return linked
        return page

    def _with(self, page: FivePage, names: Sequence[str], *, topics: bool) -> FivePage:
        """Return the page with a line for each of the named places that has none."""
        shown = {name for line in page.lines for name in self._names(line)}
        new = [(self._place_of(name), self._label(name)) for name in names if name not in shown]
        if not new:
            return page
        page = self._read(page)
        places = (place_for(page, topics=topics), *other_places(page, topics=topics))
        return next((found for place in places if (found := self._inserted(page, place, new)) is not page), page)

    def _inserted(self, page: FivePage, place: Section, new: Sequence[tuple[Place, str]]) -> FivePage:
        """Return `page` with new lines, or as it is where they or what stands there would be read as something else."""
        after = self._read(insert(page, place, new))
        size = len(after.lines) - len(page.lines)
        kept = [*after.lines[: place.at], *after.lines[place.at + size :]]
        added = [line.pointers[0].path for line in after.lines[place.at : place.at + size] if line.pointers]
        stands = [_reading(line) for line in kept] == [_reading(line) for line in page.lines]
        return after if stands and added == [one.path for one, _ in new] else page

    def _without(self, page: FivePage, wanted: Collection[str]) -> FivePage:
        """Return the page without the loose lines that are of no wanted place."""
        return page.with_lines([line for line in page.lines if not _is_loose(line) or self._key(line) in wanted])

    def _key(self, line: FiveLine) -> str:
        """Return the name of the place that a loose line is about."""
        return self._name_of(line.pointer)

    def _name_of(self, pointer: Pointer) -> str:
        if not pointer.anchor:
            return pointer.path
        at = self.around.line_of(pointer.path, pointer.anchor)
        found = (topic for topic in self._topics_of.get(pointer.path, ()) if topic.line == at)
        topic = next(found, None)
        return topic.place.key if topic else f"{pointer.path}#{pointer.anchor}"

    def _names(self, line: FiveLine) -> Iterator[str]:
        """Yield every name of what a line points at: its sections, and of a line that stays the notes as well."""
        for pointer in line.pointers:
            yield self._name_of(pointer)
            if not _is_loose(line):
                yield pointer.path

    @cached_property
    def _topics_of(self) -> Mapping[str, Sequence[Topic]]:
        found: dict[str, list[Topic]] = {}
        for topic in self.topics:
            found.setdefault(topic.place.path, []).append(topic)
        return found

    @cached_property
    def _topic_titles(self) -> Mapping[str, str]:
        return {topic.place.key: topic.title for topic in self.topics}

    @cached_property
    def _fixed(self) -> frozenset[str]:
        """What lines point at that stay whatever comes."""
        return frozenset(name for line in self.page.lines if not _is_loose(line) for name in self._names(line))

    @cached_property
    def _loose(self) -> Mapping[str, Sequence[FiveLine]]:
        loose: dict[str, list[FiveLine]] = {}
        for line in self.page.lines:
            if _is_loose(line):
                loose.setdefault(self._key(line), []).append(line)
        return loose

    @property
    def _notes(self) -> Mapping[str, date | None]:
        """The notes that are to have a line, those apart that lines about parts of them lead to."""
        led_to = {lines[0].pointer.path for lines in self._loose.values() if lines[0].pointer.anchor}
        paths = [path for path in self.titles if is_topic(path) and path not in self._fixed | led_to]
        listed = [name for name, lines in self._loose.items() if not lines[0].pointer.anchor]
        return {path: self.changed.get(path) for path in [*paths, *listed]}

    @property
    def _sections(self) -> Mapping[str, date | None]:
        listed: dict[str, date | None] = {name: None for name, lines in self._loose.items() if lines[0].pointer.anchor}
        return listed | {topic.place.key: topic.newest for topic in self.topics if topic.place.key not in self._fixed}

    def _select(self, changed: Mapping[str, date | None], room: Size) -> frozenset[str]:
        candidates = [
            Candidate(
                path=name,
                changed=day,
                is_listed=name in self._loose,
                is_worded=self._is_worded(name),
                group=place.path if place.anchor else None,
            )
            for name, day in changed.items()
            for place in [self._place_of(name)]
        ]
        return select_notes(candidates, room=room, size_of=self._room_for, limits=self.limits)

    def _is_worded(self, name: str) -> bool:
        return not all(
            (style := style_of(line))
            and style.text(place_of(line.pointer), self._label(name)) == line.text.rstrip("\r")
            for line in self._loose.get(name, ())
        )

    def _room_for(self, name: str) -> Size:
        lines = self._loose.get(name, ())
        return _total(lines) if lines else self._size_of(name)

    def _size_of(self, name: str) -> Size:
        place = self._place_of(name)
        style = self._places[bool(place.anchor)].style
        return _size(style.text(place, self._label(name)) + self.page.end)

    def _beginning(self, *, topics: bool) -> Size:
        return _BEGINNING if self._places[topics].is_apart else Size(0, 0)

    @cached_property
    def _places(self) -> Mapping[bool, Section]:
        return {topics: place_for(self.page, topics=topics) for topics in (False, True)}

    def _place_of(self, name: str) -> Place:
        path, _, anchor = name.partition("#")
        is_note = name in self.titles or name in self.standing
        return Place(path=name) if is_note else Place(path=path, anchor=anchor)

    def _label(self, name: str) -> str:
        return self._topic_titles.get(name) or self.standing.get(name) or self._title(name)

    def _title(self, path: str) -> str:
        return self.titles.get(path) or shown_path(path, longest=self.limits.description)

    @property
    def _limit(self) -> Size:
        return Size(self.limits.lines, self.limits.bytes - len(self.page.mark.encode()))

    def _findings(self, page: FivePage) -> Iterator[IndexFinding]:
        if CATALOG in self.standing and CATALOG not in self.shown(page):
            yield IndexFinding(FIVE_INDEX, "no-room-for-the-catalog")
        size = _total(page.lines)
        if not self._limit.holds(size):
            yield IndexFinding(FIVE_INDEX, "index-over-limits", f"{size.lines} lines, {size.bytes} bytes")
        yield from (IndexFinding(FIVE_INDEX, *one) for one in sorted(set(dead_places(page, self.around))))


def _is_loose(line: FiveLine) -> bool:
    """Whether a line is the night's to drop; a name of something outside the memory is no place."""
    return line.is_loose and line.pointer.path != ""


def _reading(line: FiveLine) -> tuple[str, bool, str, int]:
    return line.text, line.is_loose, line.heading, len(line.pointers)


def _size(text: str) -> Size:
    return Size(1, len(text.encode()) + 1)


def _total(lines: Iterable[FiveLine]) -> Size:
    return _sum(_size(line.text) for line in lines)


def _sum(sizes: Iterable[Size]) -> Size:
    total = Size(0, 0)
    for size in sizes:
        total += size
    return total


def _updated(page: FivePage, today: date) -> FivePage:
    """Return the page with the day of its `**Updated:**` line, where it has one, being `today`."""
    lines = list(page.lines)
    for number, line in enumerate(lines):
        match = UPDATED.match(line.text.lstrip())
        if match:
            lines[number] = replace(line, text=line.text.replace(match[1], today.isoformat(), 1))
            break
    return page.with_lines(lines)
