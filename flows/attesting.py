"""Who says tonight that statements in other words are one: a judge that is not the dreamer, or nobody."""

from __future__ import annotations

from dataclasses import fields
from datetime import date

from config.limits import Limits
from dream.guards.statements.limits import CanaryLimits
from flows.dreaming import NightModels
from tasks.tidying.attesting import Attester, packaged_controls


def attester_of(models: NightModels, task: str, *, limits: Limits, night: date) -> Attester | None:
    """Return who attests for `task`; None where no other model than the dreamer is configured to judge."""
    if not models.has_own_judge:
        return None
    return Attester(
        model=models.judge(task),
        controls=packaged_controls(),
        limits=CanaryLimits(**{one.name: getattr(limits.gates, one.name) for one in fields(CanaryLimits)}),
        together=limits.tidy.together,
        salt=night.isoformat(),
        examined=models.examined,
    )
