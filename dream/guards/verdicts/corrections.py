"""When the lines that a verdict cites may change values of an entry, and what the entry says then."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.verdicts.outputs import Citation, Output, locate
from dream.guards.verdicts.rulings import Correction, Target
from dream.memory.operations import Refusal


def check_correction(
    target: Target, statement: str, citations: Sequence[Citation], outputs: Sequence[Output]
) -> Correction | Refusal:
    """Return the entry with the values that the cited lines give for the same attributes of the same thing."""
    for citation in citations:
        found = locate(citation, outputs)
        if isinstance(found, Refusal):
            return found
    return Refusal("not-checkable", f"{target.path}: {len(statement)} characters")
