"""How people name one operation of a night: by the beginning of its id."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from dream.memory.records import Effect

SHORTEST = 7
"""Characters of an id that are shown, or as many more as it takes to tell it from the others of its night."""


def short_ids(effects: Iterable[Effect]) -> dict[str, str]:
    """Return the beginning of each id that no other of `effects` has."""
    ids = sorted({effect.id for effect in effects})
    around = zip(["", *ids], ids, [*ids[1:], ""], strict=False)
    return {
        one: one[: max(SHORTEST, _common(one, before) + 1, _common(one, after) + 1)] for before, one, after in around
    }


def beginning_with(given: str, effects: Collection[Effect]) -> Sequence[Effect]:
    """Return those of `effects` whose id begins with `given`, one for each id; nothing for no text."""
    found = {effect.id: effect for effect in effects if given and effect.id.startswith(given.lower())}
    return list(found.values())


def _common(one: str, other: str) -> int:
    return next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(other))
