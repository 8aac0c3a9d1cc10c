"""Pauses: nights, or tasks of them, that people have stopped for a while, and how that is told."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, StringConstraints

from dream.memory.records import HELD, NightRecord
from dream.report.accounts import spoken
from dream.report.needs import Need

LONGEST_REASON = 500
"""Characters of a pause's reason."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Pause(BaseModel):
    """Who stopped what, since when (UTC) and why; without `tasks` it is whole nights.

    The night of `until` is the first that goes on by itself. A pause of `everyone` is that of all organisations.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    since: AwareDatetime
    by: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    reason: Annotated[str, StringConstraints(max_length=LONGEST_REASON)] = ""
    until: date | None = None
    tasks: tuple[str, ...] = ()
    everyone: bool = False

    def holds(self, due: date) -> bool:
        """Whether it stops nights while `due` is the newest night that is due."""
        return self.until is None or due < self.until

    def __str__(self) -> str:
        """Read `paused since 2026-11-30 14:05 UTC by ana until the night of 2026-12-03: the index is moved`."""
        whom = " with all organisations" if self.everyone else ""
        until = f" until the night of {self.until.isoformat()}" if self.until else ""
        why = f": {self.reason}" if self.reason else ""
        return f"paused{whom} since {self.since:%Y-%m-%d %H:%M} UTC by {self.by}{until}{why}"

    def way_out(self, organisation: str, tasks: tuple[str, ...] = ()) -> str:
        """Return the command that ends it, of all its tasks or only of `tasks`."""
        whom = "--all" if self.everyone else organisation
        named = tasks or self.tasks
        return f"dream resume {whom}" + (f" --task {' '.join(named)}" if named else "")

    @property
    def what(self) -> str:
        """What is paused, where that is not whole nights, with all that `str` says."""
        return f"{', '.join(map(spoken, self.tasks))} {self}" if self.tasks else str(self)

    def told(self, organisation: str) -> str:
        """Return what a person is told of it, with the next step."""
        return f"{self.what}; {self.way_out(organisation)}"

    def payload(self, organisation: str) -> dict[str, Any]:
        """Return the JSON values of this pause."""
        return {**self.model_dump(mode="json"), "way_out": self.way_out(organisation)}


def held_needs(organisation: str, record: NightRecord) -> list[Need]:
    """Return what the tasks need that the night of `record` left out because people keep taking back what they do."""
    reasons = {name: task.reason for name, task in record.tasks.items() if task.outcome == "skipped"}
    return [held_need(organisation, name, why) for name, why in reasons.items() if why.startswith(HELD)]


def held_need(organisation: str, task: str, reason: str) -> Need:
    """Return what a task needs that is left out for `reason`, which ends with the command that lets it go on."""
    why, _, way_out = reason.partition("; ")
    nights = _DATE.findall(why)
    seen = f"see what with dream log {organisation}" + (f" --night {nights[-1]} --operations" if nights else "")
    return Need(wanted="a person", why=f"{spoken(task)} is {why}", way_out=f"{seen}; once it is mended: {way_out}")
