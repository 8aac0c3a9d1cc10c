"""What is logged of each step of a night, wherever it runs: counts, never why."""

from __future__ import annotations

import structlog

from dream.memory.outcomes import Failed
from dream.night.steps import PlannedTask, Rewritten
from flows.day import Day
from flows.opening import Opened

log = structlog.get_logger()


def tell_step(value: object) -> None:
    """Log what a step of a night came to; a landing tells of itself."""
    match value:
        case Opened():
            log.info("night.opened", base=value.survey.head, tasks=len(value.names), landings=value.landings)
        case Day():
            log.info(
                "day.read",
                sessions=len(value.sessions),
                summaries=len(value.summaries),
                pull_requests=len(value.pull_requests),
                code=len(value.code),
                findings=len(value.findings),
            )
        case PlannedTask():
            _tell_task(value)
        case Rewritten():
            log.info("task.planned", outcome="changed" if value.files else "unchanged", files=len(value.files))
        case _:
            pass


def _tell_task(planned: PlannedTask) -> None:
    tally = planned.tally
    counts = {
        "inputs": tally.inputs,
        "written": tally.written,
        "not_written": sum(tally.not_written.values()),
        "pending": tally.pending,
        "refused": sum(planned.refusals.values()),
    }
    if isinstance(planned.outcome, Failed):
        log.error("task.planned", outcome="failed", **counts)  # why may quote a note; the report says it
    else:
        log.info("task.planned", outcome=type(planned.outcome).__name__.lower(), **counts)
