"""What a thread's summary tells of one day, gated like anything else that a model says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from dream.guards.statements.gates import Admitted, Gates
from dream.guards.vocabulary import content_words
from dream.memory.notes import Note, NoteCache, entries_in
from dream.memory.operations import Refusal
from dream.memory.records import NightRecord
from dream.memory.tree import Tree
from dream.models.port import Unanswered
from tasks.conversation import ids_of
from tasks.daily_page import daily_path
from tasks.daily_threads import Retold, ThreadDay
from tasks.proposals import LastingStatement, StaleStatement
from tasks.ruling import ADMITTED, MOST_BESIDE, account_of, rule_on
from tasks.subjects import Subject
from tasks.two_part import TwoPart

MOST_STATEMENTS = 2
_LONGEST = 700
_LONGEST_NUMBER = 10


@dataclass(slots=True, kw_only=True)
class Teller:
    """Words what both parts of a thread's summary say of its day; `ends` counts what became of the statements.

    `unanswered` counts the threads that nobody summarised; `said` is what has been told so far, by day, beside which
    more of the same day will stand. `subject` makes a session's evidence and record, `gates` those of a subject. Where
    the judge is `unfit` nobody is asked.
    """

    summarise: Callable[[Subject], TwoPart | Unanswered]
    subject: Callable[[ThreadDay], Subject]
    gates: Callable[[Subject], Gates]
    unfit: Callable[[], str]
    ends: Counter[str] = field(default_factory=Counter)
    unanswered: Counter[str] = field(default_factory=Counter)
    is_wanted: bool = False
    said: defaultdict[date, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __call__(self, thread: ThreadDay) -> Retold | None:
        """Return what is told of `thread`, None where nothing that passed the gates is."""
        self.is_wanted = True
        if self.unfit():
            return None
        subject = self.subject(thread)
        summary = self.summarise(subject)
        if isinstance(summary, Unanswered):
            self.unanswered[summary.reason.value] += 1
            return None
        known = {one.id for one in subject.utterances}
        earlier = known - ids_of(thread.session, thread.messages)
        both: list[StaleStatement | LastingStatement] = [*summary.stale, *summary.lasting]
        proposed = [one for one in both if _is_told(one, earlier=earlier)]
        return self._told(subject, proposed, beside=self.said[thread.day])

    def findings(self) -> tuple[str, ...]:
        """Return the account of what was proposed, and of the threads that are told by code alone."""
        why = self.unfit() if self.is_wanted else ""
        counted = ", ".join(f"{count} {reason}" for reason, count in self.unanswered.most_common())
        left = [f"{counted}: threads told by code alone"] if counted else []
        left += [f"threads are told by code alone: {why}"] if why else []
        return (*account_of("daily note", self.ends), *left)

    def _told(
        self, subject: Subject, proposed: Sequence[StaleStatement | LastingStatement], *, beside: list[str]
    ) -> Retold | None:
        """The first admitted statements that fit into one line; the rest is not even judged."""
        gates = self.gates(subject)
        admitted: list[Admitted] = []
        for one in proposed:
            if len(admitted) == MOST_STATEMENTS:
                break
            answer = rule_on(
                one.statement,
                one.resource,
                one.quotes,
                gates=gates,
                is_tentative=one.tentative,
                beside=[*beside, *(other.statement for other in admitted)],
            ).answer
            end = answer.reason if isinstance(answer, Refusal) else _objection(admitted, answer)
            self.ends[end or ADMITTED] += 1
            if isinstance(answer, Admitted) and not end:
                admitted.append(answer)
        if not admitted:
            return None
        beside += [one.statement for one in admitted]
        return Retold(text=_line(admitted), tentative=any(one.tentative for one in admitted))


def _is_told(one: StaleStatement | LastingStatement, *, earlier: Collection[str]) -> bool:
    """Whether the last message that a statement cites is none of another day's."""
    return not one.quotes or max((quote.message for quote in one.quotes), key=_place_of) not in earlier


def _place_of(message: str) -> int:
    number = message.removeprefix("m")
    return int(number) if number.isdecimal() and number.isascii() and len(number) < _LONGEST_NUMBER else 0


def _objection(admitted: Sequence[Admitted], more: Admitted) -> str:
    """Return why a statement finds no place beside those of its line, empty where it does."""
    if any(content_words(more.statement) <= content_words(one.statement) for one in admitted):
        return "already-written"
    return "no-room" if len(_line([*admitted, more])) > _LONGEST else ""


def _line(admitted: Sequence[Admitted]) -> str:
    return " ".join(one.statement.rstrip(". ") + "." for one in admitted).rstrip(".")


def standing_lines(tree: Tree, notes: NoteCache, days: Sequence[date]) -> defaultdict[date, list[str]]:
    """Return what the notes of `days` say already, the last lines of each, beside which more will stand."""
    said: defaultdict[date, list[str]] = defaultdict(list)
    for day in days:
        path = daily_path(day)
        note = notes.note(tree, path) if tree.blob(path) is not None and path not in tree.oddities() else None
        if isinstance(note, Note):
            said[day] = [entry.key for entry in note.entries[-MOST_BESIDE:]]
    return said


def lines_of_nights(records: Iterable[NightRecord]) -> frozenset[str]:
    """Return the keys of every line that nights wrote into daily notes: one that reads so to the letter is ours."""
    added = [
        line
        for record in records
        for effect in record.effects
        if effect.task == "daily_note" and not effect.reverted
        for change in effect.changes
        for line in change.added
    ]
    return frozenset(entry.key for line in added for entry in entries_in(line))
