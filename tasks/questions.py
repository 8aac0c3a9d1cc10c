"""The questions that tasks put to models, and what is done where one is too long for an answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TypeVar

from pydantic import BaseModel

from dream.guards.statements.claims import Claim
from dream.guards.statements.judging import evidence_text, later_text
from dream.models.port import Consequence, Model, Unanswered
from dream.models.prompt import Prompt
from prompts.loading import load_template
from tasks.conversation import Excerpt

Reply = TypeVar("Reply", bound=BaseModel)


def distil_question(excerpt: Excerpt, *, memory: str, most: int) -> Prompt:
    """Return the question what of `excerpt` should still be known in months, beside what the `memory` says already."""
    untrusted = {"memory": memory, "conversation": excerpt.text}
    return load_template("distil/propose").render({"most": most}, untrusted)


def daily_question(excerpt: Excerpt, *, day: date, most: int) -> Prompt:
    """Return the question what of `excerpt` somebody would still find useful in a week."""
    return load_template("daily_note/tell").render({"day": day, "most": most}, {"conversation": excerpt.text})


def judge_question(claim: Claim) -> Prompt:
    """Return the question whether the lines that a claim cites support it, and nothing said later takes it back."""
    untrusted = {"claim": claim.statement, "evidence": evidence_text(claim), "later": later_text(claim) or "nothing"}
    return load_template("judge/entailment").render({}, untrusted)


def ask_in_parts(
    model: Model, excerpt: Excerpt, question: Callable[[Excerpt], Prompt], reply: type[Reply]
) -> list[Reply] | Unanswered:
    """Return the replies on `excerpt`: one, or those on its halves where it was too long to be answered whole.

    One part without a reply is no reply at all, so that nothing that was cut off is taken for nothing said.
    """
    answer = model.ask(question(excerpt), reply)
    if not isinstance(answer, Unanswered):
        return [answer.reply]
    halves = excerpt.halves() if answer.consequence is Consequence.SPLIT else None
    if halves is None:
        return answer
    replies: list[Reply] = []
    for half in halves:
        answers = ask_in_parts(model, half, question, reply)
        if isinstance(answers, Unanswered):
            return answers
        replies += answers
    return replies
