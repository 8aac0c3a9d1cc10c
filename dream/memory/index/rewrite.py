"""The index that agents load whole: people's lines as they are, and as many notes as the limits hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from types import MappingProxyType

from dream.memory.five_files.rewrite import rewrite_five
from dream.memory.index.age import age_of
from dream.memory.layouts import Layout, layout_of
from dream.memory.limits import IndexLimits
from dream.memory.links.moved import follow_moves, moves_between
from dream.memory.links.notation import PathLookup
from dream.memory.listing.arranging import Key, Wording, arrange, begin_list, prefix_of
from dream.memory.listing.catalog import is_catalogued, rewrite_catalog
from dream.memory.listing.findings import IndexFinding, IndexRewrite
from dream.memory.listing.lines import STANDING, Titles, link_to, shown_path
from dream.memory.listing.obstacles import Obstacles
from dream.memory.listing.page import Page, PageLine, Surroundings, places_for_a_list, read_page
from dream.memory.listing.selection import Candidate, Size, select_notes
from dream.memory.notes import NoteCache
from dream.memory.paths import CATALOG, FIVE_INDEX, INDEX, Kind, is_topic, kind_of
from dream.memory.tree import OverlayTree, Tree

_DAILY_FOLDER = "daily"
_TO_DAILY = f"{_DAILY_FOLDER}/"
_MOST_ROUNDS = 5
_NEW_INDEX = "# Memory\n"
_STANDING = {name: Wording(link_to(name, label)) for name, label in STANDING.items()}
# Beginning a list may take a blank line on either side, and a line feed where the file ends without one.
_SETTING_OFF = Size(2, 5)


def rewrite_index(
    tree: Tree,
    notes: NoteCache,
    *,
    changed: Mapping[str, date],
    today: date,
    limits: IndexLimits,
    landed: Tree | None = None,
    renames: Mapping[str, str] = MappingProxyType({}),
    withheld: Collection[str] = frozenset(),
    reported: Collection[str] = frozenset(),
) -> IndexRewrite:
    """Return the index and the catalog of `tree`, made afresh from what they are.

    Args:
        tree: the memory as the night leaves it.
        notes: shared with whoever else reads notes tonight.
        changed: when each path last changed, checks and reads apart; a path that is missing is old.
        today: the date that ages are counted from.
        limits: how much fits.
        landed: the last landed tip, whose titles tell an item that the night wrote from one that a person worded.
        renames: where notes have moved to, so that a person's wording follows them.
        withheld: notes whose titles are not to be shown.
        reported: notes whose titles are to be shown as what the note says.
    """
    shown = Titles(tree=tree, notes=notes, longest=limits.description, withheld=withheld, reported=reported)
    earlier = [Titles(tree=known, notes=notes, longest=limits.description) for known in (tree, landed) if known]
    obstacles = Obstacles(tree, file_bytes=limits.file_bytes)
    if layout_of(tree) is Layout.FIVE_FILES:
        return rewrite_five(
            notes,
            titles=shown,
            earlier=earlier,
            obstacles=obstacles,
            changed=changed,
            today=today,
            limits=limits,
            renames=renames,
        )
    return _rewrite_memory_md(
        shown, earlier, obstacles, changed=changed, today=today, limits=limits, landed=landed, renames=renames
    )


def _rewrite_memory_md(
    shown: Titles,
    earlier: Sequence[Titles],
    obstacles: Obstacles,
    *,
    changed: Mapping[str, date],
    today: date,
    limits: IndexLimits,
    landed: Tree | None,
    renames: Mapping[str, str],
) -> IndexRewrite:
    tree = shown.tree
    titles = {path: shown.of(path) for path in tree.paths() if is_catalogued(path)}
    catalog = rewrite_catalog(tree, titles, obstacles=obstacles, limits=limits, renames=renames)
    in_the_way = obstacles.to(INDEX)
    if in_the_way:
        left_alone = IndexFinding(INDEX, "index-left-alone", in_the_way)
        return IndexRewrite(files=catalog.files, findings=(*catalog.findings, left_alone))
    has_daily = any(kind_of(path) is Kind.DAILY for path in titles)
    around = Surroundings(
        paths=PathLookup({*OverlayTree(tree, catalog.files).paths(), *tree.oddities(), INDEX}),
        folders={_DAILY_FOLDER: has_daily},
        renames=renames,
    )
    old = tree.read(INDEX)
    index = _Index(
        page=read_page(INDEX, _NEW_INDEX if old is None else old.decode(), around),
        around=around,
        titles=titles,
        earlier=earlier,
        changed=changed,
        today=today,
        limits=limits,
        standing=[CATALOG] * (CATALOG in catalog.paths) + [_TO_DAILY] * has_daily,
    )
    page, findings = index.settle()
    files = {**catalog.files, **_beside(tree, obstacles, around, landed)}
    if page.data != old:
        files[INDEX] = page.data
    return IndexRewrite(files=files, findings=(*catalog.findings, *findings))


def _beside(tree: Tree, obstacles: Obstacles, around: Surroundings, landed: Tree | None) -> dict[str, bytes]:
    """Return an `index.md` that stands beside `MEMORY.md` if notes moved that it links, no other byte of it changed.

    No other task writes there, so that nobody else would lead its links after them.
    """
    data = tree.read(FIVE_INDEX)
    if data is None or obstacles.to(FIVE_INDEX):
        return {}
    moves = {**(moves_between(landed, tree) if landed else {}), **around.renames}
    followed = follow_moves(FIVE_INDEX, data.decode(), around.paths, moves).encode()
    return {FIVE_INDEX: followed} if followed != data else {}


@dataclass(frozen=True, kw_only=True)
class _Index:
    """The index as it stands and all that decides how it is to read; `standing` are the links that it always has."""

    page: Page
    around: Surroundings
    titles: Mapping[str, str]
    earlier: Sequence[Titles]
    changed: Mapping[str, date]
    today: date
    limits: IndexLimits
    standing: Sequence[str]

    def settle(self) -> tuple[Page, Sequence[IndexFinding]]:
        """Return the page as it stays when it is rewritten again, and what a person should know about it."""
        index, cut = self, set[str]()
        for _ in range(_MOST_ROUNDS):
            page = index._rewrite()
            shown = {link for line in page.lines for link in line.links}
            cut |= index._worded - shown
            if page.data == index.page.data:
                break
            index = replace(index, page=page)
        return page, [*(IndexFinding(INDEX, "item-cut", path) for path in sorted(cut)), *self._findings(page)]

    def _rewrite(self) -> Page:
        room = self._limit - self._fixed_size
        needed = {link: self._size_of(_STANDING[link]) for link in self.standing if link not in self._fixed_links}
        if not room.holds(needed.get(CATALOG, Size(0, 0))):
            return self._rewrite_without_room()
        wanted: dict[str, Wording] = {}
        for link, size in needed.items():
            if room.holds(size):
                wanted[link] = _STANDING[link]
                room -= size
        wanted |= {path: self._wording(path) for path in self._select(room)}
        return arrange(self.page, wanted, order=self._order, around=self.around)

    def _findings(self, page: Page) -> Iterator[IndexFinding]:
        if CATALOG in self.standing and not _shows(page, CATALOG, self._limit):
            yield IndexFinding(INDEX, "no-room-for-the-catalog")
        size = _size(page.lines)
        if not self._limit.holds(size):
            yield IndexFinding(INDEX, "index-over-limits", f"{size.lines} lines, {size.bytes} bytes")
        for target in sorted({target for line in page.lines for target in line.dead}):
            yield IndexFinding(INDEX, "dead-link", target)

    def _rewrite_without_room(self) -> Page:
        """Return the page where people's own lines fill it: only dead items go, and only the catalog's line comes.

        That line comes where the page is too long anyway, in the part that is loaded; a page that people keep just
        within the limits is not pushed over them.
        """
        page = self.page.with_lines([line for line in self.page.lines if line.links or not line.is_loose])
        if CATALOG not in self.standing or _shows(page, CATALOG, self._limit) or self._limit.holds(_size(page.lines)):
            return page
        line = page.line(prefix_of(page), _STANDING[CATALOG].now)
        for place in (*(page.run or ())[:1], *places_for_a_list(page)):
            begun = begin_list(page, place, [line], self.around)
            if begun is not None and _shows(begun, CATALOG, self._limit):
                return begun
        return page

    @property
    def _limit(self) -> Size:
        return Size(self.limits.lines, self.limits.bytes - len(self.page.mark.encode()))

    @property
    def _fixed_size(self) -> Size:
        fixed = _size([line for line in self.page.lines if not line.is_loose])
        return fixed if self.page.run else fixed + _SETTING_OFF

    @cached_property
    def _fixed_links(self) -> frozenset[str]:
        return frozenset(link for line in self.page.lines if not line.is_loose for link in line.links)

    @cached_property
    def _loose(self) -> Mapping[str, Sequence[PageLine]]:
        """The items that may go, by the note that they link to."""
        loose: dict[str, list[PageLine]] = {}
        for line in self.page.lines:
            if line.is_loose and line.links:
                loose.setdefault(line.links[0], []).append(line)
        return loose

    @cached_property
    def _worded(self) -> frozenset[str]:
        """The notes with an item that reads as the night has never written it."""
        return frozenset(
            path
            for path, lines in self._loose.items()
            if not all(self._wording(path).is_nights(line.content) for line in lines)
        )

    def _select(self, room: Size) -> frozenset[str]:
        topics = (path for path in self.titles if is_indexed(path) and path not in self._fixed_links)
        candidates = [
            Candidate(
                path=path,
                changed=self.changed.get(path),
                is_listed=path in self._loose,
                is_worded=path in self._worded,
            )
            for path in {*topics, *self._loose}
        ]

        def size_of(path: str) -> Size:
            now = self._size_of(self._wording(path))
            return _largest(now, _size(self._loose.get(path, ())))

        return select_notes(candidates, room=room, size_of=size_of, limits=self.limits)

    def _wording(self, path: str) -> Wording:
        title = self.titles.get(path) or shown_path(path, longest=self.limits.description)
        earlier = self.earlier if path in self._loose else ()
        before = (link_to(path, form) for titles in earlier for form in titles.forms(path))
        return Wording(link_to(path, title), tuple(before))

    def _size_of(self, wording: Wording) -> Size:
        return _size([self.page.line(prefix_of(self.page), wording.now)])

    def _order(self, path: str) -> Key:
        if path in _STANDING:
            return "", list(_STANDING).index(path), ""
        return f"/{path.rpartition('/')[0]}", age_of(self.changed.get(path), self.today), path


def is_indexed(path: str) -> bool:
    """Whether `MEMORY.md` has a line for a note of its own: every topic note, and an `index.md` beside it."""
    return is_topic(path) or path == FIVE_INDEX


def _size(lines: Sequence[PageLine]) -> Size:
    return Size(len(lines), sum(len(line.text.encode()) + 1 for line in lines))


def _largest(one: Size, other: Size) -> Size:
    return Size(max(one.lines, other.lines), max(one.bytes, other.bytes))


def _shows(page: Page, path: str, limit: Size) -> bool:
    """Whether the part of a page that is loaded links to `path`."""
    shown = Size(0, 0)
    for line in page.lines:
        shown += _size([line])
        if not limit.holds(shown):
            return False
        if path in line.links:
            return True
    return False
