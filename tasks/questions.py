"""The questions that tasks put to models, and what is done where one is too long for an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from pydantic import BaseModel

from dream.guards.statements.claims import Claim
from dream.guards.statements.judging import evidence_text, later_text
from dream.models.port import Consequence, Model, Unanswered
from dream.models.prompt import Prompt
from prompts.loading import load_template
from tasks.conversation import Excerpt

Reply = TypeVar("Reply", bound=BaseModel)


def summary_question(excerpt: Excerpt, *, lasting: int, stale: int) -> Prompt:
    """Return the question for both parts of a summary of `excerpt`, of at most so many statements each."""
    return load_template("summary/two_part").render(
        {"lasting": lasting, "stale": stale}, {"conversation": excerpt.text}
    )


def place_question(statements: Sequence[str], *, memory: str) -> Prompt:
    """Return the question where in the `memory` as it is shown `statements` belong, which are numbered from 1."""
    numbered = "\n".join(f"{number}. {one}" for number, one in enumerate(statements, 1))
    untrusted = {"memory": memory, "statements": numbered}
    return load_template("distil/place").render({"count": len(statements)}, untrusted)


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
