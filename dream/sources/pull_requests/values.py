"""A pull request as it was recorded, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal


class ActorKind(StrEnum):
    """What stands behind an account, by the platform's own record and never by what it wrote."""

    PERSON = "person"
    BOT = "bot"
    DELETED = "deleted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """An account as it was recorded; `login` is empty where the record names nobody."""

    login: str
    kind: ActorKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit of the pull request; `parents` is None where the record does not list them.

    `co_authors` are those whom the platform or a trailer of the message names beside the author.
    """

    sha: str
    author: Actor
    committer: Actor
    message: str
    parents: tuple[str, ...] | None = None
    at: datetime | None = None
    co_authors: tuple[Actor, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One review; `state` is the platform's word, in capitals, and so is `association`: what its author may do here."""

    id: str
    actor: Actor
    state: str
    body: str
    at: datetime | None = None
    association: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment on the pull request; `association` is the platform's word for what its author may do here."""

    id: str
    actor: Actor
    body: str
    at: datetime | None = None
    association: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What was said about one place of the changes: a path, its line (0 where unknown), and the `hunk` around it."""

    id: str
    path: str
    line: int = 0
    resolved: bool = False
    hunk: str = ""
    comments: tuple[Comment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """One file of what people changed on top of the agent's work; `patch` are the hunks of a unified diff.

    `status` is `added`, `removed`, `modified` or `renamed` (from `previous`); `patch` is None where there is none: a
    binary file, or one that the platform thought too large.
    """

    path: str
    status: str
    previous: str = ""
    patch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the timeline; `name` is the platform's word (`closed`, `head_ref_force_pushed`).

    `before` and `after` are the heads around a force-push. `commit` or `closer` (another pull request, as it is cited)
    closed it, where a reference did.
    """

    name: str
    actor: Actor
    commit: str = ""
    at: datetime | None = None
    before: str = ""
    after: str = ""
    closer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request of an agent; what is None was not recorded.

    `agent` is the record's name for the agent that wrote it, `state` is `open`, `closed` or `merged`. `edits` are what
    differs between the agent's last head and the head that was merged, merges from the base left out. `base` is the
    branch that it goes into; `head` the last commit of its own.
    """

    repository: str
    number: int
    title: str
    author: Actor
    state: str
    digest: str
    agent: str = ""
    url: str = ""
    body: str = ""
    branch: str = ""
    labels: tuple[str, ...] = ()
    created_at: datetime | None = None
    closed_at: datetime | None = None
    merged_at: datetime | None = None
    closed_by: Actor | None = None
    merged_by: Actor | None = None
    commits: tuple[Commit, ...] | None = None
    reviews: tuple[Review, ...] | None = None
    comments: tuple[Comment, ...] | None = None
    timeline: tuple[Event, ...] | None = None
    threads: tuple[Thread, ...] | None = None
    edits: tuple[FileEdit, ...] | None = None
    base: str = ""
    head: str = ""

    @property
    def source(self) -> str:
        """How entries cite this pull request: `acme/web#41`."""
        return f"{self.repository}#{self.number}"

    @property
    def settled_at(self) -> datetime | None:
        """When it was merged or closed, None while it is open or where that was not recorded."""
        return self.merged_at or self.closed_at


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestSource:
    """Where recorded pull requests lie: a file of one record or a list of them, or a folder of such files."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedRecord:
    """A record that could not be read, and why; `place` is the file, with the record's position in a list.

    Of a platform `what` was left out is a pull request or those of a repository, and `place` its name.
    """

    place: str
    reason: str
    what: Literal["pull request record", "pull request", "pull requests of repository"] = "pull request record"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReading:
    """Everything that the configured sources gave; each of `records` is a pull request, skipped or `unmarked`.

    `unmarked` bear no mark of an agent and were not read further. `findings` are what a person should be told.
    """

    pull_requests: tuple[PullRequest, ...] = ()
    skipped: tuple[SkippedRecord, ...] = ()
    records: int = 0
    unmarked: int = 0
    findings: tuple[str, ...] = ()


class Fate(StrEnum):
    """What became of a pull request, as far as the record says."""

    MERGED_UNTOUCHED = "merged-untouched"
    MERGED_EDITED = "merged-edited"
    CLOSED_BY_PERSON = "closed-by-person"
    CLOSED_BY_SYSTEM = "closed-by-system"
    OPEN = "open"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Classification:
    """What became of a pull request, why, and the commits that decided it."""

    fate: Fate
    reason: str
    commits: tuple[str, ...] = ()
