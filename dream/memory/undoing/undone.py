"""Which landed effects somebody has undone since, judged on trees and never on messages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta

from dream.memory.entries import EntryStyle, leading_date, read_entry
from dream.memory.paths import Kind, kind_of
from dream.memory.records import Effect, NightRecord
from dream.memory.state import Tombstone
from dream.memory.tree import Tree

LEARNINGS = "learnings"
"""The task whose effects are whole skill files."""

_MOVING = frozenset({Kind.TOPIC, Kind.LEARNING})


def undone_effects(
    records: Sequence[NightRecord],
    *,
    landed: Tree,
    head: Tree,
    changed: Collection[str],
    settled: Collection[str],
) -> tuple[Effect, ...]:
    """Return the effects of `records` (oldest first) that held in `landed` and no longer hold in `head`.

    `changed` are the paths that differ between the two trees: nothing else can have undone anything. `settled` are
    the ids of effects that were found undone before. Once an effect is undone, the one that it had closed is open
    again: it is undone as well if it had added something, or if what it removed is back.
    """
    if not changed:
        return ()
    lines = _Lines(landed, head, changed)
    passed = set(settled)
    found: dict[str, Effect] = {}
    reopened = False
    while broken := [one for one in open_effects(records, without=passed) if not _holds(one, lines, head)]:
        passed.update(one.id for one in broken)
        found |= {one.id: one for one in broken if not reopened or one.kind == "add" or _is_back(one, lines, head)}
        reopened = True
    return tuple(found[effect.id] for record in records for effect in record.effects if found.get(effect.id) is effect)


def open_effects(records: Sequence[NightRecord], *, without: Collection[str] = ()) -> list[Effect]:
    """Return the effects that no later operation of the flow itself has closed, oldest first.

    What was reverted, and the ids in `without`, are not open and close nothing.
    """
    still_open: dict[str, Effect] = {}
    by_line: dict[tuple[str, str], list[str]] = defaultdict(list)
    by_path: dict[tuple[str, str], list[str]] = defaultdict(list)
    for record in records:
        for effect in record.effects:
            if effect.reverted or effect.id in without:
                continue
            for closed in _closed_by(effect, by_line, by_path):
                still_open.pop(closed, None)
            still_open[effect.id] = effect
            _register(effect, by_line, by_path)
    return list(still_open.values())


def dependents(
    effect: Effect, records: Sequence[NightRecord], *, without: Collection[str] = ()
) -> tuple[tuple[date, Effect], ...]:
    """Return what the flow did later and closes `effect`, oldest first, each with the night that did it.

    What was reverted, and the ids in `without`, close nothing.
    """
    by_line: dict[tuple[str, str], list[str]] = defaultdict(list)
    by_path: dict[tuple[str, str], list[str]] = defaultdict(list)
    _register(effect, by_line, by_path)
    found: list[tuple[date, Effect]] = []
    is_later = False
    for record in records:
        for one in record.effects:
            if one is effect:
                is_later = True
            elif is_later and not one.reverted and one.id not in without and any(_closed_by(one, by_line, by_path)):
                found.append((record.night, one))
    return tuple(found)


def tombstone(effect: Effect, *, undone: date) -> Tombstone:
    """Return what refuses to do again what `effect` did."""
    added = [line for change in effect.changes for line in change.added]
    removed = [line for change in effect.changes for line in change.removed]
    return Tombstone(
        effect=effect.id,
        kind=effect.kind,
        task=effect.task,
        paths=tuple(sorted(effect_paths(effect))),
        keys=tuple(added or removed),
        sources=effect.sources,
        dated=effect.dated,
        undone=undone,
    )


def effect_paths(effect: Effect) -> set[str]:
    """Return every path that `effect` changed, made or took away."""
    return {change.path for change in effect.changes} | set(effect.created) | set(effect.deleted)


def live_tombstones(
    tombstones: Iterable[Tombstone], *, head: Tree, today: date, look_back: timedelta, observed: timedelta | None = None
) -> tuple[Tombstone, ...]:
    """Return the tombstones that can still refuse something.

    One ends when all its notes are gone, unless what was undone was making a note; and one with a date ends when its
    sources are past the days in which anything could propose it again: `look_back`, and for a learning `observed`.
    """
    lasting = {LEARNINGS: observed or look_back}
    return tuple(stone for stone in tombstones if _lives(stone, head, today, lasting.get(stone.task, look_back)))


def _lives(stone: Tombstone, head: Tree, today: date, look_back: timedelta) -> bool:
    if stone.kind == "add":
        return today <= stone.undone + look_back
    return any(head.blob(path) is not None for path in stone.paths)


def _closed_by(
    effect: Effect, by_line: Mapping[tuple[str, str], list[str]], by_path: Mapping[tuple[str, str], list[str]]
) -> Iterable[str]:
    for change in effect.changes:
        for line in change.removed:
            yield from by_line.get(("added", comparable(line)), ())
        for line in change.added:
            yield from by_line.get(("removed", comparable(line)), ())
    for path in effect.deleted:
        yield from by_path.get(("changed", path), ())
    for path in effect.created:
        yield from by_path.get(("deleted", path), ())


def _register(
    effect: Effect, by_line: dict[tuple[str, str], list[str]], by_path: dict[tuple[str, str], list[str]]
) -> None:
    for change in effect.changes:
        for line in filter(str.strip, change.added):
            by_line["added", comparable(line)].append(effect.id)
        for line in filter(str.strip, change.removed):
            by_line["removed", comparable(line)].append(effect.id)
        by_path["changed", change.path].append(effect.id)
    for path in effect.deleted:
        by_path["deleted", path].append(effect.id)


def _holds(effect: Effect, lines: _Lines, head: Tree) -> bool:
    """Whether all that `effect` did is there; headings that came with a statement are people's to reword.

    So is everything of a learning but its items, when to use it above all.
    """
    added = [(line, change.path) for change in effect.changes for line in change.added if line.strip()]
    statements = [one for one in added if not one[0].startswith("#")] or added
    if effect.task == LEARNINGS:
        statements = [one for one in added if one[0].startswith("- ")] or added
    return all(lines.stands(*one) for one in statements) and not _is_back(effect, lines, head)


def _is_back(effect: Effect, lines: _Lines, head: Tree) -> bool:
    """Whether a note or a line that `effect` took away is there again."""
    if any(head.blob(path) is not None for path in effect.deleted):
        return True
    return any(lines.is_back(line, change.path) for change in effect.changes for line in change.removed if line.strip())


class _Lines:
    """Lines of the changed notes and learnings, before and after; what moved stands among its own kind."""

    def __init__(self, landed: Tree, head: Tree, changed: Collection[str]) -> None:
        self._head = head
        self._changed = frozenset(changed)
        moving = [path for path in self._changed if kind_of(path) in _MOVING]
        self._before = Counter((kind_of(path), line) for path in moving for line in _full_lines(landed, path))
        self._after = Counter((kind_of(path), line) for path in moving for line in _full_lines(head, path))
        self._standing = {(kind, _said(line)) for kind, line in self._after}

    def stands(self, line: str, path: str) -> bool:
        """Whether what was added at `path` is there, or in one of the notes that changed."""
        if path not in self._changed:
            return True
        said, kind = _said(line), _moving_kind(path)
        return (kind, said) in self._standing or said in {_said(other) for other in _full_lines(self._head, path)}

    def is_back(self, line: str, path: str) -> bool:
        """Whether the changed notes together have the very line more often than they had: a note may have moved."""
        full = (_moving_kind(path), line.rstrip("\r"))
        return self._after[full] > self._before[full]


def _moving_kind(path: str) -> Kind:
    """Return among which paths lines of `path` may stand now: what is no learning goes to topic notes."""
    return Kind.LEARNING if kind_of(path) is Kind.LEARNING else Kind.TOPIC


def _full_lines(tree: Tree, path: str) -> list[str]:
    data = tree.read(path)
    return [] if data is None else [line.rstrip("\r") for line in data.decode(errors="replace").split("\n")]


def _said(line: str) -> str:
    """Return what a line says, without date and sources, which people correct without taking anything back."""
    style = EntryStyle.DATED if leading_date(line) else EntryStyle.ITEM
    return read_entry([line], 0, 1, style).key or comparable(line)


def comparable(line: str) -> str:
    """Return a line without its list marker and with its blanks collapsed."""
    words = line.split()
    return " ".join(words[1:] if words[:1] in (["-"], ["*"], ["+"]) else words)
