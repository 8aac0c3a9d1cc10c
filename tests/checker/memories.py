"""Small memories for the rules of the checker, and what it finds in them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from dream.checker.finding import Finding
from dream.checker.inspection import check
from dream.checker.limits import CheckLimits
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from tests.guards.proposals import Files, tree_of

TODAY = date(2026, 10, 22)
INDEX: Mapping[str, str] = {"MEMORY.md": "# Memory\n\n- [Catalog](CATALOG.md)\n"}


def found(notes: Files, *, today: date | None = TODAY, limits: CheckLimits | None = None) -> list[Finding]:
    """Return what is found in a memory of these notes, each linked from a catalog, which is left out."""
    catalog = "# Catalog\n\n" + "".join(f"- [{path}](<{path}>)\n" for path in notes)
    files: Files = {**INDEX, "CATALOG.md": catalog, **notes}
    findings = check(tree_of(files), NoteCache(), IndexLimits(), limits=limits, today=today)
    return [finding for finding in findings if finding.rule != "catalog-stale"]


def brief(notes: Files, *, today: date | None = TODAY) -> list[tuple[str, str, int]]:
    """Return rule, path and line of what is found."""
    return [(one.rule, one.path, one.line) for one in found(notes, today=today)]
