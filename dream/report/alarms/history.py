"""The nights that alarms look at: the newest ones, as their records and the notes of their runs tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from dream.memory.records import NightRecord
from dream.memory.windows import current_night
from dream.report.alarms.limits import AlarmLimits
from dream.report.attempts import Attempt

SPAN = 2
"""In how many times as many calendar nights those with input are looked for: weeks have weekends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The nights of one organisation up to the one that is due at `now`; `records` are oldest first."""

    organisation: str
    records: Sequence[NightRecord]
    attempts: Mapping[date, Sequence[Attempt]]
    limits: AlarmLimits
    now: datetime

    @property
    def due(self) -> date:
        """The newest night that is due."""
        return current_night(self.now)

    def lately(self, nights: int = 0) -> tuple[NightRecord, ...]:
        """Return the records of the last `nights` calendar nights, by default as many as alarms look back over.

        The newest that landed is the last of them, so that nothing changes while tonight's is on its way; none is
        where nothing has landed for as long as alarms look back.
        """
        known = [record for record in self.records if record.night <= self.due]
        if not known or (self.due - known[-1].night).days >= self.limits.nights:
            return ()
        last = known[-1].night
        return tuple(one for one in known if (last - one.night).days < (nights or self.limits.nights))

    def every_night(self, *, before: int = 0) -> tuple[NightRecord, ...]:
        """Return the records of the last nights and of so many `before` them, none where one of these did not land."""
        nights = self.limits.nights + before
        records = self.lately(nights)
        return records if len(records) == nights else ()

    def report(self, night: date) -> str:
        """Return the command that tells of `night`."""
        return f"dream report {self.organisation} --night {night.isoformat()}"
