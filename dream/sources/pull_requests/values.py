"""A pull request as it was recorded, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


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
    """One commit of the pull request; `parents` is None where the record does not list them."""

    sha: str
    author: Actor
    committer: Actor
    message: str
    parents: tuple[str, ...] | None = None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """One review; `state` is the platform's word, in capitals."""

    id: str
    actor: Actor
    state: str
    body: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """One comment on the pull request."""

    id: str
    actor: Actor
    body: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One line of the timeline; `name` is the platform's word (`closed`, `head_ref_force_pushed`)."""

    name: str
    actor: Actor
    commit: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request of an agent; `reviews`, `comments` and `timeline` are None where they were not recorded.

    `agent` is the record's name for the agent that wrote it, `state` is `open`, `closed` or `merged`.
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
    """A record that could not be read, and why; `place` is the file, with the record's position in a list."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestReading:
    """Everything that the configured records gave; each of `records` is a pull request or skipped."""

    pull_requests: tuple[PullRequest, ...] = ()
    skipped: tuple[SkippedRecord, ...] = ()
    records: int = 0


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
