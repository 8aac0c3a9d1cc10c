"""Moving people's prose out of an overgrown index, when a person asks: one commit, the index made afresh in it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dream.memory.index.adoption import Adoption, adopt_prose
from dream.memory.notes import NoteCache
from dream.memory.tree import OverlayTree
from dream.night.branch import Branch, Signing
from dream.night.survey import Survey, survey_head
from dream.repository.lock import lock
from dream.repository.mirror import Mirror
from flows.afresh import index_afresh, state_afresh
from flows.at_once import land_at_once
from flows.bookkeeping import index_limits
from flows.clock import Clock
from flows.opening import fetch_head
from flows.workplace import Workplace

TASK = "index"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planted:
    tip: str
    commits: tuple[str, ...]
    adoption: Adoption
    findings: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptResult:
    """What moved out of the index, what is still wrong with it, and where the branch now stands."""

    organisation: str
    tip: str
    commits: tuple[str, ...]
    adoption: Adoption
    findings: tuple[str, ...]
    dry_run: bool

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person is told, a line each."""
        moved, reason = self.adoption.moved, self.adoption.reason
        if not moved:
            return (f"nothing to adopt: {reason}",)
        verb = "would move" if self.dry_run else "moved"
        back = "" if self.dry_run else f"to take it back: git revert {self.commits[0][:12]}"
        told = (f"{verb} {_counted(one.lines)} of {self.adoption.index} into {one.path}: {one.title}" for one in moved)
        return (*told, *self.findings, *filter(None, (reason, back)))

    def payload(self) -> dict[str, Any]:
        """Return the JSON document of the adoption."""
        return {
            "organisation": self.organisation,
            "index": self.adoption.index,
            "tip": self.tip,
            "commits": list(self.commits),
            "moved": [{"path": one.path, "title": one.title, "lines": one.lines} for one in self.adoption.moved],
            "reason": self.adoption.reason,
            "findings": list(self.findings),
            "dry_run": self.dry_run,
            "exit": 0,
        }


def adopt_index(workplace: Workplace, *, dry_run: bool, clock: Clock) -> AdoptResult:
    """Move people's prose out of the index until it has room for its links, and land that.

    It is no night: no loss, no tombstone, and nothing that a night looks at again for it.

    Raises:
        DreamError: nothing landed, and why.
    """
    with lock(workplace.home, wait_seconds=workplace.settings.lock_wait_seconds):
        mirror = workplace.mirror()
        adopt = _Adopt(workplace, mirror, clock)
        built = land_at_once(
            survey=adopt.survey,
            plant=adopt.plant,
            workplace=workplace,
            mirror=mirror,
            dry_run=dry_run,
            clock=clock,
        )
        return AdoptResult(
            organisation=workplace.name,
            tip=built.tip,
            commits=built.commits,
            adoption=built.adoption,
            findings=tuple(built.findings),
            dry_run=dry_run,
        )


class _Adopt:
    """One adoption between its first look at the branch and its landing."""

    def __init__(self, workplace: Workplace, mirror: Mirror, clock: Clock) -> None:
        self._workplace = workplace
        self._mirror = mirror
        self._at = clock.now()
        self._limits = workplace.organisation.limits
        self._notes = NoteCache(max_bytes=self._limits.notes.most_bytes)

    def survey(self) -> Survey:
        """Survey the branch as it stands."""
        head = fetch_head(self._workplace, self._mirror)
        return survey_head(self._mirror, head, keeper=self._workplace.keeper(), today=self._at.date())

    def plant(self, survey: Survey) -> _Planted:
        """Build the commits that adopt the index of `survey`; nothing is pushed."""
        adoption = adopt_prose(survey.tree, self._notes, limits=index_limits(self._limits))
        if not adoption.files:
            return _Planted(tip=survey.head, commits=(), adoption=adoption)
        afresh = index_afresh(
            OverlayTree(survey.tree, adoption.files),
            self._notes,
            survey,
            workplace=self._workplace,
            mirror=self._mirror,
            today=self._at.date(),
        )
        branch = Branch(self._mirror, survey.tree, survey.head, self._signing(survey))
        branch.commit(
            TASK,
            {**adoption.files, **afresh.files},
            subject=f"index: moved {_counted(sum(one.lines for one in adoption.moved))} into notes of their own",
            body="\n".join(f"- {_counted(one.lines)} into {one.path}" for one in adoption.moved),
        )
        if survey.landed:
            self._settle(branch, survey)
        return _Planted(tip=branch.tip, commits=tuple(branch.commits), adoption=adoption, findings=afresh.findings)

    def _settle(self, branch: Branch, survey: Survey) -> None:
        """Commit the state, so that the next night does not take for a person's change what moved here."""
        files = state_afresh(survey, workplace=self._workplace, parent=branch.tip, today=self._at.date())
        branch.commit("state_update", files, subject="state: recorded that the index was adopted", body="")

    def _signing(self, survey: Survey) -> Signing:
        return Signing(
            identity=self._workplace.identity,
            organisation=self._workplace.name,
            night=self._at.date(),
            at=self._at,
            run=hashlib.sha256(f"adopt {self._workplace.name} {survey.head}".encode()).hexdigest()[:16],
            kind="Dream-Adopt",
        )


def _counted(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"
