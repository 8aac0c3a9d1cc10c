"""A model whose answers are a function of the question, read as strictly as any vendor's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import BaseModel

from dream.models.limits import CallLimits
from dream.models.port import Replied, Reply, Unanswered
from dream.models.prompt import Prompt
from dream.models.replies import read_reply
from dream.models.usage import estimated_usage


class ScriptedModel:
    """Answers what `answers` says: a reply, a vendor's text, or the want of one; `asked` holds the prompts so far.

    A reply is written out and read back like text, so an invalid one is refused here as it would be anywhere. Usage is
    estimated from the lengths; an Unanswered passes as it is.
    """

    def __init__(
        self,
        answers: Callable[[Prompt, type[BaseModel]], BaseModel | str | Unanswered],
        name: str = "scripted",
        *,
        limits: CallLimits | None = None,
        unfit: Unanswered | None = None,
    ) -> None:
        """Answer as `answers` does, called once for each question in whatever thread asks; `unfit` is its preflight."""
        self._answers = answers
        self._name = name
        self._limits = limits or CallLimits()
        self._unfit = unfit
        self.asked: list[Prompt] = []

    @property
    def name(self) -> str:
        """Who answers."""
        return self._name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return what the script says, or what is wrong with it as a `reply`."""
        self.asked.append(prompt)
        answer = self._answers(prompt, reply)
        if isinstance(answer, Unanswered):
            return answer
        text = answer.model_dump_json() if isinstance(answer, BaseModel) else answer
        usage = estimated_usage(prompt, text)
        read = read_reply(text, reply, most_bytes=self._limits.reply_bytes, most_depth=self._limits.reply_depth)
        if isinstance(read, Unanswered):
            return replace(read, usage=usage)
        return Replied(reply=read, usage=usage)

    def check(self) -> Unanswered | None:
        """Return why it is not fit to be asked, if the script says so."""
        return self._unfit
