"""Names of code that pinned checks asked about: a check that holds is the last word on them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dream.memory.notes import Note
from dream.memory.pinned import PinnedCheck
from tasks.verification.reference_checks import Dead, Renamed, Verdict


def unanswered(note: Note, verdicts: Sequence[Verdict], held: Mapping[int, Sequence[PinnedCheck]]) -> list[Verdict]:
    """Return `verdicts` without what is gone or moved by a repository that a check of the same entry asked about it.

    `held` are the checks that hold, by the line on which their entry begins.
    """
    lines = {line: held[one.start] for one in note.entries if one.start in held for line in range(one.start, one.end)}
    return [one for one in verdicts if not any(_asks(check, one) for check in lines.get(one.reference.line, ()))]


def _asks(check: PinnedCheck, verdict: Verdict) -> bool:
    match verdict:
        case Dead(reference=reference, holder=holder):
            holders = holder.split(" and ")
        case Renamed(reference=reference, tree=tree):
            holders = [tree.name]
        case _:
            return False
    name = re.escape(reference.text.removeprefix("./").rstrip("/"))
    return check.probe in holders and re.search(rf"(?:\A|[\s/]){name}/?(?=[\s:#]|\Z)", check.text) is not None
