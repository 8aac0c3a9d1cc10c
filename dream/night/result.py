"""How a run of a night ended, in the terms that people, exits and `--json` share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from dream.errors import DreamError
from dream.memory.records import NightRecord
from dream.report.spend import night_spend

Status = Literal["landed", "nothing-to-do", "superseded", "paused", "dry-run", "shadow", "not-landed"]
"""How a run ended; of these only `landed` and `dry-run` or `shadow`, which land nowhere, come with a record of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightResult:
    """One run of one organisation's night; `tip` is its last commit where it has one."""

    organisation: str
    night: date
    status: Status
    reason: str = ""
    way_out: str = ""
    tip: str = ""
    tries: int = 0
    record: NightRecord | None = None
    ran: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    exit_code: int = 0

    @property
    def failed(self) -> tuple[str, ...]:
        """The tasks that failed in this run."""
        if self.record is None:
            return ()
        return tuple(name for name in self.ran if self.record.tasks[name].outcome == "failed")


def not_landed(organisation: str, night: date, error: DreamError) -> NightResult:
    """Return the result of a run that ended in `error`."""
    return NightResult(
        organisation=organisation,
        night=night,
        status="not-landed",
        reason=str(error),
        way_out=error.way_out,
        exit_code=error.exit_code,
    )


def result_payload(result: NightResult) -> dict[str, Any]:
    """Return the JSON document of a run."""
    tasks = result.record.tasks if result.record else {}
    return {
        "organisation": result.organisation,
        "night": result.night.isoformat(),
        "status": result.status,
        "exit": result.exit_code,
        "reason": result.reason,
        "way_out": result.way_out,
        "tip": result.tip,
        "tries": result.tries,
        "ran": list(result.ran),
        "tasks": {name: record.model_dump(mode="json", exclude={"done"}) for name, record in tasks.items()},
        "spend": night_spend(result.record).payload() if result.record else {},
        "loss": result.record.loss.model_dump(mode="json") if result.record else {},
        "findings": list(result.findings),
    }
