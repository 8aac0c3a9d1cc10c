"""Questions of one night, put once each, not too many nor too fast, with the answers kept under ids to cite."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import structlog

from dream.sources.production.port import Answer, Down, Probe, Query, Refused

log = structlog.get_logger()

_MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What a probe was asked and said, under an id that is one of its night: `o1`, `o2` and so on."""

    id: str
    query: Query
    answer: Answer
    at: datetime


class Recorder:
    """Asks probes and keeps what they say; nothing of it raises, whatever a probe does."""

    def __init__(
        self,
        probes: Iterable[Probe],
        *,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
        sleep: Callable[[float], None],
        calls: int = 500,
        failures: int = 3,
        rates: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Take probes, up to `calls` questions for all of them and up to `failures` in a row of each.

        `rates` are how many questions a minute a probe is asked, by its name; `monotonic` and `sleep` (seconds) keep
        them, and `now` (aware UTC) is when an answer came.
        """
        self._probes = {probe.name: probe for probe in probes}
        self._now, self._monotonic, self._sleep = now, monotonic, sleep
        self._calls_left = calls
        self._failures = failures
        self._rates = dict(rates)
        self._asked: dict[str, deque[float]] = {}
        self._failed: dict[str, list[str]] = {}
        self._refused: dict[str, str] = {}
        self._answered: set[str] = set()
        self._recordings: dict[Query, Recording] = {}

    @property
    def probes(self) -> tuple[Probe, ...]:
        """The probes that can be asked."""
        return tuple(self._probes.values())

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """Every question that was asked, in that order."""
        return tuple(self._recordings.values())

    @property
    def down(self) -> Mapping[str, str]:
        """The probes whose last answer was that they are down, with the reason."""
        return {name: reasons[-1] for name, reasons in self._failed.items() if reasons}

    @property
    def refusing(self) -> Mapping[str, str]:
        """The probes that refused what they were asked, with the last reason, and answered nothing else."""
        return {name: why for name, why in self._refused.items() if name not in self._answered}

    def objection(self, query: Query) -> str:
        """Return why a question may not be put, "" where it may; nothing is asked."""
        probe = self._probes.get(query.probe)
        if probe is None:
            return "there is no probe of that name"
        try:
            return probe.objection(query.operation, query.text)
        except Exception as error:  # noqa: BLE001  # one probe that is broken is no reason to end the night
            return _broken(query, error)

    def ask(self, query: Query) -> Recording:
        """Return what is said to a question; to one that was asked before, what was said then."""
        recording = self._recordings.get(query)
        if recording is None:
            answer = self._answer(query)
            recording = Recording(id=f"o{len(self._recordings) + 1}", query=query, answer=answer, at=self._now())
            self._recordings[query] = recording
        return recording

    def _answer(self, query: Query) -> Answer:
        if objection := self.objection(query):
            return Refused(objection)
        failed = self._failed.setdefault(query.probe, [])
        if len(failed) >= self._failures:
            return Down(f"it is asked no more tonight, after {len(failed)} failures in a row: {failed[-1]}")
        if self._calls_left <= 0:
            return Refused("all questions of this night have been asked")
        self._calls_left -= 1
        self._keep_pace(query.probe)
        try:
            answer = self._probes[query.probe].ask(query.operation, query.text)
        except Exception as error:  # noqa: BLE001
            answer = Down(_broken(query, error))
        if isinstance(answer, Down):
            failed.append(answer.reason)
        else:
            failed.clear()
        if isinstance(answer, Refused):
            self._refused[query.probe] = answer.reason
        elif not isinstance(answer, Down):
            self._answered.add(query.probe)
        log.info("probe.asked", probe=query.probe, operation=query.operation, outcome=type(answer).__name__.lower())
        return answer

    def _keep_pace(self, probe: str) -> None:
        """Wait until a minute has passed since the question that is as many back as there may be in one."""
        most = self._rates.get(probe, 0)
        if most <= 0:
            return
        asked = self._asked.setdefault(probe, deque(maxlen=most))
        if len(asked) == most and (wait := asked[0] + _MINUTE - self._monotonic()) > 0:
            self._sleep(wait)
        asked.append(self._monotonic())


def _broken(query: Query, error: Exception) -> str:
    log.error("probe.broke", probe=query.probe, operation=query.operation, error=type(error).__name__)
    return f"the probe itself is broken: {type(error).__name__}"
