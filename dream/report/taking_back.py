"""Taking back a night of many organisations, in a table: who it concerns, what conflicts, and who could not be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from dream.report.accounts import many
from dream.report.escaping import inline, one_line

MOST_PATHS = 200
"""Of one organisation; `dream revert ORG --dry-run` shows the rest."""

RowState = Literal["nothing to do", "would be taken back", "taken back", "conflicts only", "did not land"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One organisation: how many operations and conflicts, in which notes, and what it needs.

    `reason` may hold the words of a remote; `public` says the same in words of our own.
    """

    organisation: str
    state: RowState
    operations: int = 0
    conflicts: int = 0
    paths: tuple[str, ...] = ()
    reason: str = ""
    public: str = ""
    way_out: str = ""

    def payload(self) -> dict[str, Any]:
        """Return its JSON values."""
        return {
            "organisation": self.organisation,
            "state": self.state,
            "operations": self.operations,
            "conflicts": self.conflicts,
            "paths": list(self.paths),
            "reason": self.reason,
            "way_out": self.way_out,
        }


def exit_of(rows: Sequence[Row]) -> int:
    """Return 3 where one did not land or could not be read, 1 where something conflicts, else 0."""
    if any(row.state == "did not land" for row in rows):
        return 3
    return 1 if any(row.conflicts for row in rows) else 0


def render_rows(night: date, rows: Sequence[Row]) -> str:
    """Return the table for a terminal, and what each needs that is not as it should be."""
    width = max((len(row.organisation) for row in rows), default=0)
    state = max((len(row.state) for row in rows), default=0)
    lines = [f"the night of {night.isoformat()}, {many(len(rows), 'organisation')}"]
    for row in rows:
        counts = f"{many(row.operations, 'operation'):>15}  {many(row.conflicts, 'conflict'):>12}"
        lines.append(f"  {row.organisation:<{width}}  {row.state:<{state}}  {counts}")
        lines += [f"    {one_line(row.reason)}"] if row.reason else []
        lines += [f"    {one_line(row.way_out)}"] if row.way_out else []
    return "\n".join(lines)


def rows_markdown(night: date, rows: Sequence[Row], *, title: str, paths: bool = True) -> str:
    """Return what a page that many may read shows: counts, paths and ways out, and no text of a note."""
    lines = [f"# {inline(title)}: the night of {night.isoformat()}", ""]
    lines += ["| organisation | came to | operations | conflicts | next |", "|---|---|---:|---:|---|"]
    for row in rows:
        told = "; ".join(filter(None, (row.public, row.way_out)))
        cells = (row.organisation, row.state, str(row.operations), str(row.conflicts), told)
        lines.append(f"| {' | '.join(inline(cell) for cell in cells)} |")
    for row in rows if paths else ():
        if not row.paths:
            continue
        lines += ["", f"## {inline(row.organisation)}", "", *(f"- {inline(path)}" for path in row.paths[:MOST_PATHS])]
        left = len(row.paths) - MOST_PATHS
        lines += [f"- … and {many(left, 'more path')}"] if left > 0 else []
    return "\n".join(lines) + "\n"
