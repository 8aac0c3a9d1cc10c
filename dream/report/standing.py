"""The memory as it now stands, as far as a report shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

MOST_INDEX_BYTES = 64_000
"""Of an index that are shown; agents load less than half of that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The index, and of every topic note when it was last looked at; None for one that never was.

    `index_bytes` is the size of the whole index, of which `index` may be the beginning only.
    """

    index_path: str = ""
    index: str = ""
    index_bytes: int = 0
    checked: Mapping[str, date | None] = field(default_factory=dict)
    unverified: tuple[str, ...] = ()

    def looked_at(self, night: date, nights: int) -> int:
        """Return how many topic notes were looked at in the last `nights` nights up to `night`."""
        first = night - timedelta(days=nights - 1)
        return sum(1 for day in self.checked.values() if day is not None and first <= day <= night)
