"""What is made of the observations that live: candidates, each held to the rules, reviewed, and told how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from dream.guards.statements.gates import Gates
from dream.guards.statements.utterances import Record, Speaker, Utterance
from dream.memory.applying import apply_operation
from dream.memory.operations import Add, Refusal
from dream.memory.outcomes import Declined, Item
from dream.memory.records import JUDGE_UNFIT, NightRecord
from dream.memory.skills import learning_path
from dream.memory.state import Tombstone
from dream.memory.tree import OverlayTree, Tree
from dream.models.port import Consequence, Model, Unanswered
from tasks.candidates import ProposedLearning, ProposedLearnings, propose_question
from tasks.drafting import Draft, Drafting, DraftLimits
from tasks.observations import TASK, Observation, Recurrence, words_at
from tasks.observing import Heard, ObservingLimits
from tasks.reviewing import Reviewing, is_unanswered
from tasks.sayings import Sayings
from tasks.standing import standing_learnings
from tasks.subjects import Subject, subject_of
from tasks.writing import slug_of

WAITS_ITS_TURN = "waits-its-turn"
APPROVED = "approved"
UNREAD = "candidates"
"""What stands for all candidates of a night where the dreamer named none that could be read."""

_FEWEST_SHOWN = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningsLimits:
    """How much a night observes, what it takes for something to be taught, and how much of that one night does."""

    observing: ObservingLimits = field(default_factory=ObservingLimits)
    recurrence: Recurrence = field(default_factory=Recurrence)
    draft: DraftLimits = field(default_factory=DraftLimits)
    observation_days: int = 180
    shown: int = 200
    candidates: int = 8
    cited: int = 8
    new: int = 2
    changes: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What earlier nights left: `observations` as the state keeps them, `own` learnings by path with their blobs.

    `records` are of all nights that are kept, `rejected` the digests of what was turned down; `words` finds what an
    observation's mark stands for where the session is not among tonight's.
    """

    observations: Sequence[Mapping[str, Any]] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    done: Mapping[str, str] = field(default_factory=dict)
    records: Sequence[NightRecord] = ()
    tombstones: Sequence[Tombstone] = ()
    rejected: Collection[str] = ()
    words: Callable[[str], str | None] = lambda _: None


class Teaching:
    """The candidates of one night, of `shown` observations by the ids under which a model is shown them.

    What is approved is on the tree for the next candidate, which is held against it.
    """

    def __init__(
        self,
        tree: Tree,
        shown: Mapping[str, Observation],
        past: Past,
        *,
        night: date,
        heard: Mapping[str, Heard],
        dreamer: Model,
        reviewer: Model,
        gates: Callable[[Subject], Gates],
        limits: LearningsLimits,
    ) -> None:
        """Start with nothing written but what an earlier landing of `night` made; `heard` are tonight's sessions."""
        self._tree = tree
        self._own = dict(past.own)
        self._shown = dict(shown)
        self._past = past
        self._heard = heard
        self._dreamer = dreamer
        self._reviewer = reviewer
        self._gates = gates
        self._limits = limits
        self._known_gates: dict[str, Gates] = {}
        self._written = _made_before(past.records, night)
        self.ends: Counter[str] = Counter()
        self.told: list[str] = []
        self.declined: list[Declined] = []

    def items(self, unfit: Callable[[], str]) -> list[Item]:
        """Return an item for every candidate; nothing is asked where nothing can have been said often enough.

        `unfit` says why tonight's judge is not to be believed, and is asked only where there is a candidate.
        """
        if self._limits.recurrence.shortfall(self._shown.values()):
            return []
        answer = self._asked()
        if isinstance(answer, Unanswered):
            return [Item(id=UNREAD, reason=f"model-{answer.reason.value}", pending=True)]
        if not answer.learnings:
            return []
        reason = unfit()
        if reason:
            self.told.append(f"no learning is written: {reason}")
        sayings = Sayings(
            self._shown,
            gates=self._gates_of,
            recurrence=self._limits.recurrence,
            same=self._limits.draft.same,
            most=self._limits.cited,
        )
        drafting = Drafting(sayings=sayings, tombstones=self._past.tombstones, limits=self._limits.draft)
        items = []
        for number, proposed in enumerate(answer.learnings):
            if reason:
                end: Draft | Refusal = Refusal(JUDGE_UNFIT)
            elif number >= self._limits.candidates:
                end = Refusal("too-many-candidates")
            else:
                end = self._ruled(proposed, drafting)
            items.append(self._ended(proposed, end))
        self.declined += sayings.declined
        return items

    def _asked(self) -> ProposedLearnings | Unanswered:
        """Return what is proposed; where all that is shown was too long, of the newer half."""
        standing = standing_learnings(self._tree, self._own)
        limits = self._limits
        while True:
            question = propose_question(
                standing,
                self._shown,
                recurrence=limits.recurrence,
                most=limits.candidates,
                lines=limits.draft.lines,
            )
            answer = self._dreamer.ask(question, ProposedLearnings)
            if not isinstance(answer, Unanswered):
                return answer.reply
            if answer.consequence is not Consequence.SPLIT or len(self._shown) < _FEWEST_SHOWN:
                return answer
            self._shown = dict(list(self._shown.items())[len(self._shown) // 2 :])

    def _ruled(self, proposed: ProposedLearning, drafting: Drafting) -> Draft | Refusal:
        standing = standing_learnings(self._tree, self._own)
        if proposed.action == "create" and self._is_full(is_new=True):
            return Refusal(WAITS_ITS_TURN)
        draft = drafting.draft(proposed, standing)
        if isinstance(draft, Refusal):
            return draft
        if draft.digest in self._past.rejected:
            return Refusal("rejected-before")
        if self._is_full(is_new=isinstance(draft.operation, Add)):
            return Refusal(WAITS_ITS_TURN)
        reviewing = Reviewing(
            reviewer=self._reviewer,
            dreamer=self._dreamer,
            observations=self._shown,
            redraft=lambda revised: drafting.draft(revised, standing),
            lines=self._limits.draft.lines,
        )
        approved = reviewing.review(proposed, draft, standing, self.declined)
        return approved if isinstance(approved, Refusal) else self._taken(approved)

    def _is_full(self, *, is_new: bool) -> bool:
        return self._written[is_new] >= (self._limits.new if is_new else self._limits.changes)

    def _taken(self, draft: Draft) -> Draft | Refusal:
        """Take an approved draft up, so that the next candidate is held against it."""
        files = apply_operation(self._tree, draft.operation)
        if isinstance(files, Refusal):
            return files
        self._tree = OverlayTree(self._tree, files)
        for path in files:
            blob = self._tree.blob(path)
            self._own.pop(path, None)
            self._own |= {path: blob} if blob else {}
        self._written[isinstance(draft.operation, Add)] += 1
        return draft

    def _ended(self, proposed: ProposedLearning, end: Draft | Refusal) -> Item:
        name = end.name if isinstance(end, Draft) else slug_of(proposed.name) or "unnamed"
        reason = end.reason if isinstance(end, Refusal) else APPROVED
        self.ends[reason] += 1
        cited = dict.fromkeys(
            self._shown[one] for line in proposed.lines for one in line.observations if one in self._shown
        )
        places = ", ".join(one.mark.partition(" ")[0] for one in cited) or "nothing that was shown"
        self.told.append(f"{proposed.action} {learning_path(name)}: {reason}, citing {places}")
        operations = () if isinstance(end, Refusal) else (end.operation,)
        waits = isinstance(end, Refusal) and (end.reason == WAITS_ITS_TURN or _may_be_answered(end.reason))
        return Item(id=f"{TASK}/{name}", operations=operations, reason=reason if not operations else "", pending=waits)

    def _gates_of(self, one: Observation) -> Gates:
        """Return the gates of the session of an observation, of its own words alone where that is not here."""
        heard = self._heard.get(one.session)
        said = next((said for said in heard.utterances if said.id == one.message), None) if heard else None
        is_here = said is not None and words_at(one, said.text) is not None
        key = one.session if is_here else one.mark
        if key not in self._known_gates:
            self._known_gates[key] = self._gates(_subject(heard) if heard and is_here else _remembered(one))
        return self._known_gates[key]


def went_unanswered(records: Sequence[NightRecord]) -> bool:
    """Whether the newest night of `records` that looked for learnings has left a candidate for want of an answer."""
    newest = next((record.tasks[TASK] for record in reversed(records) if TASK in record.tasks), None)
    return newest is not None and any(
        left.input == UNREAD or (left.input.startswith(f"{TASK}/") and _may_be_answered(left.reason))
        for left in newest.left_out
    )


def _may_be_answered(reason: str) -> bool:
    return reason == JUDGE_UNFIT or is_unanswered(reason)


def _subject(heard: Heard) -> Subject:
    return replace(subject_of(heard.session, timezone=heard.timezone), utterances=heard.utterances)


def _remembered(one: Observation) -> Subject:
    said = Utterance(
        id=one.message, source=one.session, speaker=Speaker.PERSON, text=one.words, at=one.at, author=one.person
    )
    zone = one.at.tzinfo
    record = Record(day=one.day, resource=one.repository, repository=one.repository)
    return Subject(
        source=one.session,
        digest=one.digest,
        last=one.at,
        utterances=(said,),
        record=replace(record, zone=zone) if zone else record,
    )


def _made_before(records: Sequence[NightRecord], night: date) -> dict[bool, int]:
    """Return how many learnings an earlier landing of tonight has made (True) and changed (False)."""
    effects = [
        effect
        for record in records
        if record.night == night
        for effect in record.effects
        if effect.task == TASK and not effect.reverted
    ]
    return {True: sum(one.kind == "add" for one in effects), False: sum(one.kind != "add" for one in effects)}
