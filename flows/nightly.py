"""Every organisation's night: the fan-out that the 04:00 UTC schedule starts."""

from __future__ import annotations

import asyncio
from typing import Any

from prefect import flow
from prefect.states import Failed as FailedState

from flows.installation import all_organisations, open_installation
from flows.opening import parse_night
from flows.organisation import dream_organisation, scheduled_night


@flow(name="nightly", flow_run_name="nightly", retries=0, persist_result=False)
async def nightly(night: str | None = None) -> Any:
    """Dream the night of every organisation and return one JSON document.

    One that fails does not touch the others; this run itself fails only when more than the configured share did.
    """
    settings = open_installation()
    found = all_organisations(settings)
    due = parse_night(night) or scheduled_night()
    at_once = asyncio.Semaphore(settings.nightly.concurrency)

    async def dream(name: str) -> dict[str, Any]:
        async with at_once:
            run: Any = dream_organisation  # its types take what a coroutine returns as if it came at once
            state = await run(name, night=due.isoformat() if due else None, return_state=True)
        payload = await state.result(raise_on_failure=False)
        return payload if isinstance(payload, dict) else {"organisation": name, "exit": 3, "reason": str(payload)}

    nights = await asyncio.gather(*(dream(one.organisation) for one in found.organisations))
    broken = [
        {"organisation": one.name, "exit": one.error.exit_code, "reason": str(one.error), "way_out": one.error.way_out}
        for one in found.broken
    ]
    results = sorted((*nights, *broken), key=lambda one: str(one["organisation"]))
    failed = [str(one["organisation"]) for one in results if one["exit"]]
    payload = {"night": due.isoformat() if due else None, "organisations": results, "failed": failed}
    if len(failed) * 100 > len(results) * settings.nightly.failed_percent:
        return FailedState(message=f"{len(failed)} of {len(results)} failed: {', '.join(failed)}", data=payload)
    return payload
