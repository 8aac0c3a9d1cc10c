"""Which notes are looked at tonight, so that over a few weeks everything is."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date


def choose(
    *,
    topic_notes: Collection[str],
    changed: Collection[str],
    checked: Mapping[str, date],
    today: date,
    limit: int = 25,
    reserved: int = 5,
) -> tuple[str, ...]:
    """Return at most `limit` of `topic_notes`, in the order in which they are to be looked at.

    Changed ones come first, even if they were checked today, then those never checked, then those checked longest ago,
    but not today; ties go by path. `reserved` places are kept from the changed for the others, as far as there are
    others. A date after `today` is no look that anybody took, and counts as none.
    """

    def turn(path: str) -> tuple[date, str]:
        last = checked.get(path, date.min)
        return (last if last <= today else date.min), path

    notes = sorted(set(topic_notes), key=turn)
    fresh = [path for path in notes if path in changed]
    waiting = [path for path in notes if path not in changed and turn(path)[0] < today]
    kept = min(len(waiting), reserved, limit)
    first = fresh[: limit - kept]
    return (*first, *waiting[: limit - len(first)])
