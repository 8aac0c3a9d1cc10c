"""What a new statement has to pass tonight: the judge, its examination, and the gates of each conversation."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, fields
from datetime import date
from importlib import resources

from config import limits as configured
from dream.cached import cached_property
from dream.guards.screen import shown_or_withheld
from dream.guards.statements.canary import Unfit, examine_judge, parse_canary
from dream.guards.statements.gates import Gates
from dream.guards.statements.judging import Judge
from dream.guards.statements.limits import CanaryLimits, GateLimits
from dream.guards.statements.utterances import Speaker
from dream.memory.sources import Origin
from dream.models.port import Model
from tasks.questions import judge_question
from tasks.subjects import Subject

_ORIGINS = {Speaker.PERSON: Origin.PERSON, Speaker.AGENT: Origin.AGENT}
_CANARY = "judge/canary.json"


@dataclass(frozen=True, kw_only=True)
class Court:
    """Tonight's judge for one task; `rejected` are the digests of what one has turned down before.

    Every night's judge is examined anew, and once for all tasks: `examined` holds what came of it, by model.
    """

    model: Model
    night: date
    rejected: frozenset[str]
    examined: MutableMapping[str, str]
    limits: configured.Gates

    @cached_property
    def judge(self) -> Judge:
        """Who rules on single statements."""
        return Judge(self.model, judge_question, salt=self.night.isoformat())

    @cached_property
    def unfit(self) -> str:
        """Why the judge is not to be believed, in words for the report; empty where it passed its examination."""
        known = self.examined.get(self.model.name)
        if known is not None:
            return known
        cases = parse_canary(resources.files("prompts").joinpath(_CANARY).read_bytes())
        answer = examine_judge(self.judge, cases, limits=_canary_limits(self.limits))
        why = ""
        if isinstance(answer, Unfit):
            came = "did not pass its examination" if answer.asked else "could not be examined"
            why = f"the judge {self.model.name} {came}: {answer.reason}, {answer.score}"
        if not answer.score.unanswered:
            self.examined[self.model.name] = why
        return why

    def gates(self, subject: Subject, *, people_only: bool = False) -> Gates:
        """Return the gates of one conversation; with `people_only` they admit nothing but what people said."""
        return Gates(
            subject.utterances,
            record=subject.record,
            judge=self.judge,
            rejected=self.rejected,
            limits=_gate_limits(self.limits),
            people_only=people_only,
        )


def shown_to_models(line: str, speaker: Speaker) -> str:
    """Return what a model is shown of a line: all of it, or the mark of what the screen withholds for its origin."""
    return shown_or_withheld(line, origin=_ORIGINS.get(speaker, Origin.EXTERNAL))


def _gate_limits(limits: configured.Gates) -> GateLimits:
    return GateLimits(**{field.name: getattr(limits, field.name) for field in fields(GateLimits)})


def _canary_limits(limits: configured.Gates) -> CanaryLimits:
    return CanaryLimits(**{field.name: getattr(limits, field.name) for field in fields(CanaryLimits)})
