"""When one of two statements that give one thing two values may go: by evidence, or by who said it and when."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.sameness.differing import differing_values
from dream.guards.specifics import SUPERSEDES, superseded
from dream.memory.notes import Entry, entries_in
from dream.memory.operations import Remove
from dream.memory.sources import Origin, origin, weakest

_ORIGINS = tuple(Origin)
_LONGEST = 300


def superseding(winner: Entry, loser: Entry) -> str:
    """Return the evidence that `winner` says what is so now, `supersedes 20: person:…`; empty where nothing shows it.

    Both give one thing another value and nothing else, the winner is dated later and no guess, and a real system was
    asked for it, or its weakest source is stronger than the strongest of the loser.
    """
    values = differing_values(winner.key, loser.key)
    if values is None or winner.tentative or winner.date is None or loser.date is None or winner.date <= loser.date:
        return ""
    if not (_is_verified(winner) or _is_stronger(winner.sources, loser.sources)):
        return ""
    gone = values[1] or "not"
    said = f"{', '.join(winner.sources)} on {winner.date.isoformat()}: {winner.key}"
    return f"{SUPERSEDES}{gone}: {said[:_LONGEST]}"


def is_superseded(operation: Remove) -> bool:
    """Whether a removal names what it reads as the statement that holds now, and that statement does supersede it."""
    entries = entries_in(operation.span.text or "")
    if len(entries) != 1 or not superseded(operation.basis):
        return False
    winners = [entry for span in operation.basis.reads for entry in entries_in(span.text or "")]
    return any(superseding(winner, entries[0]) in operation.basis.evidence for winner in winners)


def _is_verified(entry: Entry) -> bool:
    return any(origin(source) is Origin.PRODUCTION for source in entry.sources)


def _is_stronger(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    weakest_of_ours = weakest(ours)
    if weakest_of_ours is None or not theirs:
        return False
    strongest_of_theirs = min(_ORIGINS.index(origin(source)) for source in theirs)
    return _ORIGINS.index(weakest_of_ours) < strongest_of_theirs
