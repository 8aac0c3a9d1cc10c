"""What index and catalog show that a person should know."""

from __future__ import annotations

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRewrite:
    """The index and catalog files whose bytes differ, None for one that goes, and what a person should know."""

    files: Mapping[str, bytes | None]
    findings: tuple[IndexFinding, ...] = ()
