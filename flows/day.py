"""What happened: everything that tonight's tasks are told, read once and from outside the memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

from config.organisation import Organisation
from dream.memory.windows import Window
from dream.sources.production.code.tree import CodeTree
from dream.sources.pull_requests.values import PullRequest
from dream.sources.reported_reads import read_reports
from dream.sources.sessions.findings import findings_of
from dream.sources.sessions.reading import read_sessions
from dream.sources.sessions.values import Session, SessionSource, Summary
from flows.code_repositories import read_code_trees
from flows.pull_requests import read_agents_pull_requests
from tasks.lessons.teachers import sources_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """Sessions, pull requests and code as they were read, which notes were `read` by report, and what could not be."""

    sessions: tuple[Session, ...] = ()
    summaries: tuple[Summary, ...] = ()
    pull_requests: tuple[PullRequest, ...] = ()
    code: tuple[CodeTree, ...] = ()
    findings: tuple[str, ...] = ()
    read: Mapping[str, date] = field(default_factory=dict)

    @property
    def sources(self) -> frozenset[str]:
        """Every source that a statement may cite tonight."""
        threads = {session.source for session in self.sessions} | {summary.source for summary in self.summaries}
        people = {
            f"person:{message.author}@{session.source}"
            for session in self.sessions
            for message in session.messages
            if message.author
        }
        probes = {f"probe:{tree.name}" for tree in self.code}
        return frozenset(threads | people | probes).union(*map(sources_of, self.pull_requests))


def read_day(
    organisation: Organisation,
    *,
    window: Window,
    now: datetime,
    home: Path,
    counted: Collection[str] = (),
    is_glance: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> Day:
    """Return what the organisation's sources say of `window`; a source that is down is a finding, never an error.

    What is dated after `now` is from tomorrow and reported as such. Pull requests that are not `counted` are read
    first; at a glance only some of those that must be asked for are. `sleep` takes seconds.
    """
    sessions = read_sessions(_session_sources(organisation), since=window.start, until=window.end, now=now)
    requests = read_agents_pull_requests(
        organisation, since=window.start, home=home, counted=counted, is_glance=is_glance, sleep=sleep
    )
    code = read_code_trees(organisation, home)
    reads = read_reports([str(one.path) for one in organisation.reads], until=window.end, now=now)
    return Day(
        sessions=sessions.sessions,
        summaries=sessions.summaries,
        pull_requests=requests.pull_requests,
        code=code,
        read=reads.days,
        findings=(
            *findings_of(sessions),
            *reads.findings,
            *(f"{skipped.what} {skipped.place} left out: {skipped.reason}" for skipped in requests.skipped),
            *requests.findings,
            *(f"probe {tree.name} is down: {tree.unknown}" for tree in code if tree.unknown),
            *(f"probe {tree.name}: {tree.remark}" for tree in code if tree.remark),
        ),
    )


def _session_sources(organisation: Organisation) -> Sequence[SessionSource]:
    return [
        SessionSource(
            kind=source.kind,
            path=str(source.path),
            person=source.person,
            repository=source.repository,
            zone=organisation.zone,
        )
        for source in organisation.sessions
    ]
