"""The real systems of one organisation as a night asks them, and what it keeps of their answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Protocol

import structlog

from config.organisation import Organisation
from dream.errors import DreamError
from dream.guards.masking import mask_secrets
from dream.object_store import Objects
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.port import Probe
from dream.sources.production.recording import Recorder, Recording
from dream.sources.production.recordings import render_recordings
from flows.clock import Clock
from flows.workplace import Workplace

log = structlog.get_logger()

FOLDER = "production"
"""Where in an organisation's store the answers of its nights are."""


class ProbeMaker(Protocol):
    """Gives what asks the systems that an organisation declares, and lets go of it at the end; none is asked yet."""

    def __call__(
        self, organisation: Organisation, *, code: Sequence[CodeTree], home: Path
    ) -> AbstractContextManager[tuple[Probe, ...]]:
        """Return the probes; `code` are the repositories as the night has read them, below `home`."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedProduction:
    """The probes of one night, and who asks them and keeps what they said."""

    probes: tuple[Probe, ...]
    recorder: Recorder

    @property
    def sources(self) -> frozenset[str]:
        """Every probe that an entry may cite tonight."""
        return frozenset(f"probe:{one.name}" for one in self.probes)


@contextmanager
def ask_production(
    workplace: Workplace, probes: ProbeMaker, *, code: Sequence[CodeTree], clock: Clock
) -> Iterator[AskedProduction]:
    """Give what the organisation's systems are asked by tonight; nothing is asked yet."""
    limits = workplace.organisation.limits.verification
    with probes(workplace.organisation, code=code, home=workplace.home) as made:
        recorder = Recorder(
            made,
            now=clock.now,
            monotonic=clock.monotonic,
            sleep=clock.sleep,
            calls=limits.calls,
            failures=limits.failures,
            rates={one.name: one.calls_per_minute for one in workplace.organisation.production},
        )
        yield AskedProduction(probes=made, recorder=recorder)


def keep_recordings(
    workplace: Workplace, recordings: Sequence[Recording], *, night: date, landings: int
) -> tuple[str, ...]:
    """Keep what probes answered in a night beside the memory, credentials masked, and return what a person is told.

    It is in the organisation's store, at `production/2026-10/2026-10-22.jsonl`, that of a second landing of the night
    in `2026-10-22.2.jsonl`; what is older than as many nights as records are kept is taken away. Nothing raises: the
    night has ended.
    """
    if not recordings:
        return ()
    store = Objects(workplace.store, FOLDER)
    oldest = (night - timedelta(days=workplace.organisation.limits.records.kept)).isoformat()
    name = f"{night.isoformat()}.{landings + 1}.jsonl" if landings else f"{night.isoformat()}.jsonl"
    try:
        store.connect()
        store.write(f"{night:%Y-%m}/{name}", render_recordings(recordings, mask=mask_secrets))
        for kept in store.names():
            if kept.endswith(".jsonl") and kept.rpartition("/")[2] < oldest:
                store.remove(kept)
    except DreamError as error:
        log.warning("recordings.not_kept", error=type(error).__name__)
        return (f"what the probes answered was not kept: {error}",)
    return ()
