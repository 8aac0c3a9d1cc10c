"""What nights need of the systems that they ask: one that was never there, or that may be written, is a person's."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date

from dream.memory.allowance import VERIFICATION
from dream.memory.records import NightRecord
from dream.memory.systems import Unanswered, unanswered_in
from dream.report.attempts import Attempt, findings_of
from dream.report.needs import Need

SILENT_NIGHTS = 3
"""After so many nights in a row without an answer, waiting is no longer the answer."""

_CAN_WRITE = "a role that can write"
_MISSING = " is missing: "
_DONE = {"down": "was down", "refused": "refused every question"}


def system_needs(
    organisation: str,
    records: Sequence[NightRecord],
    attempts: Mapping[date, Sequence[Attempt]],
    *,
    told: Collection[str] = (),
) -> list[Need]:
    """Return what the systems need that gave the newest of `records` (oldest first) no answer, but for those `told`.

    A credential that is missing and a role that can write need a person at once, all else after three nights in a row;
    until then it needs nothing, and is said.
    """
    return [_need(organisation, one, nights) for one, nights in _silent(records, attempts, told)]


def _need(organisation: str, one: Unanswered, nights: int) -> Need:
    if one.how == "refused" and one.why.startswith(_CAN_WRITE):
        why = f"system {one.name} is not asked: {one.why}"
        way_out = "take its privileges away, or name another role: docs/production.md, SQL"
        return Need(wanted="a person", why=why, way_out=way_out)
    lately = "in the last night" if nights == 1 else f"{nights} nights in a row"
    why = f"system {one.name} {_DONE[one.how]} {lately}: {one.why}"
    if _MISSING in one.why or nights >= SILENT_NIGHTS:
        return Need(wanted="a person", why=why, way_out=f"dream doctor {organisation}")
    return Need(wanted="nothing", why=why, way_out="")


def _silent(
    records: Sequence[NightRecord], attempts: Mapping[date, Sequence[Attempt]], told: Collection[str]
) -> Iterator[tuple[Unanswered, int]]:
    """Yield each system without an answer in the newest night, and in how many nights up to it that was so."""
    nights = [_unanswered(record, attempts.get(record.night, ())) for record in records[-SILENT_NIGHTS:]]
    for name, one in sorted(nights[-1].items() if nights else ()):
        if name not in told:
            count = next((back for back, night in enumerate(reversed(nights)) if name not in night), len(nights))
            yield one, count


def _unanswered(record: NightRecord, attempts: Sequence[Attempt]) -> dict[str, Unanswered]:
    """Return the systems without an answer, as the record says it, else as a run here noted it."""
    task = record.tasks.get(VERIFICATION)
    found = map(unanswered_in, (*findings_of(attempts), *(task.findings if task else ())))
    return {one.name: one for one in found if one is not None}
