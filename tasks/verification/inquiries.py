"""The questions that are put about one note: bounded for the note and for each entry, and what came of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dream.guards.verdicts.outputs import Output
from dream.sources.production.port import Answer, Found, Query, Refused
from dream.sources.production.recording import Recorder
from tasks.verification.limits import VerificationLimits
from tasks.verification.recorded_outputs import output_of

_NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question with its answer; `id` is that of the recording, empty where nothing was asked."""

    query: Query
    answer: Answer
    id: str = ""
    at: datetime = _NEVER

    def output(self, *, most: int) -> Output | None:
        """Return the first `most` lines of the answer as evidence, None where it is none."""
        if not isinstance(self.answer, Found):
            return None
        return output_of(self.id, self.query, self.answer, at=self.at, most=most)


@dataclass(kw_only=True)
class Inquiry:
    """Puts the questions about one note; `asked` holds those that were put."""

    recorder: Recorder
    limits: VerificationLimits
    asked: dict[Query, Asked] = field(default_factory=dict)
    _by_entry: Counter[int] = field(default_factory=Counter)

    def ask(self, entry: int, query: Query) -> Asked:
        """Return what the probe says, or that the entry at line `entry`, or its note, has asked enough."""
        known = self.asked.get(query)
        if known is not None:
            return known
        if self._by_entry[entry] >= self.limits.calls_per_entry:
            return Asked(query=query, answer=Refused(f"more than {self.limits.calls_per_entry} questions for an entry"))
        if len(self.asked) >= self.limits.calls_per_note:
            return Asked(query=query, answer=Refused(f"more than {self.limits.calls_per_note} questions for a note"))
        self._by_entry[entry] += 1
        recording = self.recorder.ask(query)
        asked = Asked(query=query, answer=recording.answer, id=recording.id, at=recording.at)
        self.asked[query] = asked
        return asked
