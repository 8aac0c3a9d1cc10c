"""Code spans: text between runs of backticks, as it is read and written."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")


def code_span(text: str) -> str:
    """Return `text`, which is one line without blanks at its ends, as a code span whatever backticks it holds."""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1 if "`" in text else 1)
    pad = " " if "`" in (text[:1], text[-1:]) else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def span_at(line: str, at: int) -> tuple[str, int] | None:
    """Return what stands in the code span that begins at `at`, and where it ends; None where none does."""
    runs = _TICKS.finditer(line, at)
    opening = next(runs, None)
    if opening is None or opening.start() != at:
        return None
    closing = next((run for run in runs if len(run[0]) == len(opening[0])), None)
    return None if closing is None else (line[opening.end() : closing.start()].strip(), closing.end())
