"""Which note of a base tree each note of a tip goes back to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from dream.memory.paths import is_topic
from dream.memory.tree import Tree
from dream.memory.units import BaseUnits, NoteUnits


def owners(base: BaseUnits, tip: Tree, changed: Collection[str]) -> Mapping[str, str]:
    """Return the base note that each of the `changed` topic notes of the tip belongs to; new ones belong to none.

    A note whose units are those of a base note belongs to it wherever it stands, so that a rename never costs
    anything. Else the owner is the base note of the same path, if at least half of that note's units are in it; else
    the base note with most units in it; among several first one that the tip has no note in the place of, then by
    path. `changed` holds every path whose blob differs; the other notes are their own owners.
    """
    here = {path: base.units_in(tip, path) for path in sorted(changed) if is_topic(path) and tip.blob(path) is not None}
    stood = {path: base.units(path) for path in sorted(changed) if base.holds(path)}
    gone = stood.keys() - here.keys()
    found = _unchanged_elsewhere(here, stood)
    for path, units in here.items():
        if path in found:
            continue
        if path in stood and _half_stands(base, stood[path], units):
            found[path] = path
            continue
        closest = base.closest(units)
        if closest:
            found[path] = min(closest & gone or closest)
    return found


def _unchanged_elsewhere(here: Mapping[str, NoteUnits], stood: Mapping[str, NoteUnits]) -> dict[str, str]:
    """Pair the notes that hold the same units as a base note, at their own path first, then in the order of paths."""
    homeless: dict[tuple[frozenset[str], frozenset[str]], list[str]] = defaultdict(list)
    for path, units in stood.items():
        if units.count:
            homeless[units.signature].append(path)
    found: dict[str, str] = {}
    for path, units in here.items():
        if path in homeless.get(units.signature, ()):
            homeless[units.signature].remove(path)
            found[path] = path
    for path, units in here.items():
        if path not in found and homeless.get(units.signature):
            found[path] = homeless[units.signature].pop(0)
    return found


def _half_stands(base: BaseUnits, wanted: NoteUnits, units: NoteUnits) -> bool:
    found = base.find(wanted, [units])
    return bool(wanted.count) and 2 * (len(found.entries) + len(found.other)) >= wanted.count
