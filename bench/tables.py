"""Tables as the programs here print them: Markdown, so that they can stand in docs/proof.md as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def render_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; numbers stand as they are, floats with two digits, and a bar cannot break a cell."""
    lines = [heads, ["---"] * len(heads), *([_cell(value) for value in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _cell(value: object) -> str:
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
