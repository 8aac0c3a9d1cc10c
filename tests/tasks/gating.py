"""The gates of a subject, behind a judge who says what a test wants."""

from __future__ import annotations

from collections.abc import Collection

from dream.guards.statements.gates import Gates
from dream.guards.statements.judging import Judge, Verdict
from dream.models.port import Unanswered
from dream.models.scripted import ScriptedModel
from tasks.questions import judge_question
from tasks.subjects import Subject


def gates_of(
    subject: Subject, rules: str | Unanswered, *, rejected: Collection[str] = (), people_only: bool = False
) -> Gates:
    """Return real gates whose judge gives the verdict `rules` on everything, or has no answer."""

    def answer(*_: object) -> Verdict | Unanswered:
        if isinstance(rules, Unanswered):
            return rules
        return Verdict.model_validate({"reasoning": "", "verdict": rules})

    judge = Judge(ScriptedModel(answer), judge_question, salt="2026-10-22")
    return Gates(subject.utterances, record=subject.record, judge=judge, rejected=rejected, people_only=people_only)
