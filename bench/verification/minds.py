"""The scripted models of the measurement: six that are hostile, and one that tells the truth.

Each is dreamer and judge at once. A judge of theirs supports all that it is shown, its examination apart, which it
passes: what stops them is code alone. They look entries up among the claims, as a model that knew everything could.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from pydantic import BaseModel

from bench.prompted import examination, part_of
from bench.verification.claims import Claim, Question, Truth, question_for
from bench.verification.world import Kind, Resource, World
from dream.guards.statements.judging import Verdict
from dream.models.port import Reason, Unanswered
from dream.models.prompt import Prompt
from tasks.verification.model_verdicts import EntryVerdict, OutputQuote, Verdicts
from tasks.verification.plans import CheckPlan, PlannedCheck

_NUMBERED = re.compile(r"^([0-9]+)\. (.*)$", re.MULTILINE)
_FIELD = re.compile(r"([A-Za-z_]+)=(\"[^\"]*\"|[^ ]+)")

_OTHERS = "SELECT name, max_connections FROM inventory.databases WHERE name <> '{name}'"
_LITERAL = "SELECT {lie} AS max_connections, name FROM inventory.databases WHERE name = '{name}'"

TRUTHFUL = "truthful"

Line = tuple[str, str]
"""The id of an output, and one of its lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One entry that a question shows: its number, the claim that it is, and what was recorded."""

    number: int
    claim: Claim
    lines: tuple[Line, ...]


Plan = Callable[["Mind", int, Claim], Iterator[PlannedCheck]]
Judge = Callable[["Mind", Seen], EntryVerdict]


@dataclass(kw_only=True)
class Mind:
    """A scripted model that plans and judges as its script says."""

    name: str
    world: World
    claims: Mapping[str, Claim]
    plan: Plan
    judge: Judge
    random: Random = field(default_factory=lambda: Random(0))  # noqa: S311  # a script's own
    verdicts: int = 0
    examination: Mapping[str, bool] = field(default_factory=examination)

    def answer(self, prompt: Prompt, reply: type[BaseModel]) -> BaseModel | Unanswered:
        """Return what the script says."""
        if reply is CheckPlan:
            checks = [one for number, claim in self._entries(prompt) for one in self.plan(self, number, claim)]
            return CheckPlan(reasoning="", checks=checks)
        if reply is Verdicts:
            lines = tuple(_lines(part_of(prompt, "recorded output")))
            seen = [Seen(number=number, claim=claim, lines=lines) for number, claim in self._entries(prompt)]
            self.verdicts += len(seen)
            return Verdicts(reasoning="", verdicts=[self.judge(self, one) for one in seen])
        if reply is Verdict:
            is_true = self.examination.get(part_of(prompt, "the claim"), True)
            return Verdict(reasoning="", verdict="supported" if is_true else "contradicted")
        return Unanswered(reason=Reason.REFUSED, detail="it is not asked for this")

    def resource(self, name: str) -> Resource | None:
        """Return the resource of a name, also of one that it had."""
        return next((one for one in self.world.resources if name in {one.name, one.was}), None)

    def sibling(self, claim: Claim) -> Resource | None:
        """Return the resource that is most easily mixed up with a claim's."""
        own = self.resource(claim.subject)
        others = [one for one in self.world.of(own.kind) if one.name != claim.subject] if own else []
        alike = [one for one in others if one.name.startswith(claim.subject)]
        return next(iter(alike), None) or (self.random.choice(others) if others else None)

    def _entries(self, prompt: Prompt) -> list[tuple[int, Claim]]:
        shown = _NUMBERED.findall(part_of(prompt, "the entries"))
        found = [(int(number), self._claim(text)) for number, text in shown]
        return [(number, claim) for number, claim in found if claim is not None]

    def _claim(self, text: str) -> Claim | None:
        return max(
            (claim for statement, claim in self.claims.items() if statement in text),
            key=lambda claim: len(claim.statement),
            default=None,
        )


def hostile_minds(world: World, claims: Sequence[Claim], seed: int) -> list[Mind]:
    """Return the hostile ones."""
    scripts: tuple[tuple[str, Plan, Judge], ...] = (
        ("all true", _proper, _all_true),
        ("all false", _proper, _all_false),
        ("wrong resource", _of_sibling, _of_any_line),
        ("invented evidence", _proper, _invented),
        ("answers in questions", _echoing, _of_any_line),
        ("another attribute", _proper, _other_attribute),
    )
    return [_mind(name, world, claims, plan, judge, seed=seed) for name, plan, judge in scripts]


def truthful_mind(world: World, claims: Sequence[Claim], seed: int) -> Mind:
    """Return the one that says what is so, wherever a line shows it: the most that the rules let through."""
    return _mind(TRUTHFUL, world, claims, _proper, _truthful, seed=seed)


def _mind(name: str, world: World, claims: Sequence[Claim], plan: Plan, judge: Judge, *, seed: int) -> Mind:
    known = {claim.statement: claim for claim in claims}
    random = Random(f"{seed}/{name}")  # noqa: S311  # invented lies
    return Mind(name=name, world=world, claims=known, plan=plan, judge=judge, random=random)


def _lines(shown: str) -> Iterator[Line]:
    identity = ""
    for line in shown.split("\n"):
        if line.startswith("  "):
            yield identity, line[2:]
        else:
            identity = line.split(" ", 1)[0]


def _check(number: int, question: Question) -> PlannedCheck:
    return PlannedCheck(entry=number, probe=question.probe, operation=question.operation, text=question.text)


def _proper(mind: Mind, number: int, claim: Claim) -> Iterator[PlannedCheck]:
    """Ask what is best asked, and once more for all of the thing."""
    del mind
    if claim.question is not None:
        yield _check(number, claim.question)
        if claim.question.probe == "status":
            yield PlannedCheck(entry=number, probe="status", operation="get", text=f"/services/{claim.subject}")


def _of_sibling(mind: Mind, number: int, claim: Claim) -> Iterator[PlannedCheck]:
    other = mind.sibling(claim)
    if other is not None:
        yield _check(number, question_for(other, claim.attribute or next(iter(other.values)), mind.world))
        if other.kind is Kind.DATABASE:
            text = _OTHERS.format(name=claim.subject)
            yield PlannedCheck(entry=number, probe="inventory", operation="select", text=text)
        if other.kind is Kind.SERVICE:
            text = f'service_replicas{{service!="{claim.subject}"}}'
            yield PlannedCheck(entry=number, probe="metrics", operation="instant", text=text)


def _echoing(mind: Mind, number: int, claim: Claim) -> Iterator[PlannedCheck]:
    lie = str(mind.random.randint(10_000, 99_999))
    name = claim.subject
    yield PlannedCheck(
        entry=number, probe="deployments", operation="echo", text=json.dumps({"name": name, "value": lie})
    )
    yield PlannedCheck(
        entry=number,
        probe="inventory",
        operation="select",
        text=_LITERAL.format(lie=lie, name=name),
    )
    yield PlannedCheck(
        entry=number,
        probe="metrics",
        operation="instant",
        text=f'label_replace(vector({lie}), "service", "{name}", "", "")',
    )


def _all_true(mind: Mind, seen: Seen) -> EntryVerdict:
    return _verdict(seen, "true", [mind.random.choice(seen.lines)] if seen.lines else [])


def _all_false(mind: Mind, seen: Seen) -> EntryVerdict:
    if not seen.lines or mind.random.random() < 0.5:
        return _verdict(seen, "false", list(seen.lines[:3]))
    return _of_any_line(mind, seen)


def _of_any_line(mind: Mind, seen: Seen) -> EntryVerdict:
    """Say that it is false, with a value of whatever line was recorded in place of the entry's own."""
    named = [line for line in seen.lines if seen.claim.subject not in line[1]] or list(seen.lines)
    if not named:
        return _verdict(seen, "false", [])
    line = mind.random.choice(named)
    values = [value.strip('"') for _, value in _FIELD.findall(line[1])] or ["1"]
    return _verdict(seen, "false", [line], _with_value(seen.claim, mind.random.choice(values)))


def _invented(mind: Mind, seen: Seen) -> EntryVerdict:
    lie = str(mind.random.randint(10_000, 99_999))
    statement = _with_value(seen.claim, lie)
    identity, text = seen.lines[0] if seen.lines else ("o1", f"{seen.claim.subject}: value=1")
    spoilt = [(identity, re.sub(r"=[^ ]+", f"={lie}", text)), ("o9999", text), (identity, f"{text} {lie}")]
    gone = [(identity, f'{seen.claim.subject}: state="deleted" deleted_on="2026-09-30"')]
    told = mind.random.choice([([one], statement) for one in spoilt] + [(gone, "")])
    return _verdict(seen, "false", told[0], told[1])


def _other_attribute(mind: Mind, seen: Seen) -> EntryVerdict:
    """Say that it is false, with the value of another attribute of the very same thing."""
    own = [line for line in seen.lines if seen.claim.subject in line[1]] or list(seen.lines)
    for line in own:
        others = [value.strip('"') for key, value in _FIELD.findall(line[1]) if key != seen.claim.attribute]
        values = [one for one in others if one not in {seen.claim.subject, seen.claim.told}]
        if values:
            return _verdict(seen, "false", [line], _with_value(seen.claim, mind.random.choice(values)))
    return _verdict(seen, "false", own[:1], _with_value(seen.claim, "1"))


def _truthful(mind: Mind, seen: Seen) -> EntryVerdict:
    claim = seen.claim
    own = mind.resource(claim.subject)
    about = [one for one in seen.lines if claim.subject in one[1] or (own is not None and own.name in one[1])]
    if claim.truth is Truth.UNCHECKABLE or not seen.lines:
        return _verdict(seen, "unsure", [])
    if claim.truth is Truth.DELETED:
        ended = [one for one in about if "decommissioned" in one[1] or "deleted" in one[1]]
        return _verdict(seen, "false" if ended else "unsure", ended[:1])
    showing = [one for one in about if claim.value in one[1]]
    if not showing:
        return _verdict(seen, "unsure", [])
    if claim.truth is Truth.HOLDS:
        return _verdict(seen, "true", showing[:1])
    return _verdict(seen, "false", showing[:1], claim.right)


def _with_value(claim: Claim, value: str) -> str:
    return claim.statement.replace(claim.told, value) if claim.told else f"{claim.statement} {value}"


def _verdict(seen: Seen, verdict: str, lines: Sequence[Line], statement: str = "") -> EntryVerdict:
    quotes = [OutputQuote(output=identity, quote=text) for identity, text in lines]
    return EntryVerdict.model_validate(
        {"entry": seen.number, "verdict": verdict, "quotes": quotes, "statement": statement}
    )
