"""What lasts of a day: the first part of each summary, each statement written only where every gate lets it pass.

A session is done when all that it gave has been ruled on; where a model had no answer for any of it,
nothing of it is written and it waits, so that no part of a session is lost between two nights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from dream.guards.statements.gates import Admitted, Gates
from dream.guards.statements.utterances import Speaker
from dream.memory.notes import NoteCache
from dream.memory.operations import Operation, Refusal
from dream.memory.outcomes import Declined, Item, Plan
from dream.memory.records import JUDGE_UNFIT
from dream.memory.similarity import lost_specifics, word_set
from dream.memory.tree import Tree
from dream.models.port import Model, Unanswered
from tasks.conversation import Screen
from tasks.placing import Placement, Wanted
from tasks.proposals import NOWHERE, LastingStatement, Place, Places, names_what_was_read
from tasks.questions import place_question
from tasks.ruling import ADMITTED, Ruled, account_of, is_hopeful, rule_on
from tasks.shelf import Shelf, ShelfLimits, View
from tasks.subjects import Subject
from tasks.two_part import TwoPart
from tasks.unanswered import blamed_on_whom, is_unjudged, waits_for
from tasks.writing import Line

_LONGEST_EVIDENCE = 4_000
"""More than a quote and what stands around it in its line may come to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilLimits:
    """How much one question shows of the memory, and of how many statements it asks for the places."""

    shelf: ShelfLimits = field(default_factory=ShelfLimits)
    statements: int = 40


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    subjects: Sequence[Subject],
    done: Mapping[str, str],
    summarise: Callable[[Subject], TwoPart | Unanswered],
    dreamer: Model,
    gates: Callable[[Subject], Gates],
    unfit: Callable[[], str],
    screen: Screen,
    limits: DistilLimits,
) -> Plan:
    """Return an item for each of `subjects` that is not `done` with its digest.

    `summarise` gives a subject's summary, and `dreamer` says where in the memory its lasting part belongs, of which a
    question shows as much as `limits` say. `gates` are those of one subject; `unfit` says why tonight's judge is not to
    be believed, empty where it is, and is asked only where there is something to judge. Of every line of others that a
    model is shown `screen` says what.
    """
    waiting = [subject for subject in subjects if done.get(subject.source) != subject.digest]
    reason = unfit() if any(not subject.is_silent for subject in waiting) else ""
    if reason:
        held = tuple(_item(subject, reason=JUDGE_UNFIT, pending=True) for subject in waiting)
        return Plan(items=held, findings=(f"nothing is written: {reason}",))
    night = _Night(tree, notes, summarise=summarise, dreamer=dreamer, gates=gates, screen=screen, limits=limits)
    items = tuple(night.item(subject) for subject in waiting)
    if night.is_mute:
        items = tuple(replace(item, reason=blamed_on_whom(item.reason)) for item in items)
    return Plan(items=items, findings=night.findings(), declined=tuple(night.declined))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Proposed:
    """A lasting statement, and where its proposer would have it."""

    told: LastingStatement
    place: Place = NOWHERE

    @property
    def resource(self) -> str:
        """What it is about, on one line."""
        return " ".join(self.told.resource.split())


class _Night:
    """The distilling of one night: what has been placed so far, and what became of every statement."""

    def __init__(
        self,
        tree: Tree,
        notes: NoteCache,
        *,
        summarise: Callable[[Subject], TwoPart | Unanswered],
        dreamer: Model,
        gates: Callable[[Subject], Gates],
        screen: Screen,
        limits: DistilLimits,
    ) -> None:
        self._shelf = Shelf(notes)
        self._placement = Placement(tree, notes, self._shelf)
        self._summarise = summarise
        self._dreamer = dreamer
        self._gates = gates
        self._screen = screen
        self._limits = limits
        self._is_taken = False
        self._answered = 0
        self._unanswered = 0
        self._ends: Counter[str] = Counter()
        self._cut: list[str] = []
        self.declined: list[Declined] = []

    def item(self, subject: Subject) -> Item:
        """Return what becomes of `subject`."""
        if subject.is_silent:
            return _item(subject, reason="nothing-to-say")
        summary = self._summarise(subject)
        placed = summary if isinstance(summary, Unanswered) else self._with_places(subject, summary.lasting)
        if isinstance(placed, Unanswered):
            self._unanswered += 1
            return _item(subject, reason=waits_for("model", placed.reason.value), pending=True)
        self._answered += 1
        if isinstance(summary, TwoPart) and summary.left_out:
            shown, total = summary.shown, summary.shown + summary.left_out
            self._cut.append(f"{subject.source}: the last {shown} of {total} excerpts were looked at")
        return self._settled(subject, *placed)

    def _with_places(
        self, subject: Subject, lasting: Sequence[LastingStatement]
    ) -> tuple[Sequence[_Proposed], View] | Unanswered:
        """Return the lasting statements with their places, and what was shown of the memory to find these.

        Nobody is asked about what code refuses, or where it refuses all.
        """
        gates = self._gates(subject)
        hopeful = [one for one in lasting if is_hopeful(one, gates)]
        view = self._view(word_set("\n".join(f"{one.resource} {one.statement}" for one in hopeful)))
        places: dict[int, Place] = {}
        for first in range(0, len(hopeful), self._limits.statements):
            some = hopeful[first : first + self._limits.statements]
            question = place_question([self._shown(one) for one in some], memory=view.text)
            answer = self._dreamer.ask(question, Places)
            if isinstance(answer, Unanswered):
                return answer
            numbered = {one.statement: one for one in answer.reply.places}
            places |= {id(one): numbered[number] for number, one in enumerate(some, 1) if number in numbered}
        return [_Proposed(told=one, place=places.get(id(one), NOWHERE)) for one in lasting], view

    def _shown(self, one: LastingStatement) -> str:
        return self._screen(" ".join(f"{one.resource}: {one.statement}".split()), Speaker.AGENT)

    @property
    def is_mute(self) -> bool:
        """Whether the dreamer answered on none of several subjects, so that none of them is the cause."""
        return self._unanswered > 1 and not self._answered

    def findings(self) -> tuple[str, ...]:
        """Return the account of all statements, and what was not looked at."""
        return (*account_of("distil", self._ends), *self._cut)

    def _view(self, words: frozenset[str]) -> View:
        if not self._is_taken:
            self._shelf.take(self._placement.tree)
            self._is_taken = True
        return self._shelf.view(
            self._placement.tree,
            words,
            limits=self._limits.shelf,
            screen=lambda line: self._screen(line, Speaker.RECALLED),
        )

    def _settled(self, subject: Subject, proposed: Sequence[_Proposed], view: View) -> Item:
        gates = self._gates(subject)
        ruled: list[tuple[_Proposed, Ruled]] = []
        admitted: list[str] = []
        for one in proposed:
            place = one.place
            standing = self._placement.beside(one.resource, note=place.note, replaces=place.replaces, view=view)
            said = _ruled(one, gates, beside=[*standing, *admitted], memory=view.text)
            ruled.append((one, said))
            if isinstance(said.answer, Admitted):
                admitted.append(said.answer.statement)
        for _, said in ruled:
            if isinstance(said.answer, Refusal) and is_unjudged(said.answer.reason):
                unjudged = said.answer.reason.removeprefix("judge-")
                return _item(subject, reason=waits_for("judge", unjudged), pending=True)
        operations: list[Operation] = []
        reasons: list[str] = []
        for one, said in ruled:
            answer = said.answer
            placed = answer if isinstance(answer, Refusal) else self._placed(subject, one, answer, view)
            if isinstance(placed, Refusal):
                reasons.append(placed.reason)
                if said.digest:
                    self.declined.append(Declined(digest=said.digest, source=subject.source, reason=placed.reason))
            else:
                operations += placed
            self._ends[placed.reason if isinstance(placed, Refusal) else ADMITTED] += 1
        return _item(subject, *operations, reason="" if operations else next(iter(reasons), "nothing-to-say"))

    def _placed(
        self, subject: Subject, one: _Proposed, admitted: Admitted, view: View
    ) -> tuple[Operation, ...] | Refusal:
        if not names_what_was_read(one.resource, (*admitted.lines, *subject.record.names)):
            return Refusal("resource-not-read", ascii(one.resource)[1:-1])
        wanted = Wanted(
            line=Line(
                statement=admitted.statement,
                sources=admitted.sources,
                dated=admitted.dated,
                tentative=admitted.tentative or subject.is_hearsay,
            ),
            resource=one.resource,
            evidence=tuple(_evidence(admitted.lines)),
            quotes=tuple(map(str, admitted.quotes)),
            note=one.place.note,
            folder=one.place.folder,
            replaces=one.place.replaces,
            why=one.told.kind,
        )
        return self._placement.place(wanted, view)


def _ruled(one: _Proposed, gates: Gates, *, beside: Sequence[str], memory: str) -> Ruled:
    told = one.told
    if one.place.is_known and not lost_specifics([told.statement], memory):
        return Ruled(answer=Refusal("known-already"))
    return rule_on(told.statement, told.resource, told.quotes, gates=gates, is_tentative=told.tentative, beside=beside)


def _evidence(lines: Sequence[str]) -> Iterator[str]:
    """Yield the cited lines as a commit can hold them: one by one, printable, and not without end."""
    for line in "\n".join(lines).split("\n"):
        plain = "".join(character if character.isprintable() else " " for character in line).strip()
        if plain:
            yield plain[:_LONGEST_EVIDENCE]


def _item(subject: Subject, *operations: Operation, reason: str = "", pending: bool = False) -> Item:
    return Item(
        id=subject.source,
        digest=subject.digest,
        last=subject.last,
        operations=operations,
        reason=reason,
        pending=pending,
    )
