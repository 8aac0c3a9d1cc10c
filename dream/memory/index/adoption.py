"""What people wrote in an overgrown index, moved byte for byte into notes that it links; never a list of links."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from dream.memory.five_files.page import FiveAround, read_five
from dream.memory.index.adoptable import Stretch, movable_stretches
from dream.memory.index.parted import follow_parts
from dream.memory.layouts import index_path
from dream.memory.limits import IndexLimits
from dream.memory.links.notation import PathLookup
from dream.memory.listing.lines import Titles, link_to
from dream.memory.listing.obstacles import Obstacles
from dream.memory.listing.page import Surroundings, read_page
from dream.memory.listing.selection import Size
from dream.memory.notes import NoteCache
from dream.memory.paths import FIVE_INDEX, is_creatable, is_topic
from dream.memory.tree import OverlayTree, Tree

_NOTES = "index-notes"
_LONGEST_NAME = 48
_HALF = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A note that takes lines out of the index: its path, its title, and how many lines."""

    path: str
    title: str
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Adoption:
    """The files that differ, what moved where, and why no more did: empty where the index now has room."""

    index: str
    files: Mapping[str, bytes] = field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Written:
    """The index as its lines are the night's (`loose`) or people's (`links`: those that link to notes)."""

    path: str
    lines: tuple[str, ...]
    loose: frozenset[int]
    links: frozenset[int]
    mark: str

    @property
    def fixed(self) -> Size:
        return _total(line for number, line in enumerate(self.lines) if number not in self.loose)


def adopt_prose(tree: Tree, notes: NoteCache, *, limits: IndexLimits) -> Adoption:
    """Return what moves out of the index of `tree` so that people's lines leave room for the night's links.

    Room is wanted for a line for each topic note, but for no more than half of what agents load. Sections go from the
    bottom up, because the end of an index is what agents do not load anyhow, then paragraphs and lists without links;
    each into a note of its own at the root, where its links lead where they led. Where that is not enough, what
    stands next to each other goes into one note.
    """
    index = index_path(tree)
    data, obstacles = tree.read(index), Obstacles(tree, file_bytes=limits.file_bytes)
    trouble = "there is none" if data is None else obstacles.to(index)
    if data is None or trouble:
        return Adoption(index=index, reason=f"{index} is left alone: {trouble}")
    written = _read(index, data, tree)
    wanted = _wanted(tree, notes, limits)
    room = Size(limits.lines, limits.bytes - len(written.mark.encode())) - wanted
    if room.holds(written.fixed):
        return Adoption(index=index, reason=f"{index} has room for its links")
    stretches = movable_stretches(written.lines, written.links)
    chosen = _chosen(written, stretches, room, link=Size(1, _LONGEST_NAME * _HALF + limits.description))
    if not chosen:
        return Adoption(index=index, reason=f"nothing in {index} can be moved: what fills it are links")
    return _Mover(tree, notes, obstacles, written, limits).move(chosen, room)


def _chosen(written: _Written, stretches: Sequence[Stretch], room: Size, *, link: Size) -> list[Stretch]:
    chosen: list[Stretch] = []
    size = written.fixed
    for stretch in stretches:
        if room.holds(size):
            break
        taken = _total(written.lines[stretch.start : stretch.end])
        size = size - taken + link
        chosen.append(stretch)
    return sorted(chosen, key=lambda one: one.start)


def _wanted(tree: Tree, notes: NoteCache, limits: IndexLimits) -> Size:
    titles = Titles(tree=tree, notes=notes, longest=limits.description)
    lines = [f"- {link_to(path, titles.of(path))}" for path in tree.paths() if is_topic(path)]
    total = _total(lines) + Size(2, 120)
    return Size(min(total.lines, limits.lines // _HALF), min(total.bytes, limits.bytes // _HALF))


def _read(index: str, data: bytes, tree: Tree) -> _Written:
    text = data.decode()
    paths = PathLookup({*tree.paths(), *tree.oddities()})
    if index == FIVE_INDEX:
        five = read_five(data, FiveAround(paths=paths))
        numbered = list(enumerate(five.lines))
        loose = frozenset(number for number, line in numbered if line.is_loose and line.pointer.path)
        links = frozenset(number for number, line in numbered if line.pointers and (line.marker or line.cells))
        return _Written(index, tuple(line.text for line in five.lines), loose, links, five.mark)
    page = read_page(index, text, Surroundings(paths=paths, folders={"daily": True}), repairs=False)
    listed = list(enumerate(page.lines))
    loose = frozenset(number for number, line in listed if line.is_loose)
    is_row = re.compile(r"\s*\|")
    links = frozenset(
        number for number, line in listed if line.is_item or (line.links and is_row.match(line.text) is not None)
    )
    return _Written(index, tuple(line.text for line in page.lines), loose, links, page.mark)


class _Mover:
    """Moves stretches of one index into notes."""

    def __init__(
        self, tree: Tree, notes: NoteCache, obstacles: Obstacles, written: _Written, limits: IndexLimits
    ) -> None:
        self.tree = tree
        self.notes = notes
        self.obstacles = obstacles
        self.index = written.path
        self.written = written
        self.limits = limits

    def move(self, chosen: Sequence[Stretch], room: Size) -> Adoption:
        """Return the adoption of the `chosen` stretches: apart where that leaves `room`, else neighbours together."""
        apart = self._adoption(chosen)
        if room.holds(self._fixed_after(apart)):
            return apart
        together = self._adoption(list(_joined(chosen, self.written.lines)))
        if room.holds(self._fixed_after(together)):
            return together
        reason = f"what is left in {self.index} are links and what stands between them"
        return Adoption(index=self.index, files=together.files, moved=together.moved, reason=reason)

    def _fixed_after(self, adoption: Adoption) -> Size:
        links = Size(len(adoption.moved), sum(len(link_to(one.path, one.title)) + 3 for one in adoption.moved))
        after = _read(self.index, adoption.files[self.index], OverlayTree(self.tree, adoption.files))
        return after.fixed + links

    def _adoption(self, chosen: Sequence[Stretch]) -> Adoption:
        files: dict[str, bytes] = {}
        lines, moved, at = list[str](), list[Moved](), 0
        parts: dict[str, range] = {}
        for stretch in chosen:
            parts[self._path(stretch.title, parts)] = range(stretch.start, stretch.end)
        written = follow_parts(self.index, self.written.lines, parts)
        for path, stretch in zip(parts, chosen, strict=True):
            text = "\n".join(written[stretch.start : stretch.end])
            files[path] = f"{text}\n".encode()
            title = Titles(tree=OverlayTree(self.tree, files), notes=self.notes, longest=self.limits.description).of(
                path
            )
            between = written[at : stretch.start]
            lines += between if any(line.strip() for line in between) or not moved else []
            lines.append(f"- {link_to(path, title)}" + "\r" * text.endswith("\r"))
            moved.append(Moved(path=path, title=title, lines=stretch.end - stretch.start))
            at = stretch.end
            after = written[at : at + 1]
            if after and after[0].strip() and not after[0].startswith("#"):
                lines.append("\r" * text.endswith("\r"))
        lines += written[at:]
        whole = self.written.mark + "\n".join(lines)
        was_ended = (self.tree.read(self.index) or b"").endswith(b"\n") or at == len(written)
        files[self.index] = (whole + "\n" * was_ended).encode()
        return Adoption(index=self.index, files=files, moved=tuple(moved))

    def _path(self, title: str, taken: Collection[str]) -> str:
        """Return a path that the night may make, after a heading as far as that is written in plain letters."""
        name = re.sub(r"[^a-z0-9]+", "-", title.lower())[:_LONGEST_NAME].strip("-")
        for path in _names(f"{_NOTES}-{name}" if name else _NOTES):
            free = path not in taken and self.tree.blob(path) is None and not self.obstacles.to(path)
            if free and is_creatable(path):
                return path
        raise AssertionError


def _names(stem: str) -> Iterator[str]:
    yield f"{stem}.md"
    number = 2
    while True:
        yield f"{stem}-{number}.md"
        number += 1


def _joined(stretches: Sequence[Stretch], lines: Sequence[str]) -> Iterator[Stretch]:
    """Yield the stretches, those as one between which only blank lines stand."""
    held = stretches[0]
    for one, other in pairwise(stretches):
        if any(line.strip() for line in lines[one.end : other.start]):
            yield held
            held = other
        else:
            held = Stretch(start=held.start, end=other.end, title=held.title)
    yield held


def _total(lines: Iterator[str] | Sequence[str]) -> Size:
    sizes = [len(line.encode()) + 1 for line in lines]
    return Size(len(sizes), sum(sizes))
