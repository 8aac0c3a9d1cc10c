"""How long what is kept of past sessions is kept, and how long it may get."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLimits:
    """Days that a session is kept after its end, and by how many characters of its name it is found.

    In characters: a `description`, a whole `line`, a `hit` of a search; how many hits one search gives, and the
    seconds that it takes at most.
    """

    days: int = 400
    least_name: int = 6
    description: int = 120
    line: int = 300
    hit: int = 200
    hits: int = 200
    seconds: int = 60
