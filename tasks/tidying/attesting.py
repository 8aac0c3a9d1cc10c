"""A judge's word that two statements in other words are one: asked both ways, and only of a judge that is fit tonight.

It is examined first on pairs whose relation is known, and every question holds one more pair of two statements that are
not one: a judge that says yes to everything attests nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import FatalError
from dream.guards.sameness.attesting import attestation
from dream.guards.statements.limits import CanaryLimits
from dream.models.port import Consequence, Model, Replied
from dream.models.prompt import Prompt
from prompts.loading import load_template

Said = tuple[str, str]
"""Two statements, as they are compared."""

_CASES = "judge/equivalence.json"
_SUPPORTED = "supported"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class PairAttested(_Strict):
    """What a judge says of one pair, by its number."""

    number: int
    second_from_first: Literal["supported", "contradicted", "unsure"]
    first_from_second: Literal["supported", "contradicted", "unsure"]


class Attestations(_Strict):
    """What a judge says of the pairs of one question."""

    reasoning: str
    pairs: list[PairAttested]


class Control(_Strict):
    """Two statements of which it is known whether they are one."""

    id: str
    kind: str
    same: bool
    first: str
    second: str

    @property
    def said(self) -> Said:
        """The two statements."""
        return self.first, self.second


class _Cases(_Strict):
    cases: list[Control]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attester:
    """Who attests tonight, how many pairs at once, and by which cases it is examined.

    `examined` holds for the night what an examination came to, by the name of the model. `salt` makes tonight's
    questions new.
    """

    model: Model
    controls: Sequence[Control]
    limits: CanaryLimits = field(default_factory=CanaryLimits)
    together: int = 8
    salt: str = ""
    examined: MutableMapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Attested:
    """What was attested: `lines` of evidence by the statement that stays and the one that goes.

    `silent` are the pairs without an answer; `unfit` says why nobody was asked, in words for the report; `distrusted`
    counts the questions whose answers count for nothing, because the pair that was put in passed for one statement.
    """

    lines: dict[Said, str] = field(default_factory=dict)
    silent: set[Said] = field(default_factory=set)
    unfit: str = ""
    distrusted: int = 0


def packaged_controls() -> Sequence[Control]:
    """Return the cases that are packaged with the prompts.

    Raises:
        FatalError: the package is damaged.
    """
    data = resources.files("prompts").joinpath(_CASES).read_bytes()
    try:
        found = _Cases.model_validate_json(data).cases
    except ValidationError as error:
        message = f"{_CASES} cannot be read: the package is damaged"
        raise FatalError(message, way_out="install the package again") from error
    return tuple(found)


def attest(pairs: Sequence[Said], attester: Attester) -> Attested:
    """Return for which of `pairs` the judge finds each statement in the other."""
    found = Attested()
    if not pairs:
        return found
    found.unfit = _examined(attester)
    if found.unfit:
        found.silent = set(pairs)
        return found
    traps = [control for control in attester.controls if not control.same]
    for start in range(0, len(pairs), attester.together):
        batch = list(dict.fromkeys(pairs[start : start + attester.together]))
        at, trap = _planted(batch, traps, attester.salt)
        shown = [*batch[:at], trap.said, *batch[at:]]
        answers = _answers(shown, attester)
        if isinstance(answers, str):
            found.silent.update(batch)
        elif at in answers:
            found.distrusted += 1
        else:
            for number in answers:
                kept, other = shown[number]
                found.lines[kept, other] = attestation(kept, other, judge=attester.model.name)
                found.lines[other, kept] = attestation(other, kept, judge=attester.model.name)
    return found


def _examined(attester: Attester) -> str:
    """Return why the judge may not attest tonight, empty where it may: examined once for all who ask."""
    name = attester.model.name
    key = f"{name} of statements in other words"
    known = attester.examined.get(name) or attester.examined.get(key)
    if known is not None:
        return known
    why, is_answered = _examine(attester)
    told = f"the judge {name} may not say which statements are one: {why}" if why else ""
    if is_answered:
        attester.examined[key] = told
    return told


def _examine(attester: Attester) -> tuple[str, bool]:
    ordered = sorted(attester.controls, key=lambda one: _number(f"{attester.salt} {one.id}"))
    passed: dict[bool, int] = {True: 0, False: 0}
    total = sum(one.same for one in ordered)
    for start in range(0, len(ordered), attester.together):
        batch = ordered[start : start + attester.together]
        answers = _answers([one.said for one in batch], attester)
        if isinstance(answers, str):
            return f"it could not be examined: {answers}", False
        for number in answers:
            passed[batch[number].same] += 1
        if passed[False] > attester.limits.allowed_false:
            return f"it took {passed[False]} pairs of two statements for one", True
    if not total or passed[True] < attester.limits.least_true * total:
        return f"it knew {passed[True]} of {total} pairs of one statement", True
    return "", True


def _planted(batch: Sequence[Said], traps: Sequence[Control], salt: str) -> tuple[int, Control]:
    """Return a pair of two statements, and where it stands among `batch`: nobody can tell who does not know all."""
    chance = _number(salt + "\0".join(text for said in batch for text in said))
    return chance % (len(batch) + 1), traps[chance // 1_000 % len(traps)]


def _answers(pairs: Sequence[Said], attester: Attester) -> frozenset[int] | str:
    """Return the places of the pairs whose statements follow from one another, or why there is no answer."""
    answer = attester.model.ask(_question(pairs, attester.salt), Attestations)
    if isinstance(answer, Replied):
        return frozenset(_both_ways(answer.reply, len(pairs)))
    if answer.consequence is Consequence.STOP or len(pairs) == 1:
        return answer.reason.value
    half = len(pairs) // 2
    first, second = (_answers(part, attester) for part in (pairs[:half], pairs[half:]))
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    return first | {half + number for number in second}


def _both_ways(reply: Attestations, count: int) -> Iterator[int]:
    by_number: Mapping[int, list[PairAttested]] = {
        number: [one for one in reply.pairs if one.number == number] for number in range(1, count + 1)
    }
    for number, told in by_number.items():
        if len(told) == 1 and {told[0].second_from_first, told[0].first_from_second} == {_SUPPORTED}:
            yield number - 1


def _question(pairs: Sequence[Said], salt: str) -> Prompt:
    shown = (
        f"pair {number}\nfirst:\n{_indented(first)}\nsecond:\n{_indented(second)}"
        for number, (first, second) in enumerate(pairs, 1)
    )
    text = "\n\n".join(shown)
    return load_template("judge/equivalence").render({"count": len(pairs)}, {"pairs": text}, salt=salt)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.split("\n"))


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")
