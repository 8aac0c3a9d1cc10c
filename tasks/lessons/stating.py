"""The lessons that a model states of one pull request, each let in by the gates over that pull request's own lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from dream.guards.statements.gates import Admitted, Gates
from dream.guards.statements.gates import Candidate as Claimed
from dream.guards.statements.quotes import Quote
from dream.memory.operations import Refusal
from dream.models.port import Model, Unanswered
from tasks.conversation import Screen
from tasks.lessons.asking import MOST_LESSONS, ProposedLesson, ProposedLessons, Work, lessons_question
from tasks.lessons.candidates import Candidate, key_of_matter
from tasks.lessons.direction import goes_against
from tasks.lessons.grounds import unfounded_word, wider_word
from tasks.lessons.limits import LessonLimits
from tasks.lessons.words import is_of_one_alone
from tasks.proposals import names_what_was_read
from tasks.ruling import ADMITTED, rule_on
from tasks.subjects import Subject


@dataclass(kw_only=True)
class Stating:
    """Asks what one pull request teaches and lets the gates decide; `ends` counts what became of each proposal.

    `gates` are those of a subject, and of a subject of which people's words alone are cited. `standing` are what other
    pull requests have taught, by the ids that the model is shown.
    """

    work: Work
    subject: Subject
    standing: Mapping[str, Candidate]
    gates: Callable[[Subject, bool], Gates]
    screen: Screen
    limits: LessonLimits
    ends: Counter[str] = field(default_factory=Counter)
    refused: list[Refusal] = field(default_factory=list)

    def ask(self, model: Model) -> tuple[Candidate, ...] | Unanswered:
        """Return what passed the gates, or why the model had no answer."""
        question = lessons_question(self.work, self.standing, screen=self.screen, most=self.limits.shown_characters)
        answer = model.ask(question, ProposedLessons)
        if isinstance(answer, Unanswered):
            return answer
        return tuple(self._admitted(answer.reply.lessons[:MOST_LESSONS]))

    def _admitted(self, proposed: list[ProposedLesson]) -> Iterator[Candidate]:
        for one in proposed:
            candidate = self._repeated(one) or self._new(one)
            if isinstance(candidate, Refusal):
                self.refused.append(candidate)
                self.ends[candidate.reason] += 1
            else:
                self.ends[ADMITTED] += 1
                yield candidate

    def _repeated(self, one: ProposedLesson) -> Candidate | None:
        """What stands, where these lines bear out that very sentence; what the model calls the same counts for nothing.

        Of a sentence that quotes a person code has found out already whether it was said again.
        """
        known = self.standing.get(one.repeats)
        if known is None or known.kind != "stated":
            return None
        quotes = tuple(Quote(quote.id, quote.quote) for quote in one.quotes)
        gates = self.gates(self.subject, self._is_said(one))
        answer = gates.admit(Claimed(statement=known.statement, resource="", quotes=quotes))
        if isinstance(answer, Refusal) or self._objection(answer):
            return None
        return self._candidate(answer, key=known.key, statement=known.statement)

    def _new(self, one: ProposedLesson) -> Candidate | Refusal:
        gates = self.gates(self.subject, self._is_said(one))
        answer = rule_on(one.statement, one.resource, one.cited, gates=gates, is_tentative=False).answer
        if isinstance(answer, Refusal):
            return answer
        objection = self._objection(answer)
        if objection:
            return objection
        if not names_what_was_read(one.resource, (*answer.lines, *self.subject.record.names)):
            return Refusal("resource-not-read", ascii(one.resource)[1:-1])
        repository = self.work.pull_request.repository
        key = key_of_matter(repository, answer.statement.casefold())
        return self._candidate(answer, key=key, statement=answer.statement)

    def _objection(self, answer: Admitted) -> Refusal | None:
        """Why the cited changes cannot teach a statement: it turns them round, widens or leaves them."""
        cited = {quote.message for quote in answer.quotes}
        runs = [run for run in self.work.runs if run.id in cited]
        gone = [line for run in runs for line in run.gone]
        against = goes_against(answer.statement, gone=gone, come=[line for run in runs for line in run.come])
        if against:
            return Refusal("against-the-change", ascii(against)[1:-1])
        if len(runs) < len(cited):
            is_passing = not runs and is_of_one_alone(answer.statement)
            return Refusal("of-one-pull-request", ascii(answer.statement)[1:-1]) if is_passing else None
        lines = (*answer.lines, *self.subject.record.names)
        wider = wider_word(answer.statement, lines)
        if wider:
            return Refusal("wider-than-the-change", ascii(wider)[1:-1])
        unfounded = unfounded_word(answer.statement, lines)
        return Refusal("not-in-the-change", ascii(unfounded)[1:-1]) if unfounded else None

    def _candidate(self, answer: Admitted, *, key: str, statement: str) -> Candidate:
        cited = {quote.message for quote in answer.quotes}
        return Candidate(
            kind="stated",
            key=key,
            statement=statement,
            repository=self.work.pull_request.repository,
            pull_request=self.work.pull_request.source,
            sources=answer.sources,
            day=answer.dated,
            quotes=tuple(map(str, answer.quotes)),
            evidence=tuple(line for text in answer.lines for line in text.split("\n")),
            covers=tuple(sorted(cited)),
        )

    def _is_said(self, one: ProposedLesson) -> bool:
        """Whether nothing but people's own words is cited: then to ask for a thing is to say it."""
        words = {utterance.id for utterance in self.subject.utterances if utterance.author}
        return bool(one.quotes) and all(quote.id in words for quote in one.quotes)
