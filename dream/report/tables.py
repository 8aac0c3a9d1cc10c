"""Tables, for Markdown and for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from dream.report.escaping import one_line

LEFT, RIGHT = "<", ">"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, aligned: str = "") -> list[str]:
    """Return the lines of a Markdown table; cells are Markdown already, `aligned` has `<` or `>` for each column."""
    rules = ["---:" if side == RIGHT else "---" for side in aligned.ljust(len(head), LEFT)]
    return [f"| {' | '.join(cells)} |" for cells in (head, rules, *rows)]


def text_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, aligned: str = "") -> list[str]:
    """Return the lines of a table for a terminal, each column as wide as its widest cell."""
    shown = [[one_line(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in shown) for column in range(len(head))]
    sides = aligned.ljust(len(head), LEFT)
    return [
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True)).rstrip()
        for row in shown
    ]
