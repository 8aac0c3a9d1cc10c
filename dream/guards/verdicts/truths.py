"""When the lines that a verdict cites bear out every value that an entry states."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.verdicts.outputs import Citation, Output, locate
from dream.guards.verdicts.rulings import Confirmed, Target
from dream.memory.operations import Refusal


def check_true(target: Target, citations: Sequence[Citation], outputs: Sequence[Output]) -> Confirmed | Refusal:
    """Return that the entry counts as verified: its values all stand in cited lines, for the same attributes."""
    for citation in citations:
        found = locate(citation, outputs)
        if isinstance(found, Refusal):
            return found
    return Refusal("not-checkable", target.path)
