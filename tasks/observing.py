"""What of one session's typed words says how work is to be done: a model marks, code holds it to what people typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from zoneinfo import ZoneInfo

from dream.cached import cached_property
from dream.guards.screen import screen_text
from dream.guards.secrets import find_secrets
from dream.guards.statements.quotes import Located, Quote, locate
from dream.guards.statements.utterances import Speaker, Utterance
from dream.memory.operations import Refusal
from dream.memory.sources import Origin
from dream.models.port import Model, Unanswered
from dream.sources.sessions.values import Session
from tasks.candidates import Observed, observe_question
from tasks.conversation import Excerpt, ExcerptLimits, Screen, excerpts_of, utterances_of
from tasks.observations import Observation, Spent
from tasks.proposals import CitedQuote
from tasks.questions import ask_in_parts
from tasks.typed import TypedLimits, typed_alone, typed_text

OBSERVED = "observed"
"""How a stretch ends that is remembered, and a session that has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservingLimits:
    """How much of a session one question shows, and how many stretches of how many characters it may give."""

    excerpt: ExcerptLimits = field(default_factory=ExcerptLimits)
    excerpts: int = 10
    observations: int = 8
    least_characters: int = 10
    characters: int = 400
    typed: TypedLimits = field(default_factory=TypedLimits)


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What of one session was typed by whom it may be learnt from, since when, and on which local days."""

    session: Session
    since: datetime
    people: frozenset[str]
    timezone: ZoneInfo
    limits: ObservingLimits

    @cached_property
    def utterances(self) -> tuple[Utterance, ...]:
        """Every message as evidence, a person's with blanks for what that person did not type."""
        return tuple(
            typed_alone(one, self.limits.typed) if one.speaker is Speaker.PERSON else one
            for one in utterances_of(self.session)
        )

    def excerpts(self, screen: Screen) -> tuple[Excerpt, ...]:
        """Return what a model is shown: what was typed, each time below what the agent had said."""
        shown: dict[str, Utterance] = {}
        before: Utterance | None = None
        for one in utterances_of(self.session):
            if one.speaker is Speaker.AGENT:
                before = one
            text = typed_text(one.text, self.limits.typed) if self.may_teach(one) else ""
            if text:
                shown |= {before.id: before} if before else {}
                shown[one.id] = replace(one, text=text)
        return excerpts_of(shown.values(), limits=self.limits.excerpt, screen=screen)

    def may_teach(self, one: Utterance) -> bool:
        """Whether a person said it whose words count, and lately enough."""
        named = not self.people or one.author in self.people
        return one.speaker is Speaker.PERSON and named and one.at >= self.since and not one.withheld

    def observation(self, quote: CitedQuote, *, night: date) -> Observation | Refusal:
        """Return the stretch that a reply marks, or why it is none.

        Reasons: `not-a-person`, `not-this-person`, `not-typed`, those of a quote that is not there, `secret`, those of
        the screen.
        """
        found = self._located(quote)
        if isinstance(found, Refusal):
            return found
        said = found.utterance
        return Observation(
            session=said.source,
            message=said.id,
            start=found.start,
            end=found.end,
            digest=found.digest,
            at=said.at,
            day=said.at.astimezone(self.timezone).date(),
            seen=night,
            person=said.author,
            repository=self.session.repository,
            words=found.text,
        )

    def _located(self, quote: CitedQuote) -> Located | Refusal:
        named = [one for one in self.utterances if one.id == quote.message]
        least, most = self.limits.least_characters, self.limits.characters
        found = locate(Quote(quote.message, quote.quote.strip()), named, least=least, most=most)
        if any(one.speaker is not Speaker.PERSON for one in named):
            return Refusal("not-a-person", quote.message)
        if any(not self.may_teach(one) for one in named):
            return Refusal("not-this-person", quote.message)
        if isinstance(found, Refusal):
            whole = [one for one in utterances_of(self.session) if one.id == quote.message]
            is_there = found.reason == "quote-not-found" and quote.quote.strip() in whole[0].text
            return Refusal("not-typed", quote.message) if is_there else found
        if find_secrets(found.lines):
            return Refusal("secret", f"in the lines of {quote.message}")
        withheld = screen_text(found.text, origin=Origin.PERSON, known=("\r",), carriage_returns=True)
        return found if withheld is None else Refusal(withheld.reason, quote.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overheard:
    """What a session gave: stretches to be remembered, and how many of the marked ones ended how."""

    observations: tuple[Observation, ...] = ()
    ends: Mapping[str, int] = field(default_factory=dict)


def observe(
    heard: Heard, *, dreamer: Model, screen: Screen, night: date, known: Sequence[Observation], spent: Spent
) -> Overheard | Unanswered:
    """Return what the session gives; `known` are remembered already and `spent` are used, and neither comes again."""
    limits, ends = heard.limits, Counter[str]()
    found: list[Observation] = []
    for cited in _cited(heard.excerpts(screen)[-limits.excerpts :], dreamer, limits):
        if isinstance(cited, Unanswered):
            return cited
        one = heard.observation(cited, night=night)
        if isinstance(one, Refusal):
            ends[one.reason] += 1
        elif one in spent or any(map(one.overlaps, [*known, *found])):
            ends["already-observed"] += 1
        else:
            found.append(one)
            ends[OBSERVED] += 1
    return Overheard(observations=tuple(found), ends=ends)


def _cited(excerpts: Sequence[Excerpt], dreamer: Model, limits: ObservingLimits) -> Iterator[CitedQuote | Unanswered]:
    question = partial(observe_question, most=limits.observations)
    for excerpt in excerpts:
        replies = ask_in_parts(dreamer, excerpt, question, Observed)
        if isinstance(replies, Unanswered):
            yield replies
            return
        for reply in replies:
            yield from reply.observations[: limits.observations]
