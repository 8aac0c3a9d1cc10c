"""What an agent that loads the index can get to, and what is wrong with index and catalog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress

from dream.memory.catalog import is_catalogued
from dream.memory.findings import IndexFinding
from dream.memory.limits import IndexLimits
from dream.memory.links import PathLookup
from dream.memory.page import Page, PageLine, Surroundings, read_page
from dream.memory.paths import INDEX, Kind, is_topic, kind_of
from dream.memory.tree import Tree


def reachable_notes(tree: Tree, *, limits: IndexLimits) -> frozenset[str]:
    """Return the notes that links lead to from the part of the index that is loaded, through pages of the catalog."""
    return _reachable(_pages(tree), limits)


def check_index(tree: Tree, *, limits: IndexLimits) -> tuple[IndexFinding, ...]:
    """Return what is wrong with index and catalog: too big, links to notes that do not exist, notes out of reach."""
    findings: list[IndexFinding] = []
    data, pages = tree.read(INDEX), _pages(tree)
    if data is None:
        findings.append(IndexFinding(INDEX, "no-index"))
    else:
        lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        if lines > limits.lines or len(data) > limits.bytes:
            findings.append(IndexFinding(INDEX, "index-over-limits", f"{lines} lines, {len(data)} bytes"))
    for path, page in pages.items():
        dead = sorted({target for line in page.lines for target in line.dead})
        findings += [IndexFinding(path, "dead-link", target) for target in dead]
    reachable = _reachable(pages, limits)
    out_of_reach = (path for path in tree.paths() if is_topic(path) and path not in reachable)
    return (*findings, *(IndexFinding(path, "out-of-reach") for path in out_of_reach))


def _pages(tree: Tree) -> Mapping[str, Page]:
    """Return the index and the pages of the catalog, as far as they are text."""
    around = Surroundings(paths=PathLookup({*tree.paths(), *tree.oddities()}))
    pages = {}
    for path in tree.paths():
        if kind_of(path) in {Kind.INDEX, Kind.CATALOG}:
            with suppress(UnicodeDecodeError):
                pages[path] = read_page(path, (tree.read(path) or b"").decode(), around, repairs=False)
    return pages


def _reachable(pages: Mapping[str, Page], limits: IndexLimits) -> frozenset[str]:
    found: set[str] = set()
    waiting = [link for line in _loaded(pages, limits) for link in line.links]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [link for line in pages[path].lines for link in line.links] if path in pages else []
    return frozenset(path for path in found if is_catalogued(path))


def _loaded(pages: Mapping[str, Page], limits: IndexLimits) -> Iterator[PageLine]:
    page = pages.get(INDEX)
    size = len(page.mark.encode()) if page else 0
    for line in page.lines[: limits.lines] if page else ():
        size += len(line.text.encode()) + 1
        if size > limits.bytes:
            return
        yield line
