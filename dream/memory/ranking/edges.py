"""Which notes stand near one another, and why: computed from what they name, are about, are used for and link to.

Nothing is asked of a model, and nothing of it is stored. Only the notes that somebody is shown are read closely; of the
others one pass over their bytes says which of the names in question they hold.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

from dream.memory.links.notation import PathLookup, resolve, scan_links
from dream.memory.notes import Note
from dream.memory.paths import is_topic
from dream.memory.ranking.features import FOLDER, RESOURCE, SKILL, TOPIC, Feature, Wanted, features_of, stem_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dream.memory.notes import NoteCache
    from dream.memory.tree import Tree

LINKED, TOGETHER = "linked", "named together"

_SHARE = {RESOURCE: 1.0, SKILL: 1.0, TOPIC: 0.5, FOLDER: 0.25}
"""How much sharing a name of a kind ties, times how rare it is; a link ties as much as the rarest name."""

_VAGUE = frozenset({TOPIC, FOLDER})
_MAY_LINK = (b"](", b"[[", b"]:")


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLimits:
    """How many `neighbours` a note has at most and with how many `reasons`, and how much is made use of.

    What more than `common` notes share ties none of them. Of a note up to `names` names and `links` links count, of a
    line that links to several notes the first `together`.
    """

    neighbours: int = 3
    reasons: int = 3
    common: int = 50
    names: int = 200
    links: int = 200
    together: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A note near another, and why: `linked`, `named together`, `resource orders-v2`, `skill deploy`, `topic lag`."""

    path: str
    weight: float
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Ties:
    """The reasons that tie one note to others, with their weights."""

    by_path: dict[str, dict[str, float]] = field(default_factory=lambda: defaultdict(dict))

    def tie(self, path: str, why: str, weight: float) -> None:
        """Tie to `path`; the same reason counts once."""
        self.by_path[path][why] = weight

    def edges(self, limits: EdgeLimits) -> tuple[Edge, ...]:
        """Return the strongest ties, the best reasons of each first."""
        found = []
        for path, reasons in self.by_path.items():
            ranked = sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))
            why = tuple(name for name, _ in ranked[: limits.reasons])
            found.append(Edge(path=path, weight=round(sum(weight for _, weight in ranked), 9), why=why))
        return tuple(sorted(found, key=lambda edge: (-edge.weight, edge.path))[: limits.neighbours])


def edges_of(
    tree: Tree, notes: NoteCache, shown: Iterable[str], *, limits: EdgeLimits | None = None
) -> dict[str, tuple[Edge, ...]]:
    """Return the nearest topic notes of each note in `shown`, best first, none for one that stands alone.

    Pure, and the same whatever the order of `shown`. The time grows with the bytes of the memory, and with the number
    of `shown` times what they name.
    """
    bounds = limits or EdgeLimits()
    paths = [path for path in tree.paths() if is_topic(path)]
    close = {path: note for path in sorted(set(shown)) if isinstance(note := notes.note(tree, path), Note)}
    stems = frozenset(map(stem_of, paths))
    features = {path: features_of(path, note, stems=stems, most=bounds.names) for path, note in close.items()}
    wanted, holding = Wanted(frozenset().union(*features.values())), defaultdict[Feature, list[str]](list)
    links = _Links(tree, close, bounds)
    ties = {path: _Ties() for path in close}
    for path in paths if close else ():
        data = tree.read(path) or b""
        for feature in wanted.held(path, data):
            if len(holding[feature]) <= bounds.common:
                holding[feature].append(path)
        _tie_linked(ties, links.of(path, data), most=log(1 + len(paths)))
    for path, told in features.items():
        _tie_sharing(ties[path], path, {feature: holding[feature] for feature in told}, notes=len(paths), limits=bounds)
    return {path: one.edges(bounds) for path, one in ties.items()}


def _tie_linked(ties: Mapping[str, _Ties], links: Iterable[tuple[str, str, str]], *, most: float) -> None:
    for one, other, why in links:
        for here, there in ((one, other), (other, one)):
            if here in ties:
                ties[here].tie(there, why, most if why == LINKED else most / 2)


def _tie_sharing(
    ties: _Ties, path: str, shared: Mapping[Feature, Sequence[str]], *, notes: int, limits: EdgeLimits
) -> None:
    for (kind, name), sharing in shared.items():
        if _says_something(kind, len(sharing), notes, limits):
            weight = _SHARE[kind] * log(1 + notes / len(sharing))
            for other in sharing:
                if other != path:
                    ties.tie(other, f"{kind} {name}", weight)


def _says_something(kind: str, sharing: int, notes: int, limits: EdgeLimits) -> bool:
    """Whether a name that `sharing` notes hold says anything: what half of a memory is about does not."""
    is_rare = kind not in _VAGUE or sharing * 2 <= notes
    return 1 < sharing <= limits.common and is_rare


class _Links:
    """The links that have to do with the notes in question."""

    def __init__(self, tree: Tree, close: Mapping[str, Note], limits: EdgeLimits) -> None:
        self._lookup = PathLookup(tree.paths())
        self._close = close
        self._stems = sorted({stem_of(path).encode() for path in close})
        self._limits = limits

    def of(self, path: str, data: bytes) -> Iterator[tuple[str, str, str]]:
        """Yield which two notes are tied by the links of the note at `path`, and how."""
        if not any(mark in data for mark in _MAY_LINK):
            return
        if path not in self._close:
            lowered = data.lower()
            if not any(stem in lowered for stem in self._stems):
                return
        by_line: dict[int, dict[str, None]] = {}
        for link in scan_links(data.decode(errors="replace"))[: self._limits.links]:
            target = resolve(path, link, self._lookup)
            if target is not None and target != path and is_topic(target):
                yield path, target, LINKED
                by_line.setdefault(link.line, {})[target] = None
        for targets in by_line.values():
            if not self._close.keys().isdisjoint(targets):
                yield from self._together(sorted(targets))

    def _together(self, targets: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        yield from ((one, other, TOGETHER) for one, other in combinations(targets[: self._limits.together], 2))
