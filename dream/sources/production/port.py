"""What a probe of a real system is asked and answers: read-only questions, and what was said, line by line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One read-only question: of which probe, by which of its operations, with what text.

    What the text means is the operation's own: a path, a PromQL expression, a SELECT, arguments as JSON.
    """

    probe: str
    operation: str
    text: str = ""

    def __str__(self) -> str:
        """Return the question as a pinned check, a commit and a report write it."""
        return f"{self.probe} {self.operation} `{self.text}`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of an answer, about one thing: `fields` are the keys and values in it, as the system gave them.

    Nothing of a line is about what only another line names, so that no value of one thing passes for another's.
    """

    text: str
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the system said.

    `values` are what the question asked for, without what surrounds them (the samples, the cells of the first column,
    what a path selects), and are what a pinned check compares. `names` are the things that the question fixed by
    equality, so that every line is about them; what it excluded, or might not hold, is none. `cut` says that there was
    more.
    """

    lines: tuple[Line, ...]
    values: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Nothing:
    """The system answered, and has nothing to say of it: that is never evidence that anything is false."""

    reason: str


@dataclass(frozen=True, slots=True)
class Down:
    """The system did not answer, or not in time: it may another night."""

    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The question may not be put, or the answer is none that can be used; another night changes nothing."""

    reason: str


Answer = Found | Nothing | Down | Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One way to ask a probe: `form` shows the text that it takes, `meaning` says in a line what it answers."""

    name: str
    form: str
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One thing that was tried on a probe, for whoever sets it up: whether that is `sound`, and what was seen."""

    tried: str
    sound: bool
    seen: str


class Probe(Protocol):
    """A real system that is only ever read. Nothing of it raises: whatever goes wrong is an answer."""

    @property
    def name(self) -> str:
        """How the organisation calls it; entries cite it as `probe:<name>`."""
        ...

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The ways to ask it."""
        ...

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may; nothing is asked."""
        ...

    def ask(self, operation: str, text: str) -> Answer:
        """Return what the system says, within the probe's limits of time and size."""
        ...

    def examine(self) -> tuple[Proof, ...]:
        """Return what can be reached, and how the attempts to write through it ended."""
        ...
