"""A probe whose answers are a table that a test writes, and that a test takes down and brings up again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from config.organisation import Organisation
from dream.sources.production.code.tree import CodeTree
from dream.sources.production.port import Answer, Down, Found, Line, Nothing, Operation, Probe, Proof
from flows.production import ProbeMaker


@dataclass(kw_only=True)
class TableProbe:
    """Answers `answers[operation, text]`, Nothing where the table has no line; `down` says why it does not answer.

    `asked` holds every question that reached it.
    """

    name: str = "metrics"
    answers: Mapping[tuple[str, str], Answer] = field(default_factory=dict)
    down: str = ""
    objects: str = ""
    operations: tuple[Operation, ...] = (Operation(name="get", form="NAME", meaning="what is known of a thing"),)
    asked: list[tuple[str, str]] = field(default_factory=list)

    def objection(self, operation: str, text: str) -> str:
        """Return `objects`, or that there is no such operation."""
        del text
        return self.objects or ("" if operation in {one.name for one in self.operations} else "no such operation")

    def ask(self, operation: str, text: str) -> Answer:
        """Return what the table says."""
        self.asked.append((operation, text))
        if self.down:
            return Down(self.down)
        return self.answers.get((operation, text), Nothing("the table has no such line"))

    def examine(self) -> tuple[Proof, ...]:
        """Return that nothing can be written."""
        return (Proof(tried="write", sound=True, seen="it is a table"),)


def found(thing: str, *, value: str = "", **fields: str) -> Found:
    """Return an answer of one line about `thing`, which the question fixed: `orders-api: replicas=7`."""
    told = " ".join(f"{key}={value}" for key, value in fields.items())
    first = value or next(iter(fields.values()))
    return Found(lines=(Line(text=f"{thing}: {told}", fields=tuple(fields.items())),), values=(first,), names=(thing,))


def serving(*probes: TableProbe) -> ProbeMaker:
    """Return what makes a night's probes: these, whatever the organisation declares, and its code."""

    @contextmanager
    def make(organisation: Organisation, *, code: Sequence[CodeTree], home: Path) -> Iterator[tuple[Probe, ...]]:
        del organisation, code, home
        yield probes

    return make
