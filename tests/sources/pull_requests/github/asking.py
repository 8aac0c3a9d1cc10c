"""A reading of the GitHub on loopback, with no waiting in it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from dream.sources.pull_requests.agents import KNOWN_AGENTS
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.logins import Login, TokenLogin
from dream.sources.pull_requests.github.patches import Compared
from dream.sources.pull_requests.github.reading import read_github
from dream.sources.pull_requests.github.web import GitHub
from dream.sources.pull_requests.values import PullRequestReading
from tests.support.github import NOW, TOKEN, GitHubState, asked, commit, github, pull
from tests.support.vendors import Response, VendorServer, of_json

SINCE = datetime(2026, 11, 15, tzinfo=UTC)


@dataclass
class Watch:
    """A clock that only sleeping moves, which it does at once."""

    now: datetime = NOW
    slept: list[float] = field(default_factory=list)
    server: GitHubState | None = None
    """Whose clock goes with this one."""

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += timedelta(seconds=seconds)
        if self.server is not None:
            self.server.clock = self.now

    def tell(self) -> datetime:
        return self.now


@dataclass
class Asked:
    """What a night read, what it asked for, and how long it waited."""

    reading: PullRequestReading
    operations: list[str]
    slept: list[float]


def read(
    state: GitHubState,
    *,
    repositories: tuple[str, ...] = ("acme/web",),
    limits: GitHubLimits | None = None,
    login: Login | None = None,
    counted: Collection[str] = (),
    since: datetime = SINCE,
) -> Asked:
    """Read what `state` has, as one night."""
    with github(state) as server:
        watch = Watch()
        reading = read_from(
            server,
            watch,
            repositories=repositories,
            limits=limits,
            login=login,
            counted=counted,
            since=since,
        )
        return Asked(reading, [asked(request) for request in server.requests], watch.slept)


def read_from(
    server: VendorServer,
    watch: Watch,
    *,
    repositories: tuple[str, ...] = ("acme/web",),
    limits: GitHubLimits | None = None,
    login: Login | None = None,
    counted: Collection[str] = (),
    since: datetime = SINCE,
) -> PullRequestReading:
    """Read from a server that is running."""
    limits = limits or GitHubLimits()
    platform = GitHub(server.url, login or TokenLogin(secret=TOKEN), limits, now=watch.tell, sleep=watch.sleep)
    reading = read_github(
        platform,
        repositories,
        KNOWN_AGENTS,
        since=since,
        counted=counted,
        patches=Compared(platform),
        limits=limits,
    )
    assert reading.records == len(reading.pull_requests) + len(reading.skipped) + reading.unmarked
    return reading


WEB = "acme/web"
AGAIN = "the next night tries again"


def three() -> GitHubState:
    """Three pull requests of Devin."""
    return GitHubState(repositories={WEB: [pull(n, commit(1)) for n in (1, 2, 3)]})


def numbers(asked: Asked) -> list[int]:
    """The numbers of what was read."""
    return [one.number for one in asked.reading.pull_requests]


def skipped(asked: Asked) -> dict[str, str]:
    """What was not read, and why."""
    return {one.place: one.reason for one in asked.reading.skipped}


def graphql_error(kind: str, message: str = "no") -> Response:
    """An answer that is nothing but an error."""
    return of_json({"data": None, "errors": [{"type": kind, "message": message}]})
