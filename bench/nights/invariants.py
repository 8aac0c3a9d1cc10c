"""The invariants I1 to I9, checked from outside with the git program, JSON and plain arithmetic.

Nothing here knows the product: what a night did is read from the hosted repository, what it was fed is told by whoever
fed it. I1 no acknowledged commit is lost; I2 the tip descends from the old tip; I3 a night lands whole or not at all;
I4 a task lands at most once a night; I5 the loss is within its budget; I6 only the night changes `.dream/`, and the
state is valid JSON in every commit; I7 paths, and lines of paths, that the night did not plan are byte-identical; I8
every input ends in exactly one of written, not written with a reason, pending; I9 no link leads nowhere in what a night
wrote or took away from.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from bench.nights.accounts import Accounts, Fed, Violation
from bench.nights.history import Commit, History
from bench.nights.leads import Leads
from bench.nights.losses import Loss, is_topic, loss_of, month_budget, night_budget

VERIFICATION = "production_verification"
AFRESH = ("index_rewrite", "state_update")
MONTH = timedelta(days=29)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightFacts:
    """One run as seen from outside: the tip before and after, and what the run said of itself."""

    night: date
    old: str
    new: str
    status: str
    said_tip: str = ""
    findings: tuple[str, ...] = ()
    fed: tuple[Fed, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    night: date
    task: str
    notes: int
    statements: int


@dataclass(kw_only=True)
class Invariants:
    """Looks at a hosted memory after every night and remembers what must not be forgotten.

    `folder` is the folder of the memory in its repository (with a final `/`, or empty), `mail` whose the nightly
    commits are.
    """

    history: History
    mail: str
    folder: str = ""
    acknowledged: list[str] = field(default_factory=list)
    tips: list[str] = field(default_factory=list)
    losses: list[_Taken] = field(default_factory=list)
    landed: Counter[tuple[str, str]] = field(default_factory=Counter)
    accounts: Accounts = field(default_factory=Accounts)
    leads: Leads = field(default_factory=Leads)
    last_landed: str = ""
    checked: str = ""

    def acknowledge(self, commit: str) -> None:
        """Remember a push that the server has accepted."""
        self.acknowledged.append(commit)

    def after(self, facts: NightFacts) -> list[Violation]:
        """Return what does not hold after a night."""
        found = list(self._after(facts))
        self.tips.append(facts.new)
        self.checked = facts.new
        return found

    def sound(self) -> list[Violation]:
        """Return what git's own check of the whole repository finds."""
        try:
            self.history.git("fsck", "--strict", "--no-dangling", "--no-progress")
        except subprocess.CalledProcessError as error:
            return [Violation("I3", f"fsck: {error.stderr.decode('utf-8', 'replace').strip()}")]
        return []

    def _after(self, facts: NightFacts) -> Iterator[Violation]:
        reachable = self.history.ancestors(facts.new)
        yield from self._nothing_lost(facts, reachable)
        if facts.old not in reachable:
            yield Violation("I2", f"{facts.new[:12]} does not descend from {facts.old[:12]}")
            return
        commits = self.history.commits(facts.old, facts.new)
        ours = [commit for commit in commits if self._is_ours(commit)]
        yield from self._only_the_night_writes_state(facts)
        record: dict[str, Any] = {}
        if ours:
            try:
                record = self.history.read_json(ours[-1].id, f"{self.folder}.dream/nights/{facts.night}.json")
            except ValueError as error:
                yield Violation("I3", f"the night's commits are there without its record: {error}")
        yield from self._whole(facts, ours, record)
        yield from self._once(ours, record)
        if not ours or not record:
            return
        base = ours[0].parents[0]
        yield from self._within_budget(facts, base, ours, record)
        yield from self._as_planned(base, ours[-1].id, record)
        yield from self.leads.after(self._files(base), self._files(ours[-1].id), record)
        yield from self.accounts.after(facts.night, record, fed=facts.fed, findings=facts.findings)
        self.last_landed = ours[-1].id

    def _is_ours(self, commit: Commit) -> bool:
        return commit.author == self.mail and commit.committer == self.mail

    def _nothing_lost(self, facts: NightFacts, reachable: Collection[str]) -> Iterator[Violation]:
        for commit in self.acknowledged:
            if commit not in reachable:
                yield Violation("I1", f"{commit[:12]} was acknowledged and is not in {facts.new[:12]}")
        for tip in self.tips:
            if tip not in reachable:
                yield Violation("I2", f"{facts.new[:12]} does not descend from the earlier tip {tip[:12]}")

    def _only_the_night_writes_state(self, facts: NightFacts) -> Iterator[Violation]:
        """Look at every commit since the last look, people's included; a merge changes what no parent of it has."""
        since = self.checked or facts.old
        for commit in self.history.commits(since, facts.new):
            for path in self._changed_by(commit):
                if path.startswith(f"{self.folder}.dream/") and not self._is_ours(commit):
                    yield Violation("I6", f"{commit.id[:12]} by {commit.author} changes {path}")
            state = self.history.read(commit.id, f"{self.folder}.dream/state.json")
            if state is not None and not _is_object(state):
                yield Violation("I6", f"the state in {commit.id[:12]} is no JSON object")

    def _changed_by(self, commit: Commit) -> frozenset[str]:
        changed = [self.history.changed(parent, commit.id) for parent in commit.parents]
        return frozenset.intersection(*changed) if changed else frozenset(self.history.files(commit.id))

    def _whole(self, facts: NightFacts, ours: Sequence[Commit], record: Mapping[str, Any]) -> Iterator[Violation]:
        if facts.status != "landed":
            if ours:
                yield Violation("I3", f"the run says {facts.status}, yet {len(ours)} of its commits are on the branch")
            return
        if not ours or facts.said_tip != ours[-1].id:
            yield Violation("I3", f"the run says that {facts.said_tip[:12]} landed, and it is not the branch's")
        for commit, before in zip(ours[1:], ours, strict=False):
            if commit.parents != (before.id,):
                yield Violation("I3", f"{commit.id[:12]} does not stand on {before.id[:12]}")
        if not ours or not record:
            return
        told = [task["commit"] for task in record["tasks"].values() if task.get("commit")]
        here = [commit.id for commit in ours]
        if sorted(set(told) & set(here)) != sorted(here[:-1]) or (
            record.get("landings", 1) == 1 and not set(told) <= set(here)
        ):
            yield Violation("I3", "the commits on the branch are not those of the record")
        last = self.history.changed(ours[-1].parents[0], ours[-1].id)
        if f"{self.folder}.dream/state.json" not in last or not all(
            path.startswith(f"{self.folder}.dream/") for path in last
        ):
            yield Violation("I3", f"the last commit {ours[-1].id[:12]} is not the state's alone")

    def _once(self, ours: Sequence[Commit], record: Mapping[str, Any]) -> Iterator[Violation]:
        for commit in ours:
            name = (commit.trailers.get("Dream-Night", ""), commit.trailers.get("Dream-Task", ""))
            self.landed[name] += 1
            most = record.get("landings", 1) if name[1] in AFRESH else 1
            if self.landed[name] > most:
                yield Violation("I4", f"{name[1]} of {name[0]} landed {self.landed[name]} times")

    def _within_budget(
        self, facts: NightFacts, base: str, ours: Sequence[Commit], record: Mapping[str, Any]
    ) -> Iterator[Violation]:
        names = {task["commit"]: name for name, task in record["tasks"].items() if task.get("commit")}
        landed = frozenset(self._notes(self.last_landed)) if self.last_landed else None
        before = self._notes(base)
        loss, counted = Loss(), (0, 0)
        for commit in ours:
            loss = loss_of(before, self._notes(commit.id), last_landed=landed)
            more = (loss.notes - counted[0], loss.statements - counted[1])
            counted = (loss.notes, loss.statements)
            if any(more):
                self.losses.append(
                    _Taken(night=facts.night, task=names.get(commit.id, ""), notes=more[0], statements=more[1])
                )
        tonight = [taken for taken in self.losses if taken.night == facts.night]
        lately = [taken for taken in self.losses if taken.night >= facts.night - MONTH]
        others = [taken for taken in lately if taken.task != VERIFICATION]
        month = month_budget(loss)
        half = (month[0] - month[0] // 2, month[1] - month[1] // 2)
        grew = any(counted)
        for what, taken, most in (
            ("the night", tonight, night_budget(loss)),
            ("thirty nights", lately, month),
            ("thirty nights without verification", others, half),
        ):
            total = (sum(one.notes for one in taken), sum(one.statements for one in taken))
            if grew and (total[0] > most[0] or total[1] > most[1]):
                yield Violation("I5", f"{what} took {total[0]} notes and {total[1]} statements of {most}")

    def _notes(self, commit: str) -> dict[str, bytes]:
        here = {
            path.removeprefix(self.folder): entry.split()[1]
            for path, entry in self.history.files(commit).items()
            if path.startswith(self.folder) and entry.startswith("100") and is_topic(path.removeprefix(self.folder))
        }
        blobs = self.history.blobs(here.values())
        return {path: blobs[blob] for path, blob in here.items()}

    def _files(self, commit: str) -> dict[str, bytes]:
        """Every file of the memory, those that are no notes without their bytes."""
        here = {
            path.removeprefix(self.folder): entry.split()[1]
            for path, entry in self.history.files(commit).items()
            if path.startswith(self.folder) and entry.startswith("1")
        }
        blobs = self.history.blobs(blob for path, blob in here.items() if path.lower().endswith(".md"))
        return {path: blobs.get(blob, b"") for path, blob in here.items()}

    def _as_planned(self, base: str, tip: str, record: Mapping[str, Any]) -> Iterator[Violation]:
        added: dict[str, Counter[str]] = {}
        removed: dict[str, Counter[str]] = {}
        whole: set[str] = set()
        for effect in record.get("effects", ()):
            whole |= {*effect.get("created", ()), *effect.get("deleted", {})}
            for change in effect.get("changes", ()):
                added.setdefault(change["path"], Counter()).update(change.get("added", ()))
                removed.setdefault(change["path"], Counter()).update(change.get("removed", ()))
        before, after = self.history.files(base), self.history.files(tip)
        for full in sorted(self.history.changed(base, tip)):
            path = full.removeprefix(self.folder)
            if not full.startswith(self.folder):
                yield Violation("I7", f"{full} is outside the memory")
            elif path in {"MEMORY.md", "CATALOG.md"} or path.startswith(("CATALOG/", ".dream/")):
                continue
            elif path not in added and path not in whole:
                yield Violation("I7", f"{path} changed, and nothing planned that")
            elif full in before and full in after:
                yield from self._lines_as_planned(full, before, after, added[path], removed[path])

    def _lines_as_planned(
        self,
        path: str,
        before: Mapping[str, str],
        after: Mapping[str, str],
        added: Counter[str],
        removed: Counter[str],
    ) -> Iterator[Violation]:
        if before[path].split()[0] != after[path].split()[0]:
            yield Violation("I7", f"the mode of {path} changed")
        ids = (before[path].split()[1], after[path].split()[1])
        blobs = self.history.blobs(ids)
        old, new = (Counter(blobs[one].decode("utf-8", "surrogateescape").split("\n")) for one in ids)
        planned_more, planned_less = (_without_returns(lines) for lines in (added, removed))
        more, less = _without_returns(new - old), _without_returns(old - new)
        for lines, planned, verb in ((more, planned_more, "appeared in"), (less, planned_less, "went from")):
            stray = [line for line, count in lines.items() if line and count > planned[line]]
            if stray:
                yield Violation("I7", f"{len(stray)} lines {verb} {path}, and nothing planned that")


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False


def _without_returns(lines: Counter[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for line, count in lines.items():
        found[line.removesuffix("\r")] += count
    return found
