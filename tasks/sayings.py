"""One line of a learning: whether people said it, each time by itself, and often enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from dream.guards.statements.gates import REMEMBERED, Admitted, Candidate, Gates, digest_of
from dream.guards.statements.quotes import Quote
from dream.guards.vocabulary import content_words
from dream.memory.entries import TENTATIVE
from dream.memory.notes import entries_in
from dream.memory.operations import Basis, Refusal
from dream.memory.outcomes import Declined
from dream.memory.skills import Lesson
from tasks.candidates import ProposedLine, told
from tasks.conditions import dropped_condition, is_turned_round
from tasks.observations import Observation, Recurrence
from tasks.standing import says_already
from tasks.unanswered import is_unjudged

_ENDS = (".", "!", "?", "\u2026")
# Who is spoken to and that it is asked for: what every wish has, however it was worded.
_ADDRESSING = content_words(
    "you your yours we us our i me my they must should shall please need needs have has when if"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A line that passed the gates, and the observations that each say it alone."""

    lesson: Lesson
    observations: tuple[Observation, ...]
    replaces: str = ""


class Sayings:
    """Rules on lines, of `observations` by the ids under which a model was shown them.

    `gates` are those of the session of one observation, and admit nothing but what people typed. Of what a line cites
    up to `most` observations are looked at. `declined` collects what a judge turned down.
    """

    def __init__(
        self,
        observations: Mapping[str, Observation],
        *,
        gates: Callable[[Observation], Gates],
        recurrence: Recurrence,
        same: float,
        most: int,
    ) -> None:
        """Rule by `recurrence`; lines from the similarity `same` on are one."""
        self._observations = observations
        self._gates = gates
        self._recurrence = recurrence
        self._same = same
        self._most = most
        self.declined: list[Declined] = []

    def rule_on(
        self, lines: Sequence[ProposedLine], *, after: date | None, trigger: str = ""
    ) -> tuple[Said, ...] | Refusal:
        """Return all `lines` with what says them, or why one may not stand; only what was said `after` a day counts.

        A condition under which people said a thing may stand in the `trigger` under which the lines will be read.
        """
        if not lines:
            return Refusal("no-line")
        said: list[Said] = []
        for line in lines:
            found = self._said(line, [one.lesson.text.rstrip(".") for one in said], after, trigger)
            if isinstance(found, Refusal):
                return found
            said.append(found)
        return tuple(said)

    def _said(self, line: ProposedLine, beside: Sequence[str], after: date | None, trigger: str) -> Said | Refusal:
        text = " ".join(line.text.split())
        if not is_one_item(text):
            return Refusal("malformed-line", f"{len(line.text)} characters")
        if says_already(text, beside, same=self._same):
            return Refusal("said-twice")
        cited = self._cited(line, after)
        if isinstance(cited, Refusal):
            return cited
        carried = self._carried(text, cited, beside, trigger)
        return replace(carried, replaces=line.replaces) if isinstance(carried, Said) else carried

    def _cited(self, line: ProposedLine, after: date | None) -> Sequence[Observation] | Refusal:
        """Return the observations that a line cites, those that count first, or why they are too few."""
        if unknown := [name for name in line.observations if name not in self._observations]:
            return Refusal("no-such-observation", ascii(unknown[0][:20])[1:-1])
        cited = [self._observations[name] for name in dict.fromkeys(line.observations)]
        missing = self._recurrence.shortfall(cited)
        newer = [one for one in cited if after is None or one.day > after]
        if not missing and self._recurrence.shortfall(newer):
            return Refusal("undone", f"said too seldom since {after.isoformat() if after else ''}")
        counted = self._recurrence.counted(newer)
        if missing:
            return Refusal(missing, f"{len(counted)} of {len(cited)} count")
        return [*counted, *(one for one in newer if one not in counted)][: self._most]

    def _carried(self, text: str, cited: Sequence[Observation], beside: Sequence[str], trigger: str) -> Said | Refusal:
        """Return the line once it was said often enough, and all its words with it; no more are asked about."""
        carrying: dict[Observation, Admitted] = {}
        against: list[Refusal] = []
        for one in cited:
            answer = self._asked(text, one, beside, trigger)
            if isinstance(answer, Admitted):
                carrying[one] = answer
            elif is_unjudged(answer.reason):
                return answer
            else:
                against.append(answer)
            if carrying and not self._recurrence.shortfall(carrying) and not added_words(text, carrying):
                return _line_of(text, carrying)
        if carrying and not self._recurrence.shortfall(carrying):
            return Refusal("adds-words", ascii(", ".join(added_words(text, carrying)[:5]))[1:-1])
        return against[0] if against else Refusal("too-few-sessions", f"{len(carrying)} say it")

    def _asked(self, text: str, one: Observation, beside: Sequence[str], trigger: str) -> Admitted | Refusal:
        share = in_common(text, one)
        if share < self._recurrence.in_common:
            return Refusal("little-in-common", f"{share:.0%} of its words")
        if is_turned_round(text, one.words):
            return Refusal("turned-round")
        if condition := dropped_condition(f"{text} {trigger}", one.words):
            return Refusal("drops-condition", condition)
        candidate = Candidate(statement=text, resource="", quotes=(Quote(one.message, one.words),))
        gates = self._gates(one)
        answer = gates.admit(candidate, beside=beside)
        if isinstance(answer, Refusal) and answer.reason in REMEMBERED:
            found = gates.check(candidate, beside=beside)
            if not isinstance(found, Refusal):
                digest = digest_of(found[0].statement, found[0].sources)
                self.declined.append(Declined(digest=digest, source=one.session, reason=answer.reason))
        return answer


def is_one_item(text: str) -> bool:
    """Whether `text` stands in a learning as one item of just these words, without date, source or mark of its own."""
    if not text or not text.isprintable() or TENTATIVE in text:
        return False
    entries = entries_in(f"- {text}")
    return len(entries) == 1 and entries[0].key == text and not entries[0].sources


def in_common(text: str, one: Observation) -> float:
    """Return how much of what `text` says in words stands in `one`."""
    words = content_words(text) - _ADDRESSING
    return 1 - len(added_words(text, [one])) / len(words) if words else 0.0


def added_words(text: str, observations: Iterable[Observation]) -> tuple[str, ...]:
    """Return the stems of what `text` says in words that stand in none of `observations`, nor in their repositories."""
    known = content_words("\n".join(f"{one.words}\n{one.repository}" for one in observations))
    return tuple(sorted(content_words(text) - known - _ADDRESSING))


def basis_of_lines(said: Sequence[Said], action: str) -> Basis:
    """Return what an operation rests on: who said its lines, their words for the commit, and marks for the record."""
    cited = tuple(dict.fromkeys(one for line in said for one in line.observations))
    return Basis(
        sources=tuple(dict.fromkeys(source for line in said for source in line.lesson.sources)),
        dated=max(one.day for one in cited),
        evidence=tuple(map(_evidence, cited)),
        quotes=tuple(one.mark for one in cited),
        why=f"{action}, said in {_often(cited)}",
    )


def evidence_text(said: Sequence[Said]) -> str:
    """Return each line with the words under it, as a reviewer is shown them."""
    shown: list[str] = []
    for line in said:
        shown += [f"- {line.lesson.text}", *(f"    {told(one)}" for one in line.observations)]
    return "\n".join(shown) or "nothing new: every line stands in one of the learnings"


def _line_of(text: str, carrying: Mapping[Observation, Admitted]) -> Said:
    sources = tuple(dict.fromkeys(source for answer in carrying.values() for source in answer.sources))
    ended = text if text.endswith(_ENDS) else f"{text}."
    lesson = Lesson(text=ended, sources=sources, dated=max(one.day for one in carrying))
    return Said(lesson=lesson, observations=tuple(carrying))


def _evidence(one: Observation) -> str:
    plain = "".join(character if character.isprintable() else " " for character in one.words)
    who = f" {one.person}" if one.person else ""
    return f"{one.session}/{one.message}{who}, {one.day.isoformat()}: {plain}"


def _often(cited: Sequence[Observation]) -> str:
    sessions, days, people = ({one.session for one in cited}, {one.day for one in cited}, {one.person for one in cited})
    return f"{len(sessions)} sessions, days: {len(days)}, people: {len(people)}"
