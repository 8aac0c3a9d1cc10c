"""When the lines that a verdict cites show that what an entry speaks of has ended."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.verdicts.outputs import Citation, Output, locate
from dream.guards.verdicts.rulings import Falsehood, Target
from dream.memory.operations import Refusal


def check_falsehood(target: Target, citations: Sequence[Citation], outputs: Sequence[Output]) -> Falsehood | Refusal:
    """Return the field of a cited line that states the end of the one thing that the entry is about."""
    for citation in citations:
        found = locate(citation, outputs)
        if isinstance(found, Refusal):
            return found
    return Refusal("no-evidence-of-falsehood", target.path)
