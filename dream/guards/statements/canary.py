"""Cases with known answers that tonight's judge is asked first: one that fails them decides nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import FatalError
from dream.guards.statements.claims import Claim
from dream.guards.statements.judging import Ruling
from dream.guards.statements.limits import CanaryLimits
from dream.guards.statements.quotes import Located
from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.models.port import CONSEQUENCES, Consequence

_DECIDED = frozenset({"not-entailed", "judge-unsure"})
_SILENT_FOR_THE_NIGHT = frozenset(
    f"judge-{reason.value}" for reason, consequence in CONSEQUENCES.items() if consequence is Consequence.STOP
)
_OUT_OF_REACH = _SILENT_FOR_THE_NIGHT | {
    f"judge-{reason.value}" for reason, consequence in CONSEQUENCES.items() if consequence is Consequence.RETRY
}


class CanaryError(FatalError):
    """The packaged cases cannot be read: the package is damaged."""

    usual_way_out = "install the package again"


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    speaker: Literal["person", "agent", "tool"]
    text: str


class _Case(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: str
    kind: str
    supported: bool
    statement: str
    day: str
    repository: str
    lines: list[_Line]


class _Cases(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    cases: list[_Case]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryCase:
    """A claim, of which `kind` it is, and whether its lines support it."""

    id: str
    kind: str
    supported: bool
    claim: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How a judge did: supported among the true cases, supported among the false ones, and who had no answer."""

    true_supported: int
    true_cases: int
    false_supported: int
    false_cases: int
    unanswered: int = 0

    def __str__(self) -> str:
        """Read `7 of 8 true, 0 of 8 false, 0 unanswered`."""
        return (
            f"{self.true_supported} of {self.true_cases} true, {self.false_supported} of {self.false_cases} false, "
            f"{self.unanswered} unanswered"
        )


@dataclass(frozen=True, slots=True)
class Fit:
    """Tonight's judge may decide."""

    score: Score


@dataclass(frozen=True, slots=True)
class Unfit:
    """Tonight's judge may not decide; `reason` is `judge-credulous`, `judge-strict` or why it is silent."""

    score: Score
    reason: str

    @property
    def asked(self) -> bool:
        """Whether the judge was there to be examined: no ceiling, refused key or outage stood against it."""
        return self.reason not in _OUT_OF_REACH


def parse_canary(data: bytes) -> tuple[CanaryCase, ...]:
    """Return the packaged cases.

    Raises:
        CanaryError: they are no valid JSON, hold an unknown key, or have no true or no false case.
    """
    try:
        cases = _Cases.model_validate(json.loads(data, object_pairs_hook=_unique)).cases
        made = tuple(_case(one) for one in cases)
    except (ValueError, ValidationError, RecursionError) as error:
        message = "the canary cases cannot be read"
        raise CanaryError(message) from error
    if {case.supported for case in made} != {True, False} or len({case.id for case in made}) < len(made):
        message = "the canary needs true and false cases, each with an id of its own"
        raise CanaryError(message)
    return made


def examine_judge(judge: Ruling, cases: Sequence[CanaryCase], *, limits: CanaryLimits | None = None) -> Fit | Unfit:
    """Return whether `judge` supports no more false cases than `limits` allow, and enough of the true ones.

    A judge that is silent for the night, or was silent `most_silences` times, is asked nothing more. One that rules on
    fewer false cases than it has to support true ones has not been examined: what it was not asked it might support.
    """
    known = limits or CanaryLimits()
    supported = {True: 0, False: 0}
    denied = 0
    silences: list[str] = []
    for case in cases:
        refusal = judge.rules_on(case.claim)
        if refusal is None:
            supported[case.supported] += 1
        elif refusal.reason in _DECIDED:
            denied += not case.supported
        else:
            silences.append(refusal.reason)
            if refusal.reason in _SILENT_FOR_THE_NIGHT or len(silences) >= known.most_silences:
                break
    true_cases = sum(case.supported for case in cases)
    score = Score(
        true_supported=supported[True],
        true_cases=true_cases,
        false_supported=supported[False],
        false_cases=len(cases) - true_cases,
        unanswered=len(silences),
    )
    if score.false_supported > known.allowed_false:
        return Unfit(score, "judge-credulous")
    if score.true_supported < known.least_true * true_cases:
        return Unfit(score, silences[0] if silences else "judge-strict")
    if silences and denied + score.false_supported < known.least_true * score.false_cases:
        return Unfit(score, silences[0])
    return Fit(score)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        message = "a key stands twice"
        raise ValueError(message)
    return dict(pairs)


def _case(case: _Case) -> CanaryCase:
    day = date.fromisoformat(case.day)
    said = [
        Utterance(
            id=f"m{number}",
            source=f"thread_{case.id}",
            speaker=Speaker(line.speaker),
            text=line.text,
            at=datetime(day.year, day.month, day.day, 9, number, tzinfo=UTC),
        )
        for number, line in enumerate(case.lines, 1)
    ]
    claim = Claim(
        statement=case.statement,
        quotes=tuple(Located(one, 0, len(one.text)) for one in said),
        record=Record(day=day, repository=case.repository),
    )
    return CanaryCase(id=case.id, kind=case.kind, supported=case.supported, claim=claim)
