"""`CATALOG.md` and its pages: every note of a memory, one line each, so that none is an orphan."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from dream.memory.limits import IndexLimits
from dream.memory.links.notation import PathLookup
from dream.memory.listing.arranging import Key, Wording, arrange
from dream.memory.listing.findings import IndexFinding
from dream.memory.listing.lines import link_to, shown_text
from dream.memory.listing.obstacles import Obstacles
from dream.memory.listing.page import Surroundings, read_page
from dream.memory.paths import CATALOG, INDEX, Kind, is_creatable, kind_of
from dream.memory.tree import Tree

PAGES = "CATALOG/"
_LONGEST_NAME = 52
_LOOKS_PAGED = re.compile(r".*-[0-9]+", re.DOTALL)
_HEADING = re.compile(r"# Catalog(?:: .*)?")
_MOST_ROUNDS = 5
_ROOT = "notes at the root"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sheet:
    """A page as it would be if people had written nothing in it."""

    heading: str
    entries: Sequence[tuple[str, str]]

    @property
    def data(self) -> bytes:
        lines = [f"# {self.heading}", "", *(f"- {content}" for _, content in self.entries)]
        return "".join(f"{line}\n" for line in lines if self.entries or line).encode()


def is_catalogued(path: str, *, index: str = INDEX) -> bool:
    """Whether a path is a note that the catalog has a line for: every note but the `index`, itself and dot-folders."""
    kind = kind_of(path)
    return path != index if kind is Kind.INDEX else kind not in {Kind.CATALOG, Kind.DOT, Kind.ASSET}


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """The catalog's files that differ (None takes one away), every path it consists of, and what was in the way."""

    files: Mapping[str, bytes | None]
    paths: frozenset[str]
    findings: tuple[IndexFinding, ...]


def rewrite_catalog(
    tree: Tree,
    titles: Mapping[str, str],
    *,
    obstacles: Obstacles,
    limits: IndexLimits,
    renames: Mapping[str, str] = MappingProxyType({}),
) -> Catalog:
    """Return the catalog of the notes in `titles`, each by its title.

    Up to `limits.catalog_notes` there is one file, a tenth fewer where there are pages; above that, or above the size
    of a page, one page or more for each folder at the root, and `CATALOG.md` links them. What people wrote in these
    files stays: prose as in the index, and their wording of an item while its note lives. A page that lists nothing
    any more goes unless there is prose in it.
    """
    files: dict[str, bytes | None] = {}
    findings: list[IndexFinding] = []
    old = {path for path in tree.paths() if kind_of(path) is Kind.CATALOG}
    sheets = _sheets(titles, limits, is_split=any(path.startswith(PAGES) for path in old))
    blocked = {path: reason for path in sheets if (reason := obstacles.to(path))}
    findings += [IndexFinding(path, "catalog-not-written", reason) for path, reason in blocked.items()]
    written = sheets.keys() - blocked.keys()
    lookup = PathLookup((set(tree.paths()) - old) | written | {*tree.oddities(), INDEX})
    around = Surroundings(paths=lookup, renames=renames)
    for path in sorted(written):
        data = _written(tree, path, sheets[path], around)
        if len(data) > limits.page_bytes:
            findings.append(IndexFinding(path, "catalog-page-too-big", f"{len(data)} bytes"))
        files[path] = data
    for path in sorted(old - sheets.keys()):
        if not obstacles.to(path):
            files[path] = _emptied(tree, path, around)
        if files.get(path) is not None:
            findings.append(IndexFinding(path, "catalog-page-has-other-text"))
    return Catalog(
        files={path: data for path, data in files.items() if data != tree.read(path)},
        paths=frozenset(written),
        findings=tuple(findings),
    )


def retire_catalog(tree: Tree, *, obstacles: Obstacles, renames: Mapping[str, str] = MappingProxyType({})) -> Catalog:
    """Return the catalog where none is wanted: its files go, but for what people wrote in them."""
    old = {path for path in tree.paths() if kind_of(path) is Kind.CATALOG and not obstacles.to(path)}
    around = Surroundings(paths=PathLookup({*tree.paths(), *tree.oddities()} - old), renames=renames)
    files = {path: _emptied(tree, path, around) for path in sorted(old)}
    return Catalog(
        files={path: data for path, data in files.items() if data != tree.read(path)},
        paths=frozenset(path for path, data in files.items() if data is not None),
        findings=tuple(IndexFinding(path, "catalog-page-has-other-text") for path, data in files.items() if data),
    )


def _sheets(titles: Mapping[str, str], limits: IndexLimits, *, is_split: bool) -> dict[str, _Sheet]:
    """Return every file of the catalog with what it lists.

    One that is split stays so until it is a tenth below what makes it so, so that a note that comes and goes there
    does not write the whole catalog anew each time.
    """
    share = 100 + limits.slack_percent * is_split
    if len(titles) * share <= limits.catalog_notes * 100:
        entries = [(path, link_to(path, title)) for path, title in sorted(titles.items())]
        whole = _Sheet(heading="Catalog", entries=entries)
        if len(whole.data) * share <= limits.page_bytes * 100:
            return {CATALOG: whole}
    sheets = _paged(titles, limits, lambda path: path.partition("/")[0] if "/" in path else "")
    if len(sheets[CATALOG].data) > limits.page_bytes:
        sheets = _paged(titles, limits, lambda _: "*")
    return sheets


def _paged(titles: Mapping[str, str], limits: IndexLimits, folder_of: Callable[[str], str]) -> dict[str, _Sheet]:
    folders: dict[str, list[str]] = {}
    for path in sorted(titles):
        folders.setdefault(folder_of(path), []).append(path)
    names = _page_names(folders)
    sheets: dict[str, _Sheet] = {}
    links: list[tuple[str, str]] = []
    for folder, paths in sorted(folders.items()):
        label = {"": _ROOT, "*": "all notes"}.get(folder) or f"{shown_text(folder, longest=limits.description)}/"
        room = limits.page_bytes - len(f"# Catalog: {label}, page 1000\n\n".encode())
        for number, part in enumerate(_parts(paths, titles, room), start=1):
            name = names[folder] if number == 1 else f"{names[folder]}-{number}"
            page = f"{PAGES}{name}.md"
            shown = label if number == 1 else f"{label}, page {number}"
            sheets[page] = _Sheet(heading=f"Catalog: {shown}", entries=part)
            links.append((page, link_to(page, shown)))
    return {CATALOG: _Sheet(heading="Catalog", entries=links), **sheets}


def _parts(paths: Sequence[str], titles: Mapping[str, str], room: int) -> list[list[tuple[str, str]]]:
    """Return what each page of a folder lists, one page where there is room for all.

    Where a page ends is drawn from the paths themselves, between a quarter of its room and all of it: one that ended
    where it is full would pass a line on to the next with every note that comes, and so would that.
    """
    entries = [(path, link_to(path, titles[path], page=f"{PAGES}page.md")) for path in paths]
    sizes = [len(content.encode()) + len("- \n") for _, content in entries]
    is_one = sum(sizes) <= room
    parts: list[list[tuple[str, str]]] = [[]]
    taken = 0
    for entry, size in zip(entries, sizes, strict=True):
        ends = not is_one and taken > room // 4 and _drawn(entry[0]) * room < size * 4
        if parts[-1] and (ends or taken + size > room):
            parts.append([])
            taken = 0
        parts[-1].append(entry)
        taken += size
    return parts


def _drawn(path: str) -> float:
    """Return a number from 0 to 1 that is as good as drawn, the same for the same path."""
    return int.from_bytes(hashlib.blake2b(path.encode(), digest_size=4).digest()) / 2**32


def _page_names(folders: Iterable[str]) -> dict[str, str]:
    """Return a file name without ending for each folder: its own where that can be made, else one no other has.

    A name that ends like a page number (`x-2`) is not used as it is, because the second page of `x` has it.
    """
    names = {folder: folder for folder in folders if _names_a_page(folder)}
    for folder in sorted(set(folders) - names.keys()):
        slug = re.sub(r"[^a-z0-9]+", "-", folder.lower())[:40].strip("-") or "folder"
        digest = hashlib.sha256(folder.encode()).hexdigest()
        possible = (f"{slug}-x{digest[:length]}" for length in range(8, len(digest) + 1))
        names[folder] = next(name for name in possible if name not in names.values())
    return names


def _names_a_page(folder: str) -> bool:
    is_short = len(folder) <= _LONGEST_NAME
    return is_short and not _LOOKS_PAGED.fullmatch(folder) and is_creatable(f"{PAGES}{folder}.md")


def _written(tree: Tree, path: str, sheet: _Sheet, around: Surroundings) -> bytes:
    fresh, old = sheet.data, tree.read(path)
    if old is None or old == fresh:
        return fresh
    page = read_page(path, old.decode(), around)
    if not page.lines:
        return fresh
    places = {target: number for number, (target, _) in enumerate(sheet.entries)}
    wanted = {target: Wording(content, is_any_link=True) for target, content in sheet.entries}
    for _ in range(_MOST_ROUNDS):
        arranged = arrange(page, wanted, order=lambda target: _place(target, places), around=around)
        if arranged.data == page.data:
            break
        page = arranged
    return page.data


def _place(target: str, places: Mapping[str, int]) -> Key:
    return "", places.get(target, len(places)), target


def _emptied(tree: Tree, path: str, around: Surroundings) -> bytes | None:
    """Return what people wrote in a page that lists nothing any more, or None where they wrote nothing."""
    old = tree.read(path) or b""
    page = arrange(read_page(path, old.decode(), around), {}, order=lambda target: ("", 0, target), around=around)
    is_nights = all(not line.text.strip() or _HEADING.fullmatch(line.text.strip()) for line in page.lines)
    return None if is_nights else page.data
