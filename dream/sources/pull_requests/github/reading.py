"""A night's reading of GitHub: what ended lately, each pull request whole or not at all, and what a person is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import structlog

from dream.sources.pull_requests.actors import with_machines
from dream.sources.pull_requests.agents import AgentMarks
from dream.sources.pull_requests.github.connections import settle
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.listing import Listed, list_ended
from dream.sources.pull_requests.github.patches import Patches, read_edits, runs_of_people
from dream.sources.pull_requests.github.port import Missing, Platform, Unanswered, Want
from dream.sources.pull_requests.github.whole import read_whole
from dream.sources.pull_requests.recorded import unmarked_finding
from dream.sources.pull_requests.values import PullRequest, PullRequestReading, SkippedRecord

log = structlog.get_logger()

_NEXT = "the next night tries again"
_OVER = frozenset({Want.LIMITED, Want.REFUSED_LOGIN})


def read_github(
    platform: Platform,
    repositories: Sequence[str],
    agents: Sequence[AgentMarks],
    *,
    since: datetime,
    counted: Collection[str] = (),
    machines: Collection[str] = (),
    patches: Patches | None = None,
    limits: GitHubLimits | None = None,
    is_glance: bool = False,
) -> PullRequestReading:
    """Return the agents' pull requests of `repositories` that ended at or after `since`; nothing raises.

    Those that are not `counted` (by how they are cited) come first, the oldest first, so that what one night leaves
    is not left by every night. What cannot be read now is not given, and so is read by the next night. The accounts
    called `machines` are bots, also where it is asked what people changed. A glance does not tell what it leaves.
    """
    night = _Night(platform, agents, machines, patches, limits or GitHubLimits())
    listed = [one for repository in repositories for one in night.look(repository, since, counted)]
    fresh = sorted((one for one in listed if one.source not in counted), key=lambda one: one.ended)
    known = sorted((one for one in listed if one.source in counted), key=lambda one: one.ended, reverse=True)
    night.read([*fresh, *known], is_glance=is_glance)
    reading = night.reading()
    log.info(
        "pull_requests.read",
        records=reading.records,
        pull_requests=len(reading.pull_requests),
        skipped=len(reading.skipped),
    )
    return reading


@dataclass(slots=True)
class _Night:
    """What one night has read so far."""

    platform: Platform
    agents: Sequence[AgentMarks]
    machines: Collection[str]
    patches: Patches | None
    limits: GitHubLimits
    found: dict[str, tuple[Listed, PullRequest]] = field(default_factory=dict)
    skipped: list[SkippedRecord] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    unmarked: int = 0
    failures: int = 0
    too_large: int = 0
    over: str = ""

    def look(self, repository: str, since: datetime, counted: Collection[str]) -> Sequence[Listed]:
        """Return what there is to read of one repository."""
        listing = list_ended(self.platform, repository, self.agents, since=since, counted=counted, limits=self.limits)
        self.findings += listing.findings
        self.unmarked += listing.unmarked
        if listing.unmarked:
            self.findings.append(unmarked_finding(repository, listing.unmarked))
        if listing.failed:
            self.skipped.append(
                SkippedRecord(place=repository, reason=f"{listing.failed}; {_NEXT}", what="pull requests of repository")
            )
        return listing.listed

    def read(self, listed: Sequence[Listed], *, is_glance: bool) -> None:
        """Read what the night has room for, batch by batch."""
        most, page = self.limits.pull_requests, self.limits.page
        for start in range(0, min(len(listed), most), page):
            batch = listed[start : min(start + page, most)]
            if not self.over:
                self._read_batch(batch)
            if self.over:
                told = {*self.found, *(one.place for one in self.skipped)}
                self._leave([one for one in listed[start:most] if one.source not in told], f"{self.over}; {_NEXT}")
                break
        if len(listed) > most and not is_glance:
            self._leave(listed[most:], f"one night reads {most}; the next one goes on")
        self._read_patches()

    def reading(self) -> PullRequestReading:
        """Return everything, sorted by repository and number."""
        kept = sorted((one for _, one in self.found.values()), key=lambda one: (one.repository, one.number))
        return PullRequestReading(
            pull_requests=tuple(kept),
            skipped=tuple(self.skipped),
            records=len(kept) + len(self.skipped) + self.unmarked,
            unmarked=self.unmarked,
            findings=tuple(self.findings),
        )

    def _leave(self, left: Sequence[Listed], why: str) -> None:
        names = dict.fromkeys(one.repository for one in left)
        for name in names:
            count = sum(one.repository == name for one in left)
            self.findings.append(f"{name}: {count} pull requests of agents are not read tonight: {why}")

    def _skip(self, listed: Listed, reason: str) -> None:
        self.skipped.append(SkippedRecord(place=listed.source, reason=reason, what="pull request"))

    def _read_batch(self, batch: Sequence[Listed]) -> None:
        """Read a batch, and where it has no answer its halves, so that one that GitHub chokes on is alone with it."""
        answer = self.platform.ask("PullRequests", {"ids": [one.id for one in batch]})
        if isinstance(answer, Unanswered) and answer.want not in _OVER and len(batch) > 1:
            half = len(batch) // 2
            for part in (batch[:half], batch[half:]):
                if not self.over:
                    self._read_batch(part)
            return
        if isinstance(answer, Unanswered):
            self._fail(batch, answer)
            return
        self.failures = 0
        settle(answer.data, answer.missing)
        nodes = answer.data.get("nodes")
        by_id = (
            {str(node.get("id")): node for node in nodes if isinstance(node, dict)} if isinstance(nodes, list) else {}
        )
        for place, one in enumerate(batch):
            if self.over:
                return
            node = by_id.get(one.id)
            if node is None:
                kind = _kind(answer.missing, place)
                self._skip(one, f"it is not there, or may not be read{kind}; {_NEXT}")
            else:
                self._read_one(one, node)

    def _fail(self, batch: Sequence[Listed], why: Unanswered) -> None:
        """Skip a batch; nothing else is read where that tells of the login, the allowance or the server."""
        self.too_large += why.want is Want.TOO_MUCH
        self.failures += why.want is not Want.TOO_MUCH
        is_failing = self.failures >= self.limits.failures or self.too_large >= self.limits.too_large
        if why.want in _OVER or is_failing:
            self.over = why.reason
            return
        for one in batch:
            self._skip(one, f"{why.reason}; {_NEXT}")

    def _read_one(self, listed: Listed, node: Mapping[str, Any]) -> None:
        whole = read_whole(self.platform, listed, node, self.limits)
        match whole.read:
            case Unanswered() as lost:
                self._fail([listed], lost)
            case SkippedRecord() as skipped:
                self.skipped.append(skipped)
            case pull_request:
                self.failures = 0
                self.found[listed.source] = (listed, with_machines(pull_request, self.machines))
                if whole.gaps:
                    self.findings.append(f"{listed.source} is not read whole: {'; '.join(whole.gaps)}")

    def _read_patches(self) -> None:
        """Add what people changed; a pull request for which there is no allowance tonight waits for the next night."""
        if self.patches is None:
            return
        runs = {source: runs_of_people(one, self.agents) for source, (_, one) in self.found.items()}
        edited = [listed for source, (listed, _) in self.found.items() if runs[source]]
        refused: dict[str, Unanswered] = {}
        for repository in dict.fromkeys(one.at for one in edited):
            numbers = [one.number for one in edited if one.at == repository]
            failed = self.patches.prepare(repository, numbers)
            if failed is not None:
                refused[repository] = failed
                self.findings.append(f"{repository}: what people changed is not read: {failed.reason}")
        failures = 0
        for listed in edited:
            if listed.at in refused:
                continue
            if failures >= self.limits.failures:
                self.findings.append(f"{listed.source}: what people changed is not read: too many others failed")
                continue
            edits = read_edits(self.patches, listed.at, runs[listed.source], self.limits)
            want = edits.unanswered.want if edits.unanswered is not None else None
            if want in _OVER:
                del self.found[listed.source]
                self._skip(listed, f"what people changed: {edits.gap}; {_NEXT}")
                continue
            failures = failures + 1 if want in {Want.DOWN, Want.TOO_MUCH} else 0
            self.found[listed.source] = (listed, replace(self.found[listed.source][1], edits=edits.files))
            if edits.gap:
                self.findings.append(f"{listed.source}: of what people changed: {edits.gap}")


def _kind(missing: Sequence[Missing], place: int) -> str:
    kinds = [part.kind for part in missing if part.path[:2] == ("nodes", place) and part.kind]
    return f" ({kinds[0]})" if kinds else ""
