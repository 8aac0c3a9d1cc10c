"""Rings: a few organisations dream first, the others when those have landed sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from config.loading import BrokenOrganisation
from config.organisation import Organisation

End = Literal["well", "paused", "outage", "failed"]
"""How a night ended, as far as it tells of the release: a remote's or a vendor's outage tells nothing."""

_NAMED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class RingEnd:
    """How a ring of organisations ended; `why` it is not sound, empty where it is. One of nobody is sound."""

    ring: int
    names: tuple[str, ...]
    why: str = ""

    def payload(self) -> dict[str, Any]:
        """Return the JSON values of this."""
        return {"ring": self.ring, "organisations": len(self.names), "sound": not self.why, "why": self.why}


def rings_of(organisations: Sequence[Organisation]) -> dict[int, tuple[str, ...]]:
    """Return the names of each ring, lowest first, each sorted."""
    found: dict[int, list[str]] = defaultdict(list)
    for one in organisations:
        found[one.ring].append(one.organisation)
    return {ring: tuple(sorted(found[ring])) for ring in sorted(found)}


def broken_rings(broken: Sequence[BrokenOrganisation]) -> dict[int, tuple[str, ...]]:
    """Return the names that cannot be begun, by the ring that each says it is in."""
    found: dict[int, set[str]] = defaultdict(set)
    for one in broken:
        found[one.ring].add(one.name)
    return {ring: tuple(sorted(found[ring])) for ring in sorted(found)}


def end_of(document: Mapping[str, Any]) -> End:
    """Return how the night that `document` tells of ended."""
    if document.get("status") == "paused":
        return "paused"
    if not document["exit"]:
        return "well"
    return "outage" if document.get("outage") else "failed"


def judge_ring(ends: Mapping[str, End], *, failed_percent: int) -> str:
    """Return why a ring whose nights ended so is not sound; empty where it is, or nobody is in it.

    It is where at least one night ended well, and of those that no outage and no pause explains no more than
    `failed_percent` failed.
    """
    if not ends:
        return ""
    well = sum(end == "well" for end in ends.values())
    failed = sorted(name for name, end in ends.items() if end == "failed")
    if len(failed) * 100 > (well + len(failed)) * failed_percent:
        return f"{len(failed)} of {well + len(failed)} failed: {named(failed)}"
    if well:
        return ""
    told = []
    for kind, what in (("outage", "met an outage"), ("paused", "are paused")):
        if names := sorted(name for name, end in ends.items() if end == kind):
            told.append(f"{what}: {named(names)}")
    return f"no night landed; {'; '.join(told)}"


def named(names: Sequence[str]) -> str:
    """Return the first of `names`, and how many more there are."""
    left = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {left} more" if left > 0 else "")
