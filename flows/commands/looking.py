"""A look at an organisation's memory that changes nothing: fetched if that can be done, else as it was last seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from dream.errors import DreamError, HistoryRewrittenError
from dream.memory.records import NightRecord, read_records
from dream.memory.state import PendingInput, Tombstone
from dream.night.survey import survey_head
from dream.report.needs import Need, need_after
from dream.repository.failures import LockedError
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.opening import fetch_head
from flows.stories import read_state
from flows.workplace import Workplace


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What was seen: `landed` is the commit whose state is the flow's own (empty: none), with the records it holds.

    `tombstones` are of what somebody undid, `troubles` are what the branch itself needs, `remarks` what a reader should
    know of this look.
    """

    mirror: Mirror | None
    head: str = ""
    landed: str = ""
    records: tuple[NightRecord, ...] = ()
    pending: tuple[PendingInput, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    troubles: tuple[Need, ...] = ()
    remarks: tuple[str, ...] = ()


def look(workplace: Workplace, *, today: date) -> Look:
    """Return what the branch says of the nights of an organisation; what cannot be asked is a trouble, not an error."""
    remarks: list[str] = []
    troubles: list[Need] = []
    try:
        mirror = workplace.mirror()
    except DreamError as error:
        return Look(mirror=None, troubles=(need_after(error),), remarks=("the memory could not be looked at",))
    try:
        head = _head(workplace, mirror, remarks, troubles)
    except DreamError as error:  # the mirror itself cannot be read; the next run clones it again
        return Look(mirror=None, troubles=(*troubles, need_after(error)), remarks=tuple(remarks))
    return _surveyed(workplace, mirror, head, today=today, remarks=remarks, troubles=troubles)


def _head(workplace: Workplace, mirror: Mirror, remarks: list[str], troubles: list[Need]) -> str:
    try:
        with lock(workplace.home):
            return fetch_head(workplace, mirror)
    except LockedError as error:
        holder = error.data.get("holder", "unknown")
        remarks.append(f"a run is at work now (process {holder}); this is the branch as it was last fetched")
    except HistoryRewrittenError as error:
        troubles.append(need_after(error))
    except DreamError as error:
        troubles.append(need_after(error))
        remarks.append("the remote could not be asked; this is the branch as it was last fetched")
    return mirror.tracked() or ""


def _surveyed(
    workplace: Workplace,
    mirror: Mirror,
    head: str,
    *,
    today: date,
    remarks: Sequence[str],
    troubles: Sequence[Need],
) -> Look:
    try:
        survey = survey_head(mirror, head, keeper=workplace.keeper(), today=today)
    except DreamError as error:
        seen = {trouble.why for trouble in troubles}
        found = need_after(error)
        more = [] if found.why in seen or (isinstance(error, HistoryRewrittenError) and troubles) else [found]
        return _unsurveyed(mirror, head, remarks, [*troubles, *more])
    return Look(
        mirror=mirror,
        head=head,
        landed=survey.landed,
        records=survey.records,
        pending=survey.state.pending,
        tombstones=survey.tombstones,
        troubles=tuple(troubles),
        remarks=(*remarks, *survey.findings),
    )


def _unsurveyed(mirror: Mirror, head: str, remarks: Sequence[str], troubles: Sequence[Need]) -> Look:
    """Return what the head itself holds, whoever wrote it, and that nobody vouches for it."""
    try:
        tree = mirror.tree(head or None)
        records, pending = read_records(tree), read_state(tree).pending
    except DreamError:
        records, pending = (), ()
    return Look(
        mirror=mirror,
        head=head,
        landed=head if records else "",
        records=records,
        pending=pending,
        troubles=tuple(troubles),
        remarks=(*remarks, "the records are as the branch has them, unchecked"),
    )
