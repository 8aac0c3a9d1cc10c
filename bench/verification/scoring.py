"""What nights made of each entry, by the bytes of the memory alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bench.verification.claims import WRONG, Truth
from bench.verification.layouts import Kept


class Fate(StrEnum):
    """What became of an entry: it stands, reads as it should, is gone, or reads otherwise."""

    STANDS = "stands"
    CORRECTED = "corrected"
    GONE = "gone"
    OTHERWISE = "otherwise"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One entry and what became of it."""

    kept: Kept
    fate: Fate

    @property
    def is_caught(self) -> bool:
        """Whether it was wrong and is right now, or gone because what it spoke of is."""
        claim = self.kept.claim
        gone = claim.truth is Truth.DELETED and self.fate is Fate.GONE
        return claim.truth in WRONG and (self.fate is Fate.CORRECTED or gone)

    @property
    def is_wrongly_deleted(self) -> bool:
        """Whether it is gone, though nothing that it spoke of is."""
        return self.fate is Fate.GONE and self.kept.claim.truth is not Truth.DELETED

    @property
    def is_wrongly_touched(self) -> bool:
        """Whether it was changed into anything but what is so."""
        return self.fate is Fate.OTHERWISE or self.is_wrongly_deleted


def score(kept: Sequence[Kept], files: Mapping[str, bytes]) -> list[Scored]:
    """Return what became of every entry in the files of a memory."""
    return [Scored(kept=one, fate=_fate(one, files.get(one.path, b"").decode())) for one in kept]


def _fate(one: Kept, text: str) -> Fate:
    claim = one.claim
    if _stands(claim.statement, text):
        return Fate.STANDS
    if claim.right and _stands(claim.right, text):
        return Fate.CORRECTED
    if not _framed(one, text):
        return Fate.GONE
    return Fate.OTHERWISE


def _framed(one: Kept, text: str) -> bool:
    """Whether the words around an entry's value still stand, with another value between them."""
    claim = one.claim
    if not claim.told:
        return claim.subject in text
    before, _, after = claim.statement.partition(claim.told)
    frame = rf"{re.escape(before)}[^\n]{{1,200}}?{re.escape(after)}"
    return re.search(frame, text) is not None


def _stands(statement: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(statement)}(?![\w-]|\.[0-9])", text) is not None


def caught_by_truth(scored: Sequence[Scored]) -> list[tuple[str, int, int, int, int]]:
    """Return for each kind of truth: entries, caught, wrongly touched, wrongly deleted."""
    rows: list[tuple[str, int, int, int, int]] = []
    for truth in Truth:
        held = [one for one in scored if one.kept.claim.truth is truth]
        wrong = sum(one.is_wrongly_touched for one in held)
        gone = sum(one.is_wrongly_deleted for one in held)
        rows.append((truth, len(held), sum(one.is_caught for one in held), wrong, gone))
    return rows


def fates(scored: Sequence[Scored]) -> Counter[Fate]:
    """Return how many entries came to what."""
    return Counter(one.fate for one in scored)
