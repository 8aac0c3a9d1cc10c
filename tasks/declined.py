"""What was turned down, remembered from night to night as digests, so that it is not judged again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from dream.memory.outcomes import Declined
from dream.memory.skills import learning_name
from dream.memory.sources import parse_date
from dream.memory.state import State


def turned_down(state: State) -> frozenset[str]:
    """Return the digests of the statements that are remembered as turned down."""
    return frozenset(one.digest for one in map(_parsed, state.declined) if one is not None)


def remembered(
    state: State, *, night: date, look_back: timedelta, fresh: Iterable[Declined], learnings: timedelta | None = None
) -> tuple[dict[str, Any], ...]:
    """Return `state.declined` after `night`: with `fresh`, and without what no session of the look-back can say again.

    What was turned down for `learnings` is remembered for as long as that: what was observed lives longer.
    What stands under `declined` and is none of the night's own words is kept as it is.
    """
    kept: dict[tuple[str, str], Mapping[str, Any]] = {}
    strange: list[dict[str, Any]] = []
    for item in state.declined:
        one, since = _parsed(item), parse_date(str(item.get("night", "")))
        if one is None or since is None:
            strange.append(item)
        elif since >= night - (learnings or look_back if learning_name(one.source) else look_back):
            kept[one.digest, one.source] = item
    for one in fresh:
        item = {"digest": one.digest, "night": night.isoformat(), "reason": one.reason, "source": one.source}
        kept.setdefault((one.digest, one.source), item)
    return (*strange, *(dict(kept[key]) for key in sorted(kept)))


def _parsed(item: Mapping[str, Any]) -> Declined | None:
    values: Sequence[object] = [item.get(key) for key in ("digest", "source", "reason")]
    match values:
        case [str(digest), str(source), str(reason)]:
            return Declined(digest=digest, source=source, reason=reason)
        case _:
            return None
