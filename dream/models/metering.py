"""A model whose every request is measured against the budget before it is sent, and charged when it has ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dream.models.ledger import Ledger
from dream.models.port import Model, Reason, Replied, Reply, Unanswered, Usage
from dream.models.prompt import Prompt

CHARACTERS_A_TOKEN = 4
"""English prose and code come to about four; what is estimated is corrected as soon as the vendor has counted."""


class MeteredModel:
    """Asks `model` as long as the ledger has room for a question and the longest answer to it.

    It stands between patience and an adapter, so that every try is held, and not only the first.
    """

    def __init__(self, model: Model, *, ledger: Ledger, most_output: int, now: Callable[[], float]) -> None:
        """Reserve `most_output` tokens for each answer; `now` is a clock that never jumps, in seconds."""
        self._model = model
        self._ledger = ledger
        self._most_output = most_output
        self._now = now

    @property
    def name(self) -> str:
        """Who answers."""
        return self._model.name

    def ask(self, prompt: Prompt, reply: type[Reply]) -> Replied[Reply] | Unanswered:
        """Return the reply to `prompt`; OVER_BUDGET, naming the ceiling, where there is no room for the question."""
        expected = Usage(input=prompt.characters // CHARACTERS_A_TOKEN, output=self._most_output, calls=1)
        reservation = self._ledger.reserve(self.name, expected, now=self._now())
        if isinstance(reservation, str):
            return Unanswered(reason=Reason.OVER_BUDGET, detail=reservation)
        paid = expected
        try:
            answer = self._model.ask(prompt, reply)
            paid = replace(answer.usage, calls=max(answer.usage.calls, 1))
        finally:  # a defect that escapes has cost something too, nobody knows how much
            self._ledger.charge(reservation, paid, now=self._now())
        return answer
