"""Who says tonight that statements in other words are one: a judge that is not the dreamer, or nobody."""

from __future__ import annotations

from dataclasses import fields

from dream.guards.statements.limits import CanaryLimits
from flows.tonight import Tonight
from tasks.tidying.attesting import Attester, packaged_controls


def attester_of(tonight: Tonight, task: str) -> Attester | None:
    """Return who attests for `task`; None where no other model than the dreamer is configured to judge."""
    if not tonight.models.has_own_judge:
        return None
    gates = tonight.limits.gates
    return Attester(
        model=tonight.models.judge(task),
        controls=packaged_controls(),
        limits=CanaryLimits(**{one.name: getattr(gates, one.name) for one in fields(CanaryLimits)}),
        together=tonight.limits.tidy.together,
        salt=tonight.night.isoformat(),
        examined=tonight.models.examined,
    )
