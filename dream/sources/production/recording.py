"""Asking probes and keeping what they said, under ids that verdicts, commits and reports cite."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from dream.sources.production.port import Answer, Down, Probe, Query, Refused

_MINUTE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """One question and what the probe said, `at` that instant (aware UTC); `id` names it within its run."""

    id: str
    query: Query
    answer: Answer
    at: datetime


class Recorder:
    """Asks the probes of one run: each question once, within their rates, and none that is down over and over.

    Of all probes together `calls` questions are asked; one that did not answer `failures` times in a row is asked no
    more.
    """

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
        """Ask nothing yet; `now` is when an answer came.

        `rates` are how many questions a minute a probe is asked, by its name; `monotonic` and `sleep` (seconds) keep
        them.
        """
        self._probes = {probe.name: probe for probe in probes}
        self._now, self._monotonic, self._sleep = now, monotonic, sleep
        self._calls, self._failures, self._rates = calls, failures, rates
        self._recordings: dict[Query, Recording] = {}
        self._asked = 0
        self._failed: Counter[str] = Counter()
        self._recent: dict[str, deque[float]] = {}
        self.down: dict[str, str] = {}

    @property
    def recordings(self) -> tuple[Recording, ...]:
        """All that was asked, in order."""
        return tuple(self._recordings.values())

    def objection(self, query: Query) -> str:
        """Return why a question may not be put, "" where it may; nothing is asked."""
        probe = self._probes.get(query.probe)
        return "there is no such probe" if probe is None else probe.objection(query.operation, query.text)

    def ask(self, query: Query) -> Recording:
        """Return the recording of a question, asked now unless it was before."""
        known = self._recordings.get(query)
        if known is None:
            identity = f"o{len(self._recordings) + 1}"
            known = Recording(id=identity, query=query, answer=self._answer(query), at=self._now())
            self._recordings[query] = known
        return known

    def _answer(self, query: Query) -> Answer:
        probe = self._probes.get(query.probe)
        if probe is None:
            return Refused("there is no such probe")
        objection = probe.objection(query.operation, query.text)
        if objection:
            return Refused(objection)
        if query.probe in self.down:
            return Down(f"asked no more: {self.down[query.probe]}")
        if self._asked >= self._calls:
            return Refused(f"more than {self._calls} questions in one night")
        self._asked += 1
        self._wait(query.probe)
        answer = probe.ask(query.operation, query.text)
        if not isinstance(answer, Down):
            self._failed.pop(query.probe, None)
            return answer
        self._failed[query.probe] += 1
        if self._failed[query.probe] >= self._failures:
            self.down[query.probe] = answer.reason
        return answer

    def _wait(self, name: str) -> None:
        """Wait until a probe may be asked again: so many questions in any minute."""
        most = self._rates.get(name, 0)
        if not most:
            return
        recent = self._recent.setdefault(name, deque(maxlen=most))
        if len(recent) == most:
            left = recent[0] + _MINUTE - self._monotonic()
            if left > 0:
                self._sleep(left)
        recent.append(self._monotonic())
