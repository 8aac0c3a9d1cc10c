"""How big what the night keeps of links may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLimits:
    """Every number of the index and the catalog.

    `lines` and `bytes` are what agents load of `MEMORY.md`. `description` is the longest title in characters.
    `slack_percent` is how far below the cut a note that is listed may fall before it goes. `worded_percent` of the
    lines are kept for items in people's own wording; a folder has at most `folder_percent` of them, and paths
    longer than `path` characters have none, while others wait. Above `catalog_notes` the catalog has pages of at
    most `page_bytes`. Files above `file_bytes` are left alone.
    """

    lines: int = 200
    bytes: int = 25_000
    description: int = 120
    path: int = 300
    slack_percent: int = 10
    worded_percent: int = 50
    folder_percent: int = 50
    catalog_notes: int = 1_000
    page_bytes: int = 200_000
    file_bytes: int = 256_000
