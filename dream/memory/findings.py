"""What index and catalog show that a person should know."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class IndexFinding:
    """Something about one file: a stable kebab-case `reason` and a `detail` (a path, a number, a target)."""

    path: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        """Read `path: reason (detail)`."""
        return f"{self.path}: {self.reason}" + (f" ({self.detail})" if self.detail else "")
