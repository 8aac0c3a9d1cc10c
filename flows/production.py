"""The real systems of one organisation as a night asks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from config.organisation import Organisation
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.port import Probe
from dream.sources.production.recording import Recorder
from flows.clock import Clock
from flows.workplace import Workplace


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
