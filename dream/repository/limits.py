"""Every number that bounds what this package spends on a repository."""

from __future__ import annotations

from dataclasses import dataclass

YOUNGEST_PRUNED_DAYS = 2
"""Clean-up never removes anything younger, whatever is configured: a paused run may still need it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryLimits:
    """What the git program, a walk over a tree and a mirror may take; times in seconds unless named otherwise."""

    local_seconds: float = 120
    fetch_seconds: float = 600
    push_seconds: float = 180
    stall_seconds: int = 60
    """An http transfer that moves less than one byte a second for so long is given up."""
    kill_grace_seconds: float = 2
    output_bytes: int = 4_000_000
    """What is kept of each of git's two output streams; the rest is read and dropped."""
    tree_entries: int = 50_000
    tree_depth: int = 32
    nights_kept: int = 90
    prune_days: int = 14
    loose_objects: int = 5_000
    packs: int = 50
    """Clean-up runs only above so many loose objects, or packs."""
