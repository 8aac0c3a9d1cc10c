"""One memory indexed, and indexed again after each kind of change; what is read is read without the product."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypeVar
from urllib.parse import unquote

from bench.index.memories import TODAY, Memory
from dream.memory.index.rewrite import rewrite_index
from dream.memory.layouts import index_path
from dream.memory.limits import IndexLimits
from dream.memory.listing.findings import IndexRewrite
from dream.memory.notes import NoteCache
from dream.memory.paths import is_topic
from dream.memory.tree import MappingTree, OverlayTree, Tree

T = TypeVar("T")

_LINK = re.compile(r"\]\(<?(?:\./|/)?([^)>\s#]+)[^)]*\)")
_WIKI = re.compile(r"\[\[([^\]|#]+)")
_NAME = re.compile(r"[\w./-]+\.md")
_NIGHTS = re.compile(r"[ \t]*(?:[-*+]|[0-9]+[.)])[ \t].*(?:\]\(|\[\[|\.md)|\|.*\.md.*\|")
_UPDATED = re.compile(r"\*\*Updated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """What came of one memory: shares of its topic notes, seconds of processor time, lines that came or went."""

    name: str
    notes: int
    reachable: float
    plain: float
    lines: int
    bytes: int
    own_lines: int
    own_bytes: int
    cold: float
    warm: float
    plain_time: float
    largest: int
    again: int
    theirs: int
    kept: int
    changes: Mapping[str, int]
    findings: tuple[str, ...]

    @property
    def is_loaded_whole(self) -> bool:
        """Whether agents load all of the index."""
        limits = IndexLimits()
        return self.lines <= limits.lines and self.bytes <= limits.bytes

    @property
    def fits(self) -> bool:
        """Whether agents load all of the index, or it is people's own lines alone that do not fit."""
        limits = IndexLimits()
        return self.is_loaded_whole or self.own_bytes + 60 > limits.bytes or self.own_lines + 2 > limits.lines


def index_memory(memory: Memory) -> Indexed:
    """Return what the index of `memory` leads to and costs, beside a plain list of all files."""
    tree, cache = MappingTree(memory.files), NoteCache()
    cold, result = _timed(lambda: _rewritten(tree, cache, memory.changed))
    after = OverlayTree(tree, result.files)
    warm, again = _timed(lambda: _rewritten(after, cache, memory.changed, landed=after))
    index = index_path(after)
    data, topics = after.read(index) or b"", {path for path in memory.files if is_topic(path)}
    plain_time, plain = _timed(lambda: "# Memory\n" + "".join(f"- [{path}]({path})\n" for path in sorted(topics)))
    before = memory.files.get(index, b"")
    theirs = _peoples(before)
    return Indexed(
        name=memory.name,
        notes=len(topics),
        reachable=_share(topics, _reached(after, index)),
        plain=_share(topics, _targets(_loaded(plain), is_five=False)),
        lines=data.count(b"\n"),
        bytes=len(data),
        own_lines=before.count(b"\n") - _nights(before),
        own_bytes=sum(len(line.encode()) + 1 for line in theirs.elements()),
        cold=cold,
        warm=warm,
        plain_time=plain_time,
        largest=max((len(one or b"") for path, one in result.files.items() if path != index), default=0),
        again=len(again.files),
        theirs=sum(theirs.values()),
        kept=sum((theirs & Counter(data.decode("utf-8", "replace").split("\n"))).values()),
        changes=_changes(memory, after, cache, topics),
        findings=tuple(sorted({finding.reason for finding in result.findings})),
    )


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    value = work()
    return time.process_time() - start, value


def _rewritten(
    tree: Tree,
    cache: NoteCache,
    changed: Mapping[str, date],
    *,
    landed: Tree | None = None,
    renames: Mapping[str, str] | None = None,
) -> IndexRewrite:
    return rewrite_index(
        tree, cache, changed=changed, today=TODAY, limits=IndexLimits(), landed=landed, renames=renames or {}
    )


def _changes(memory: Memory, after: Tree, cache: NoteCache, topics: set[str]) -> dict[str, int]:
    """Return how many lines of index and catalog come and go with each kind of change to one note."""
    ordered = sorted(path for path in topics if path.endswith(".md"))
    if not ordered:
        return {}
    one = ordered[len(ordered) // 3]
    folder = one.rpartition("/")[0]
    beside = f"{folder}/" if folder else ""
    data = memory.files[one]
    new, moved = f"{beside}a-new-note.md", f"{beside}renamed-note.md"
    kinds: dict[str, dict[str, bytes | None]] = {
        "changed": {one: data + b"\nOne more line.\n"},
        "retitled": {one: b"# Another title\n\n" + data},
        "added": {new: b"# A new note\n"},
        "removed": {one: None},
        "renamed": {one: None, moved: data},
    }
    found = {}
    for kind, edits in kinds.items():
        before = OverlayTree(after, edits)
        fresh = {path: TODAY for path, edited in edits.items() if edited is not None}
        renames = {one: moved} if kind == "renamed" else {}
        result = _rewritten(before, cache, {**memory.changed, **fresh}, landed=after, renames=renames)
        found[kind] = sum(_differing(before.read(path) or b"", data or b"") for path, data in result.files.items())
    return found


def _differing(old: bytes, new: bytes) -> int:
    before, after = Counter(old.split(b"\n")), Counter(new.split(b"\n"))
    return max(sum((before - after).values()), sum((after - before).values()))


def _peoples(data: bytes) -> Counter[str]:
    """Return the lines of an index that are no item with a link, nor its date."""
    lines = data.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
    return Counter(line for line in lines if line.strip() and not _NIGHTS.match(line) and not _UPDATED.match(line))


def _nights(data: bytes) -> int:
    return sum(_NIGHTS.match(line) is not None for line in data.decode("utf-8", "replace").split("\n"))


def _share(topics: set[str], reached: set[str]) -> float:
    return len(topics & reached) / len(topics) if topics else 1.0


def _loaded(text: str) -> str:
    limits = IndexLimits()
    lines = text.split("\n")[: limits.lines]
    return "\n".join(lines).encode()[: limits.bytes].decode("utf-8", "ignore")


def _reached(tree: Tree, index: str) -> set[str]:
    """Return what links lead to from what is loaded of the index, through the pages of the catalog."""
    text = _loaded((tree.read(index) or b"").decode("utf-8", "replace"))
    stems = {path.rpartition("/")[2].removesuffix(".md"): path for path in tree.paths()}
    waiting = _targets(text, is_five=index == "index.md", stems=stems)
    found: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        if path.startswith("CATALOG"):
            page = (tree.read(path) or b"").decode("utf-8", "replace")
            up = "/" in path
            targets = _targets(page, is_five=False)
            waiting |= {target.removeprefix("../") if up else target for target in targets}
    return found


def _targets(text: str, *, is_five: bool, stems: Mapping[str, str] | None = None) -> set[str]:
    links = {unquote(target) for target in _LINK.findall(text)}
    named = set(_NAME.findall(text)) if is_five else set()
    wiki = {(stems or {}).get(name.strip(), "") for name in _WIKI.findall(text)}
    return links | named | wiki
