"""What an agent that loads the index can get to, and what is wrong with index and catalog."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from dream.memory.five_files.page import FiveAround, FivePage, read_five
from dream.memory.five_files.reach import dead_places, loaded_places
from dream.memory.five_files.topics import read_anchors
from dream.memory.layouts import index_path
from dream.memory.limits import IndexLimits
from dream.memory.links.notation import PathLookup
from dream.memory.listing.catalog import is_catalogued
from dream.memory.listing.findings import IndexFinding
from dream.memory.listing.page import Page, PageLine, Surroundings, read_page
from dream.memory.notes import NoteCache
from dream.memory.paths import FIVE_INDEX, Kind, is_topic, kind_of
from dream.memory.tree import Tree


def reachable_notes(tree: Tree, *, limits: IndexLimits) -> frozenset[str]:
    """Return the notes that links lead to from the part of the index that is loaded, through pages of the catalog.

    In a memory of five files a name of a note in `index.md` leads to it as a link does.
    """
    return _reachable(_Pages(tree), limits)


def check_index(tree: Tree, *, limits: IndexLimits) -> tuple[IndexFinding, ...]:
    """Return what is wrong with index and catalog: too big, links to notes that do not exist, notes out of reach."""
    findings: list[IndexFinding] = []
    pages = _Pages(tree)
    data = tree.read(pages.index)
    if data is None:
        findings.append(IndexFinding(pages.index, "no-index"))
    else:
        lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        if lines > limits.lines or len(data) > limits.bytes:
            findings.append(IndexFinding(pages.index, "index-over-limits", f"{lines} lines, {len(data)} bytes"))
    findings += pages.dead()
    reachable = _reachable(pages, limits)
    out_of_reach = (path for path in tree.paths() if is_topic(path) and path not in reachable)
    return (*findings, *(IndexFinding(path, "out-of-reach") for path in out_of_reach))


class _Pages:
    """The index and the pages of the catalog, as far as they are text."""

    def __init__(self, tree: Tree) -> None:
        self.index = index_path(tree)
        self.five: tuple[FivePage, FiveAround] | None = None
        self.linked: dict[str, Page] = {}
        paths = PathLookup({*tree.paths(), *tree.oddities()})
        around = Surroundings(paths=paths)
        for path in tree.paths():
            if kind_of(path) not in {Kind.INDEX, Kind.CATALOG}:
                continue
            data = tree.read(path) or b""
            with suppress(UnicodeDecodeError):
                if path == self.index == FIVE_INDEX:
                    five_around = FiveAround(paths=paths, anchors=read_anchors(tree, NoteCache()))
                    self.five = read_five(data, five_around), five_around
                else:
                    self.linked[path] = read_page(path, data.decode(), around, repairs=False)

    def dead(self) -> Iterator[IndexFinding]:
        """Yield every place that a page links to and that is not there."""
        for path, page in self.linked.items():
            dead = sorted({target for line in page.lines for target in line.dead})
            yield from (IndexFinding(path, "dead-link", target) for target in dead)
        if self.five:
            yield from (IndexFinding(self.index, *one) for one in sorted(set(dead_places(*self.five))))

    def loaded(self, limits: IndexLimits) -> Iterator[str]:
        """Yield what the part of the index that is loaded leads to."""
        if self.five:
            yield from loaded_places(self.five[0], limits)
        elif self.index in self.linked:
            for line in _loaded(self.linked[self.index], limits):
                yield from line.links


def _reachable(pages: _Pages, limits: IndexLimits) -> frozenset[str]:
    found: set[str] = set()
    waiting = list(pages.loaded(limits))
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            page = pages.linked.get(path)
            waiting += [link for line in page.lines for link in line.links] if page else []
    return frozenset(path for path in found if is_catalogued(path, index=pages.index))


def _loaded(page: Page, limits: IndexLimits) -> Iterator[PageLine]:
    size = len(page.mark.encode())
    for line in page.lines[: limits.lines]:
        size += len(line.text.encode()) + 1
        if size > limits.bytes:
            return
        yield line
