"""Which notes are looked at tonight, so that over a few weeks everything is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from types import MappingProxyType


def choose(
    *,
    topic_notes: Collection[str],
    changed: Collection[str],
    checked: Mapping[str, date],
    today: date,
    waiting: Mapping[str, date] = MappingProxyType({}),
    limit: int = 25,
    reserved: int = 5,
) -> tuple[str, ...]:
    """Return at most `limit` of `topic_notes`, in the order in which they are to be looked at.

    Changed ones come first, even if they were checked today; then those `waiting` for a probe that was down, by the
    date of the last look, in at most `reserved` places and never in more than half of them all; then those never
    checked, then those checked longest ago, but not today; ties go by path. As many places are kept from the changed
    for these others, as far as there are others, and those that wait take what is left. A date after `today` is no look
    that anybody took, and counts as none.
    """

    def turn(path: str) -> tuple[date, str]:
        last = checked.get(path, date.min)
        return (last if last <= today else date.min), path

    def last_look(path: str) -> tuple[date, str]:
        return waiting[path], path

    notes = sorted(set(topic_notes), key=turn)
    fresh = [path for path in notes if path in changed]
    again = sorted((path for path in notes if path in waiting and path not in changed), key=last_look)
    again = [path for path in again if waiting[path] != today]
    others = [path for path in notes if path not in changed and path not in waiting and turn(path)[0] < today]
    retried = again[: min(reserved, limit // 2)]
    places = limit - len(retried)
    first = fresh[: places - min(len(others), reserved, places)]
    chosen = (*first, *retried, *others[: places - len(first)])
    return (*chosen, *again[len(retried) :][: limit - len(chosen)])
