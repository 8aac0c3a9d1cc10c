"""How often a statement was worded anew by merges, read off what nights have landed."""

from __future__ import annotations

from collections.abc import Sequence

from dream.memory.notes import entries_in
from dream.memory.records import Effect, NightRecord

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Chains:
    """The length of the chain of merges behind each statement: 0 for one that stands as somebody wrote it.

    A merge that keeps a wording makes no chain longer, however much it takes in. Chains are as long as the records go
    back.
    """

    def __init__(self, records: Sequence[NightRecord]) -> None:
        """Read the effects of `records`, oldest first."""
        self._lengths: dict[str, int] = {}
        for record in records:
            for effect in record.effects:
                if effect.kind == "merge" and not effect.reverted:
                    self._take(effect)

    def length(self, *keys: str) -> int:
        """Return the longest chain behind any of `keys`."""
        return max((self._lengths.get(key, 0) for key in keys), default=0)

    def _take(self, effect: Effect) -> None:
        added = {key for change in effect.changes for key in _keys(change.added)}
        removed = {key for change in effect.changes for key in _keys(change.removed)}
        longest = self.length(*removed)
        for key in added - removed:
            self._lengths[key] = longest + 1


def told_chain(length: int) -> str:
    """Return how people are told that a statement is worded anew for the `length`-th time: `third rewording of it`."""
    name = _ORDINALS[length - 1] if length <= len(_ORDINALS) else f"{length}th"
    return f"{name} rewording of this entry"


def _keys(lines: Sequence[str]) -> list[str]:
    return [entry.key for entry in entries_in("\n".join(lines))]
