"""A model that says what a test wants, in order, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from dream.models.port import Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt


class Said(BaseModel):
    """A reply with one line."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    line: str


class Answering:
    """Gives its answers one after the other; asked more often than that, it fails the test."""

    def __init__(self, *answers: Replied[Said] | Unanswered, name: str = "openai/test") -> None:
        self._answers = list(answers)
        self._name = name
        self.asked: list[Prompt] = []

    @property
    def name(self) -> str:
        return self._name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        self.asked.append(prompt)
        answer = self._answers.pop(0)
        if isinstance(answer, Unanswered):
            return answer
        return Replied(reply=reply.model_validate(answer.reply.model_dump()), usage=answer.usage)


def said(line: str = "yes", usage: Usage | None = None) -> Replied[Said]:
    """A reply that took ten tokens in and two out, unless told otherwise."""
    return Replied(reply=Said(line=line), usage=usage or Usage(input=10, output=2, calls=1))


def question(text: str = "is it so?", *, parts: Sequence[str] = ()) -> Prompt:
    """A question."""
    return Prompt(name="distil/propose", version="0123456789ab", system="Answer.", parts=(text, *parts))
