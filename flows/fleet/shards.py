"""Nights dreamed on a work pool: each batch a run of the shard's deployment, started again where it does not end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Literal
from uuid import UUID

import structlog
from httpx import HTTPError, HTTPStatusError, codes
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.deployments import arun_deployment
from prefect.exceptions import ObjectNotFound
from prefect.states import Cancelling

from config.fleet import Nightly
from dream.report.durations import spoken_seconds
from flows.clock import Clock, Wait
from flows.fleet.fan_out import Batch, Document, broken_document
from flows.fleet.pools import NoRoomError, use_of

log = structlog.get_logger()

LABEL = "dream.organisation."
"""Under which label of its own run a shard leaves what came of an organisation: counts, ids and reasons."""

TOLD = ("night", "status", "exit", "tip", "tries", "again", "outage")
"""What of an organisation's document a shard leaves, beside the reason and the next step that everybody may read."""

_MOST_CHARACTERS = 500
_MOST_RUNS = 1000

Verdict = Literal["wait", "ended", "stuck"]


class PoolRunner:
    """Dreams batches as deployment runs on a work pool, each looked at until it has ended."""

    def __init__(
        self, limits: Nightly, *, night: date, clock: Clock, by_clock: bool = False, pause: Wait = asyncio.sleep
    ) -> None:
        """Dream `night`, which nobody named where it was found `by_clock`.

        Runs that had ended before now are nobody's to wait for.
        """
        self._limits = limits
        self._by_clock = by_clock
        self._night = night
        self._clock = clock
        self._pause = pause
        self._began = clock.now()
        self._used: set[UUID] = set()

    async def run(self, batch: Batch) -> Sequence[Document]:
        """Return what came of each organisation of a batch, started again up to the configured number of times."""
        why, again = "", False
        for attempt in range(1, self._limits.shard_attempts + 1):
            try:
                ended = await self._watch(await self._start(batch, batch.attempt + attempt - 1))
            except ObjectNotFound:
                return _never_begun(batch, f"Prefect knows no deployment {self._limits.shard_deployment}", _DEPLOY)
            except NoRoomError as error:
                return _never_begun(batch, str(error), error.way_out)
            except Exception as error:  # noqa: BLE001  # a server that is down comes back, or the attempts are used up
                if _is_refused(error):
                    why = f"the deployment {self._limits.shard_deployment} is of another version than this"
                    return _never_begun(batch, why, _DEPLOY)
                why, again = f"Prefect could not run its shard: {type(error).__name__}", isinstance(error, HTTPError)
                await self._pause(self._limits.poll_seconds)
                continue
            found, again = read_labels(ended.labels), False
            if all(name in found for name in batch.names):
                return [found[name] for name in batch.names]
            if kind_of(ended.state) == StateType.SCHEDULED.value:
                why = f"no worker began its shard in {spoken_seconds(self._limits.shard_seconds)}"
                break
            why = f"its shard ended as {ended.state_name} in attempt {attempt} of {self._limits.shard_attempts}"
            log.warning("shard.broke", number=batch.number, state=ended.state_name, attempt=attempt)
        way_out = f"see that workers poll the pool, then: dream nightly --night {self._night.isoformat()}"
        return _never_begun(batch, why, way_out, again=again)

    async def _start(self, batch: Batch, attempt: int) -> FlowRun:
        """Return the run of a batch: a new one, or the one that another run of this night waits for as well."""
        now = self._clock.now()
        digest = sha256("\n".join(batch.names).encode()).hexdigest()[:16]
        for number in range(attempt, attempt + _MOST_RUNS):
            run = await arun_deployment(
                self._limits.shard_deployment,
                parameters={
                    "organisations": list(batch.names),
                    "night": self._night.isoformat(),
                    "attempt": attempt,
                    "then": batch.then,
                    "again": batch.again,
                    "by_clock": self._by_clock,
                },
                flow_run_name=_name_of(batch, attempt),
                tags=[f"night:{self._night.isoformat()}", f"ring:{batch.ring}"],
                idempotency_key=f"{self._night.isoformat()}:{digest}:{number}",
                timeout=0,
            )
            ended_before = run.state is not None and run.state.is_final() and (run.end_time or now) < self._began
            if run.id not in self._used and not ended_before:
                self._used.add(run.id)
                return run
        message = "there is no key left for another run"
        raise RuntimeError(message)

    async def _watch(self, run: FlowRun) -> FlowRun:
        """Return the run once it has ended; one that is stuck is cancelled, and returned as it is."""
        seen, since = run.state, self._clock.monotonic()
        looked = since
        while True:
            await self._pause(self._limits.poll_seconds)
            now = self._clock.monotonic()
            try:
                async with get_client() as client:
                    run = await client.read_flow_run(run.id)
            except Exception as error:  # noqa: BLE001  # a server that restarts is asked again
                log.info("shard.not_seen", error=type(error).__name__)
            if kind_of(run.state) != kind_of(seen):
                seen, since, looked = run.state, now, now
            verdict = judge_shard(run.state, seconds=now - since, limits=self._limits)
            if verdict == "ended":
                return run
            if verdict == "stuck":
                return await self._cancel(run)
            if kind_of(run.state) == StateType.SCHEDULED.value and now - looked > self._limits.pending_seconds:
                looked = now
                await self._check_room(run)

    async def _check_room(self, run: FlowRun) -> None:
        """Log why nobody begins a run; raises NoRoomError where waiting for that cannot help."""
        try:
            use = await use_of(run)
        except Exception as error:  # noqa: BLE001  # then it is waited for as before
            log.info("pool.not_seen", error=type(error).__name__)
            return
        if use is None:
            return
        log.warning("shard.not_begun", status=use.hold(), runs=use.runs)
        if use.hold() == "held-by-nightly":
            await self._cancel(run)
            raise use.error()

    async def _cancel(self, run: FlowRun) -> FlowRun:
        """Ask for the end of a run that is stuck; where a worker still has it, that ends its process."""
        try:
            async with get_client() as client:
                await client.set_flow_run_state(run.id, Cancelling(message="it was stuck, and is started again"))
        except Exception as error:  # noqa: BLE001  # then it goes on, which costs time and lands nothing twice
            log.warning("shard.not_cancelled", error=type(error).__name__)
        return run


def _never_begun(batch: Batch, why: str, way_out: str, *, again: bool = False) -> list[Document]:
    return [{**broken_document(name, why, way_out), "began": False, "again": again} for name in batch.names]


def _is_refused(error: Exception) -> bool:
    """Whether Prefect does not take what a shard is given, since its deployment tells of other parameters."""
    return isinstance(error, HTTPStatusError) and error.response.status_code in {
        codes.CONFLICT,
        codes.UNPROCESSABLE_ENTITY,
    }


def judge_shard(state: State[Any] | None, *, seconds: float, limits: Nightly) -> Verdict:
    """Return whether a shard that has been in its state for so many seconds has ended, is stuck, or is waited for.

    One that waits for a worker may do so as long as one may run, since a pool that is full is no fault; one that a
    worker took and never started may not.
    """
    if state is not None and state.is_final():
        return "ended"
    pending = state is not None and state.type in {StateType.PENDING, StateType.CANCELLING}
    return "stuck" if seconds > (limits.pending_seconds if pending else limits.shard_seconds) else "wait"


def kind_of(state: State[Any] | None) -> str:
    """Return of which kind a state is, so that a run that is late is still one that is scheduled."""
    return "" if state is None else state.type.value


def write_labels(documents: Sequence[Document]) -> dict[str, bool | int | float | str]:
    """Return the labels under which a shard leaves what came of its organisations."""
    return {f"{LABEL}{one['organisation']}": json.dumps(_public(one)) for one in documents}


def read_labels(labels: Any) -> dict[str, Document]:
    """Return what a shard left in its labels, by organisation; what cannot be read is left out."""
    found: dict[str, Document] = {}
    for key, value in labels.items():
        if not key.startswith(LABEL):
            continue
        try:
            document = json.loads(value)
        except (TypeError, ValueError):
            continue
        if isinstance(document, dict) and isinstance(document.get("exit"), int) and "status" in document:
            found[key.removeprefix(LABEL)] = {**document, "organisation": key.removeprefix(LABEL)}
    return found


def _public(document: Document) -> dict[str, Any]:
    told = document.get("told", document)
    words = {key: str(told.get(key, ""))[:_MOST_CHARACTERS] for key in ("reason", "way_out")}
    return {**{key: document[key] for key in TOLD if key in document}, **words}


def _name_of(batch: Batch, attempt: int) -> str:
    again = f" again {attempt}" if attempt > 1 else ""
    return f"shard {batch.number} of {batch.batches}{again}"


_DEPLOY = "prefect deploy --all --prefect-file deploy/prefect.yaml"
