"""One proposed statement before the gates: as a candidate, with their answer, and what of a no is worth remembering."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dream.guards.statements.gates import REMEMBERED, Admitted, Candidate, Gates, digest_of
from dream.guards.statements.quotes import Quote
from dream.memory.operations import Refusal
from tasks.proposals import CitedQuote, LastingStatement, shaped

MOST_BESIDE = 40
"""Beside how many of the entries that stand in a note, the last ones, a new statement is read."""


ADMITTED = "admitted"
"""How a statement ends that passed the gates and has a place; the rules for any operation are still before it."""


def account_of(task: str, ends: Counter[str]) -> tuple[str, ...]:
    """Return the line that says how many statements were proposed for `task`, and how many ended how, most first."""
    count = sum(ends.values())
    if not count:
        return ()
    noun = "statement" if count == 1 else "statements"
    ordered = sorted(ends.items(), key=lambda one: (-one[1], one[0]))
    return (f"{task}: {count} {noun} proposed: {', '.join(f'{number} {end}' for end, number in ordered)}",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """What the gates said; `digest` is that of a statement that a judge turned down, to be remembered, else empty."""

    answer: Admitted | Refusal
    digest: str = ""


def is_hopeful(one: LastingStatement, gates: Gates) -> bool:
    """Return whether code alone lets a statement pass, so that it is worth asking anybody about."""
    candidate = _candidate(one.statement, one.resource, one.quotes, is_tentative=one.tentative)
    return not isinstance(candidate, Refusal) and not isinstance(gates.check(candidate), Refusal)


def rule_on(
    statement: str,
    resource: str,
    quotes: Sequence[CitedQuote],
    *,
    gates: Gates,
    is_tentative: bool,
    beside: Sequence[str] = (),
) -> Ruled:
    """Return what the gates say of a proposed statement; it is not asked of them where it has no shape of one.

    `beside` are the statements that were admitted before and that somebody will read together with it.
    """
    candidate = _candidate(statement, resource, quotes, is_tentative=is_tentative)
    if isinstance(candidate, Refusal):
        return Ruled(answer=candidate)
    answer = gates.admit(candidate, beside=beside)
    if isinstance(answer, Admitted) or answer.reason not in REMEMBERED:
        return Ruled(answer=answer)
    found = gates.check(candidate, beside=beside)
    if isinstance(found, Refusal):
        return Ruled(answer=answer)
    return Ruled(answer=answer, digest=digest_of(found[0].statement, found[0].sources))


def _candidate(
    statement: str, resource: str, quotes: Sequence[CitedQuote], *, is_tentative: bool
) -> Candidate | Refusal:
    text = shaped(statement, resource)
    if isinstance(text, Refusal):
        return text
    return Candidate(
        statement=text,
        resource=" ".join(resource.split()),
        quotes=tuple(Quote(quote.message, quote.quote) for quote in quotes),
        tentative=is_tentative,
    )
