"""A system that cannot be asked as things are, such as one whose credential is missing."""

from __future__ import annotations

from dataclasses import dataclass

from dream.sources.production.port import Answer, Down, Operation, Probe, Proof, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreachableProbe:
    """Stands for `probe`, takes the same questions, and answers each with the `reason` why it is not put.

    `operations` are the ways to ask it that are known without asking it.
    """

    probe: Probe
    reason: str
    operations: tuple[Operation, ...] = ()

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self.probe.name

    def objection(self, operation: str, text: str) -> str:
        """Return what the system itself would object to."""
        return self.probe.objection(operation, text)

    def ask(self, operation: str, text: str) -> Answer:
        """Return that the system is down, as it may answer another night, or that it is no question for it."""
        objection = self.objection(operation, text)
        return Refused(objection) if objection else Down(self.reason)

    def examine(self) -> tuple[Proof, ...]:
        """Return that nothing could be tried."""
        return (Proof(tried="reach it", sound=False, seen=self.reason),)
