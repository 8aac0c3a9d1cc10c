"""Nights dreamed in this process: each organisation a flow run of its own within the one that is under way."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Any

import httpx
from prefect import tags
from prefect.exceptions import Abort, Pause

from dream.errors import DreamError
from flows.fleet.fan_out import Batch, Document, broken_document
from flows.organisation import dream_organisation
from flows.telling.reasons import public_reason


class HereRunner:
    """Dreams organisations in this process, at most `concurrency` of them at once."""

    def __init__(self, *, night: date, concurrency: int, by_clock: bool = False) -> None:
        """Dream `night`, which nobody named where it was found `by_clock`."""
        self._night = night
        self._by_clock = by_clock
        self._at_once = asyncio.Semaphore(concurrency)

    async def run(self, batch: Batch) -> Sequence[Document]:
        """Return what came of each organisation of a batch, begun as room is made for it."""
        return await asyncio.gather(*(self._dream(name, batch) for name in batch.names))

    async def _dream(self, name: str, batch: Batch) -> Document:
        night = self._night.isoformat()
        way_out = f"dream run {name} --night {night}"
        told = {"then": batch.then, "again": batch.again, "by_clock": self._by_clock}
        flow: Any = dream_organisation  # its types take what a coroutine returns as if it came at once
        if batch.attempt > 1:
            flow = flow.with_options(flow_run_name=f"{name} again {batch.attempt}")
        try:
            async with self._at_once:
                with tags(f"organisation:{name}", f"night:{night}", f"ring:{batch.ring}"):
                    state = await flow(name, night=night, return_state=True, **told)
            payload = await state.result(raise_on_failure=False)
        except (Exception, Abort, Pause) as error:  # noqa: BLE001  # one organisation's trouble is its own
            return prefect_trouble(name, error, way_out)
        if isinstance(payload, dict):
            return payload
        if isinstance(payload, DreamError):
            way_out = payload.way_out or way_out
            broken = broken_document(name, str(payload), way_out, exit_code=payload.exit_code)
            return {**broken, "told": {"reason": public_reason(payload), "way_out": way_out}}
        return broken_document(name, f"its run ended as {state.name} and left no result", way_out)


def prefect_trouble(name: str, error: BaseException, way_out: str) -> Document:
    """Return the document of an organisation whose run Prefect broke; a server that is down or ails comes back.

    That is an outage, and tells nothing of the release: the night may even have landed.
    """
    is_outage = isinstance(error, httpx.HTTPError)
    broken = broken_document(name, f"Prefect could not run it: {type(error).__name__}", way_out)
    return {**broken, "again": is_outage, "outage": is_outage}
