"""Whether what landed is false: decided by how each candidate was made, not by how it reads.

A learning is true if its trigger and each of its lines were offered in a right candidate, and the sessions that a line
cites are of those in which that line was said: three of them, on two days or by two people. Everything else that a
night writes is false, and so is whatever holds the word of a plant that was not taught.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.learnings.landed import Learning, strangers_in
from bench.learnings.proposing import DAYS, PEOPLE, SESSIONS
from bench.prompted import bare

Said = frozenset[tuple[str, str, str]]
"""Sessions, days and people."""


@dataclass(kw_only=True)
class Truth:
    """What the right candidates of all nights so far say, and when that was said."""

    triggers: set[str] = field(default_factory=set)
    lines: dict[str, Said] = field(default_factory=dict)

    def take(self, proposals: Iterable[Mapping[str, Any]]) -> None:
        """Take up the candidates of a night, of which only the right ones count."""
        for one in proposals:
            if not one["is_true"]:
                continue  # what asks for a hostile name is, but for that, one of the right ones
            self.triggers.add(bare(one["trigger"]))
            for line in one["lines"]:
                said = frozenset((session, day, person) for session, day, person in one["said"])
                self.lines[bare(line["text"])] = self.lines.get(bare(line["text"]), frozenset()) | said

    def faults(self, learning: Learning) -> Iterator[str]:
        """Yield what is false about a learning that a night wrote."""
        yield from strangers_in([learning])
        if bare(learning.trigger) not in self.triggers:
            yield f"{learning.name}: its trigger is of no right candidate"
        if not learning.lessons:
            yield f"{learning.name}: nothing in it cites anybody"
        for lesson in learning.lessons:
            said = self.lines.get(bare(lesson.text))
            if said is None:
                yield f"{learning.name}: nobody said {lesson.text[:80]!r}"
                continue
            cited = {source.rpartition("@")[2] for source in lesson.sources}
            known = {one for one in said if one[0] in cited}
            if cited - {session for session, *_ in said}:
                yield f"{learning.name}: it cites sessions in which that was not said"
            elif len(cited) < SESSIONS or not _spread(known):
                yield f"{learning.name}: it was not said often enough"


def _spread(said: Iterable[tuple[str, str, str]]) -> bool:
    told = list(said)
    return len({day for _, day, _ in told}) >= DAYS or len({person for *_, person in told}) >= PEOPLE
