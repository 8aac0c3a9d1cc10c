"""One change in a person's name: landed like a night, with index and state left as they are after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from dream.errors import UsageError
from dream.memory.applying import Files
from dream.memory.notes import NoteCache
from dream.memory.records import Effect
from dream.night.branch import Branch, Signing
from dream.night.landing import Published, Superseded, land_prepared
from dream.night.persons import commit_as
from dream.night.survey import Survey, survey_head
from dream.repository.commits import Identity
from dream.repository.landing import PushLanding
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.afresh import index_afresh, settled_state, state_afresh
from flows.clock import Clock
from flows.opening import fetch_head
from flows.workplace import Workplace

KIND = "Dream-Decision"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a person changes: whole files, how the commit tells it, and the night's effects that end with it."""

    files: Files
    subject: str
    body: str = ""
    ended: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """Nothing is to be changed on this head, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A decision as it stands on the branch: the person's commit, or (empty) why none was needed."""

    commit: str = ""
    reason: str = ""


Decide = Callable[[Mirror, Survey], Change | Settled]
"""What a person changes on a head; raises DreamError where that cannot be."""


def land_change(workplace: Workplace, decide: Decide, *, person: Identity, clock: Clock) -> Decided:
    """Land what `person` decides as one commit, on the branch's newest head, again for as long as that moves.

    Raises:
        UsageError: the name is that of the nightly commits, or git cannot record it.
        DreamError: nothing landed, and why.
    """
    if (person.name, person.mail) == (workplace.identity.name, workplace.identity.mail):
        message = f"{person.name} is who nightly commits are by, and no person"
        raise UsageError(message, way_out="give the name of the person who decides: --by NAME")
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        change = _PersonsChange(workplace, workplace.mirror(), decide, person=person, at=clock.now())
        outcome = land_prepared(
            head=change.survey,
            plant=change.plant,
            stop=change.settled,
            landing=PushLanding(change.mirror),
            patience=clock.patience(workplace.organisation.limits.landing.seconds),
        )
    match outcome:
        case Published(planted=planted):
            return Decided(commit=planted.commit)
        case Superseded(reason=reason):
            return Decided(reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planted:
    tip: str
    commit: str


class _PersonsChange:
    """One decision between its first look at the branch and its landing."""

    def __init__(self, workplace: Workplace, mirror: Mirror, decide: Decide, *, person: Identity, at: datetime) -> None:
        self.mirror = mirror
        self._workplace = workplace
        self._decide = decide
        self._person = person
        self._at = at
        self._notes = NoteCache(max_bytes=workplace.organisation.limits.notes.most_bytes)

    def survey(self) -> Survey:
        head = fetch_head(self._workplace, self.mirror)
        return survey_head(self.mirror, head, keeper=self._workplace.keeper(), today=self._at.date())

    def settled(self, survey: Survey) -> str:
        change = self._decide(self.mirror, survey)
        return change.reason if isinstance(change, Settled) else ""

    def plant(self, survey: Survey) -> _Planted:
        change = self._decide(self.mirror, survey)
        if isinstance(change, Settled):
            return _Planted(tip=survey.head, commit="")
        commit = commit_as(
            self.mirror,
            survey.head,
            change.files,
            person=self._person,
            at=self._at,
            subject=change.subject,
            body=change.body,
        )
        if not survey.records:
            return _Planted(tip=commit, commit=commit)
        branch = Branch(self.mirror, self.mirror.tree(commit), commit, self._signing(survey))
        self._settle(branch, survey, change)
        return _Planted(tip=branch.tip, commit=commit)

    def _settle(self, branch: Branch, survey: Survey, change: Change) -> None:
        """Commit index and state as they are after the change, so that no night takes it for anything else."""
        today = self._at.date()
        index = index_afresh(
            branch.tree, self._notes, survey, workplace=self._workplace, mirror=self.mirror, today=today
        )
        branch.commit("index_rewrite", index.files, subject="index: made afresh after a decision", body="")
        settled = settled_state(survey)
        own = {path: blob for path, blob in settled.learnings.items() if branch.tree.blob(path) == blob}
        files = state_afresh(
            survey,
            workplace=self._workplace,
            parent=branch.tip,
            today=today,
            state=settled.model_copy(update={"learnings": own}),
            effects=change.ended,
        )
        branch.commit("state_update", files, subject="state: recorded what was decided", body="")

    def _signing(self, survey: Survey) -> Signing:
        newest = survey.records[-1]
        return Signing(
            identity=self._workplace.identity,
            organisation=self._workplace.name,
            night=newest.night,
            at=self._at,
            run=newest.run,
            kind=KIND,
        )
