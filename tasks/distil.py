"""What lasts of a day: statements that a model proposes, each written only where every gate lets it pass.

A session is done when all that it gave has been ruled on; where the dreamer or the judge had no answer for any of it,
nothing of it is written and it waits, so that no part of a session is lost between two nights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from dream.guards.statements.gates import Admitted, Gates
from dream.guards.statements.utterances import Speaker
from dream.memory.notes import NoteCache
from dream.memory.operations import Operation, Refusal
from dream.memory.outcomes import Declined, Item, Plan
from dream.memory.records import JUDGE_UNFIT
from dream.memory.similarity import word_set
from dream.memory.tree import Tree
from dream.models.port import Model, Unanswered
from tasks.conversation import ExcerptLimits, Screen, excerpts_of
from tasks.manifest import Manifest, ManifestLimits, Shelf
from tasks.placing import Placement, Wanted
from tasks.proposals import Proposals, ProposedStatement, names_what_was_read
from tasks.questions import ask_in_parts, distil_question
from tasks.ruling import ADMITTED, Ruled, account_of, rule_on
from tasks.subjects import Subject
from tasks.unanswered import blamed_on_whom, is_unjudged, waits_for
from tasks.writing import Line

_LONGEST_EVIDENCE = 4_000
"""More than a quote and what stands around it in its line may come to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilLimits:
    """How much one question shows and may give: excerpts of a conversation, notes of the memory, statements."""

    excerpt: ExcerptLimits = field(default_factory=ExcerptLimits)
    manifest: ManifestLimits = field(default_factory=ManifestLimits)
    excerpts: int = 20
    statements: int = 12


def propose(
    *,
    tree: Tree,
    notes: NoteCache,
    subjects: Sequence[Subject],
    done: Mapping[str, str],
    dreamer: Model,
    gates: Callable[[Subject], Gates],
    unfit: Callable[[], str],
    screen: Screen,
    limits: DistilLimits,
) -> Plan:
    """Return an item for each of `subjects` that is not `done` with its digest.

    `gates` are those of one subject; `unfit` says why tonight's judge is not to be believed, empty where it is, and is
    asked only where there is something to judge. Of every line of others that a model is shown `screen` says what.
    """
    waiting = [subject for subject in subjects if done.get(subject.source) != subject.digest]
    reason = unfit() if any(not subject.is_silent for subject in waiting) else ""
    if reason:
        held = tuple(_item(subject, reason=JUDGE_UNFIT, pending=True) for subject in waiting)
        return Plan(items=held, findings=(f"nothing is written: {reason}",))
    night = _Night(tree, notes, dreamer=dreamer, gates=gates, screen=screen, limits=limits)
    items = tuple(night.item(subject) for subject in waiting)
    if night.is_mute:
        items = tuple(replace(item, reason=blamed_on_whom(item.reason)) for item in items)
    return Plan(items=items, findings=night.findings(), declined=tuple(night.declined))


class _Night:
    """The distilling of one night: what has been placed so far, and what became of every statement."""

    def __init__(
        self,
        tree: Tree,
        notes: NoteCache,
        *,
        dreamer: Model,
        gates: Callable[[Subject], Gates],
        screen: Screen,
        limits: DistilLimits,
    ) -> None:
        self._shelf = Shelf(notes)
        self._placement = Placement(tree, notes, self._shelf)
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
        excerpts = excerpts_of(subject.utterances, limits=self._limits.excerpt, screen=self._screen)
        if subject.is_silent or not excerpts:
            return _item(subject, reason="nothing-to-say")
        if len(excerpts) > self._limits.excerpts:
            self._cut.append(
                f"{subject.source}: the last {self._limits.excerpts} of {len(excerpts)} excerpts were looked at"
            )
        manifest = self._manifest(word_set("\n".join(excerpt.text for excerpt in excerpts)))
        question = partial(distil_question, memory=manifest.text, most=self._limits.statements)
        proposed: list[ProposedStatement] = []
        for excerpt in excerpts[-self._limits.excerpts :]:  # what a session has grown by is at its end
            replies = ask_in_parts(self._dreamer, excerpt, question, Proposals)
            if isinstance(replies, Unanswered):
                self._unanswered += 1
                return _item(subject, reason=waits_for("model", replies.reason.value), pending=True)
            proposed += [one for reply in replies for one in reply.statements[: self._limits.statements]]
        self._answered += 1
        return self._settled(subject, proposed, manifest)

    @property
    def is_mute(self) -> bool:
        """Whether the dreamer answered on none of several subjects, so that none of them is the cause."""
        return self._unanswered > 1 and not self._answered

    def findings(self) -> tuple[str, ...]:
        """Return the account of all statements, and what was not looked at."""
        return (*account_of("distil", self._ends), *self._cut)

    def _manifest(self, words: frozenset[str]) -> Manifest:
        if not self._is_taken:
            self._shelf.take(self._placement.tree)
            self._is_taken = True
        return self._shelf.manifest(
            self._placement.tree,
            words,
            limits=self._limits.manifest,
            screen=lambda line: self._screen(line, Speaker.RECALLED),
        )

    def _settled(self, subject: Subject, proposed: Sequence[ProposedStatement], manifest: Manifest) -> Item:
        gates = self._gates(subject)
        ruled: list[tuple[ProposedStatement, Ruled]] = []
        admitted: list[str] = []
        for one in proposed:
            standing = self._placement.beside(
                " ".join(one.resource.split()), note=one.note, replaces=one.replaces, manifest=manifest
            )
            said = _ruled(one, gates, beside=[*standing, *admitted])
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
            placed = answer if isinstance(answer, Refusal) else self._placed(subject, one, answer, manifest)
            if isinstance(placed, Refusal):
                reasons.append(placed.reason)
                if said.digest:
                    self.declined.append(Declined(digest=said.digest, source=subject.source, reason=placed.reason))
            else:
                operations += placed
            self._ends[placed.reason if isinstance(placed, Refusal) else ADMITTED] += 1
        return _item(subject, *operations, reason="" if operations else next(iter(reasons), "nothing-to-say"))

    def _placed(
        self, subject: Subject, one: ProposedStatement, admitted: Admitted, manifest: Manifest
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
            resource=" ".join(one.resource.split()),
            evidence=tuple(_evidence(admitted.lines)),
            quotes=tuple(map(str, admitted.quotes)),
            note=one.note,
            folder=one.folder,
            replaces=one.replaces,
            why=one.kind,
        )
        return self._placement.place(wanted, manifest)


def _ruled(one: ProposedStatement, gates: Gates, *, beside: Sequence[str]) -> Ruled:
    return rule_on(one.statement, one.resource, one.quotes, gates=gates, is_tentative=one.tentative, beside=beside)


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
