"""A conversation's summary in two parts: what lasts for weeks, and what is probably stale soon.

It is asked for once a night: the day's note tells of both parts, distilling looks at what lasts, and the description
stands in the history. Nothing of it is believed; whatever is written passes the gates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

from dream.models.port import Model, Unanswered
from tasks.conversation import ExcerptLimits, Screen, excerpts_of
from tasks.proposals import LastingStatement, StaleStatement, TwoPartSummary
from tasks.questions import ask_in_parts, summary_question
from tasks.subjects import Subject


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLimits:
    """How much is shown of a conversation, in how many of its last excerpts, and how much each may give."""

    excerpt: ExcerptLimits = field(default_factory=ExcerptLimits)
    excerpts: int = 20
    lasting: int = 12
    stale: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoPart:
    """Both parts of a summary, whose quotes are yet to be found; `left_out` of its first excerpts were not shown."""

    description: str = ""
    lasting: tuple[LastingStatement, ...] = ()
    stale: tuple[StaleStatement, ...] = ()
    left_out: int = 0
    shown: int = 0


@dataclass(kw_only=True)
class Summariser:
    """Summarises each conversation once, whoever asks first; of every line of others a model sees what `screen` says.

    What had no answer is asked for again by whoever needs it next.
    """

    screen: Screen
    limits: SummaryLimits = field(default_factory=SummaryLimits)
    _known: dict[tuple[str, str], TwoPart] = field(default_factory=dict)

    def summarise(self, subject: Subject, *, model: Model) -> TwoPart | Unanswered:
        """Return the summary of `subject` by `model`, or why there is none."""
        key = (subject.source, subject.digest)
        if key not in self._known:
            answer = self._asked(subject, model)
            if isinstance(answer, Unanswered):
                return answer
            self._known[key] = answer
        return self._known[key]

    def description(self, source: str, digest: str) -> str:
        """Return how tonight's summary describes a conversation, "" where nobody has summarised it."""
        known = self._known.get((source, digest))
        return known.description if known else ""

    def _asked(self, subject: Subject, model: Model) -> TwoPart | Unanswered:
        limits = self.limits
        if subject.is_silent:
            return TwoPart()
        excerpts = excerpts_of(subject.utterances, limits=limits.excerpt, screen=self.screen)
        question = partial(summary_question, lasting=limits.lasting, stale=limits.stale)
        replies: list[TwoPartSummary] = []
        for excerpt in excerpts[-limits.excerpts :]:  # what a session has grown by is at its end
            answers = ask_in_parts(model, excerpt, question, TwoPartSummary)
            if isinstance(answers, Unanswered):
                return answers
            replies += answers
        return TwoPart(
            description=" ".join(replies[-1].description.split()) if replies else "",
            lasting=tuple(one for reply in replies for one in reply.lasting[: limits.lasting]),
            stale=tuple(one for reply in replies for one in reply.stale[: limits.stale]),
            left_out=max(len(excerpts) - limits.excerpts, 0),
            shown=min(len(excerpts), limits.excerpts),
        )
