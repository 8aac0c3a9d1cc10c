"""How long what is kept of past sessions may get."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLimits:
    """Characters of a description and of a whole line, and of how a session's name may begin to be found by it."""

    description: int = 120
    line: int = 300
    least_name: int = 6
