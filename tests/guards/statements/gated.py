"""Gates before a judge that believes everything, so that what they refuse is refused by code."""

from __future__ import annotations

from collections.abc import Sequence

from dream.guards.statements.claims import Claim
from dream.guards.statements.gates import Admitted, Candidate, Gates
from dream.guards.statements.quotes import Quote
from dream.guards.statements.utterances import Record, Utterance
from dream.memory.operations import Refusal
from tests.guards.statements.spoken import RECORD

FACT = "The checkout API listens on port 8443"


class Believer:
    """A judge that supports every claim."""

    def rules_on(self, claim: Claim) -> Refusal | None:
        return Refusal("no-claim") if not claim.statement else None


def admit(
    utterances: Sequence[Utterance],
    statement: str,
    *quotes: tuple[str, str],
    record: Record = RECORD,
    people_only: bool = False,
    beside: Sequence[str] = (),
) -> Admitted | Refusal:
    """Return what the gates say of `statement`, which cites `quotes`, or all of the first utterance."""
    gates = Gates(utterances, record=record, judge=Believer(), people_only=people_only)
    cited = tuple(Quote(message, text) for message, text in quotes) or (Quote("m1", utterances[0].text),)
    return gates.admit(Candidate(statement=statement, resource="", quotes=cited), beside=beside)


def reason(found: object) -> str:
    """Return the name of a refusal, empty where there is none."""
    return found.reason if isinstance(found, Refusal) else ""
