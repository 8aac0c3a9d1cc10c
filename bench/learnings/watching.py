"""What became of every mark and every candidate of a night, seen where the task rules on it.

Only the process of a replayed night is watched: four functions of the task are called through ones that write down
what goes in and what comes out; the task itself is as it is.
"""

from __future__ import annotations

from typing import Any

import tasks.learnings
import tasks.teaching
from bench.learnings.mind import Mind
from dream.memory.operations import Refusal
from tasks.conversation import utterances_of
from tasks.observing import OBSERVED, Heard, Overheard


def watch(mind: Mind) -> None:
    """Let `mind` know what is about to be asked on, and write down what becomes of what it offers."""
    _watch_observing(mind)
    _watch_marks(mind)
    _watch_proposing(mind)
    _watch_ends(mind)


def _watch_observing(mind: Mind) -> None:
    learning: Any = tasks.learnings
    observe = learning.observe

    def told(heard: Heard, **given: Any) -> Any:
        mind.said, mind.source = utterances_of(heard.session), heard.session.source
        answer = observe(heard, **given)
        if isinstance(answer, Overheard):
            marks = [[one.message, one.words] for one in answer.observations]
            mind.write("observed", source=mind.source, kept=marks)
        return answer

    learning.observe = told


def _watch_marks(mind: Mind) -> None:
    heard: Any = Heard
    observation = heard.observation

    def told(self: Heard, quote: Any, **given: Any) -> Any:
        answer = observation(self, quote, **given)
        end = answer.reason if isinstance(answer, Refusal) else OBSERVED
        mind.write("located", source=self.session.source, message=quote.message, quote=quote.quote, end=end)
        return answer

    heard.observation = told


def _watch_proposing(mind: Mind) -> None:
    teaching: Any = tasks.teaching
    question = teaching.propose_question

    def told(standing: Any, observations: Any, **given: Any) -> Any:
        mind.standing, mind.shown = standing, dict(observations)
        return question(standing, observations, **given)

    teaching.propose_question = told


def _watch_ends(mind: Mind) -> None:
    teaching: Any = tasks.teaching.Teaching
    ended = teaching._ended  # noqa: SLF001  # this is where a candidate still has its name

    def told(self: Any, proposed: Any, end: Any) -> Any:
        reason = end.reason if isinstance(end, Refusal) else ""
        detail = end.detail if isinstance(end, Refusal) else end.name
        mind.write("ended", id=proposed.reasoning, end=reason, detail=detail)
        return ended(self, proposed, end)

    teaching._ended = told  # noqa: SLF001
