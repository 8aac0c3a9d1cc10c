"""Which pull requests of a repository ended lately and are an agent's, by what is cheap to ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dream.sources.instants import instant
from dream.sources.pull_requests.actors import UNNAMED, actor_of
from dream.sources.pull_requests.agents import AgentMarks, agent_of
from dream.sources.pull_requests.github.connections import settle
from dream.sources.pull_requests.github.limits import GitHubLimits
from dream.sources.pull_requests.github.port import Answered, Platform, Unanswered, Want
from dream.sources.pull_requests.github.translation import account, labels
from dream.sources.pull_requests.values import PullRequest

_PAGES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A pull request of an agent that ended: its id with GitHub, how it is cited, and by what it is known."""

    id: str
    repository: str
    number: int
    ended: datetime
    agent: str
    at: str
    """The repository's name today, where questions about it go."""

    @property
    def source(self) -> str:
        """How it is cited."""
        return f"{self.repository}#{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What one repository has: agents' pull requests, how many are nobody's, and what a person should be told."""

    listed: tuple[Listed, ...] = ()
    unmarked: int = 0
    findings: tuple[str, ...] = ()
    failed: str = ""


def list_ended(
    platform: Platform,
    repository: str,
    agents: Sequence[AgentMarks],
    *,
    since: datetime,
    counted: Collection[str],
    limits: GitHubLimits,
) -> Listing:
    """Return the agents' pull requests of `repository` that ended at or after `since`, newest change first.

    They are listed by their last change, which is never before their end: nothing is missed, and a search, which
    gives no more than a thousand, is not needed. Those `counted` under a name that the repository had keep it.
    """
    reader = _Reader(platform, repository, limits)
    found: dict[str, Listed] = {}
    unmarked: set[str] = set()
    for node in reader.nodes(since):
        ended, key, number = instant(node.get("closedAt")), node.get("id"), node.get("number")
        if ended is None or ended < since or not isinstance(key, str) or not isinstance(number, int):
            continue
        agent = _agent(node, repository, agents)
        if not agent:
            unmarked.add(key)
            continue
        name = repository if f"{repository}#{number}" in counted else reader.name
        found[key] = Listed(id=key, repository=name, number=number, ended=ended, agent=agent, at=reader.name)
    return Listing(
        listed=tuple(found.values()),
        unmarked=len(unmarked),
        findings=tuple(reader.findings),
        failed=reader.failed,
    )


class _Reader:
    """Pages of one repository's pull requests."""

    def __init__(self, platform: Platform, repository: str, limits: GitHubLimits) -> None:
        self._platform = platform
        self._configured = repository
        self._first = limits.listed
        self.name = repository
        self.findings: list[str] = []
        self.failed = ""

    def nodes(self, since: datetime) -> Iterator[Mapping[str, Any]]:
        """Yield what pull requests say of themselves, until their last change was before `since`."""
        cursors: set[str] = set()
        after: str | None = None
        seen = 0
        while len(cursors) < _PAGES:
            answer = self._ask(after)
            if isinstance(answer, Unanswered):
                self.failed = answer.reason
                return
            settle(answer.data, answer.missing)
            match answer.data.get("repository"):
                case {"pullRequests": {"nodes": list(nodes), "pageInfo": {"hasNextPage": bool(more), **way}}, **told}:
                    self._name(told)
                case _:
                    self.failed = "its pull requests may not be read"
                    return
            readable = [node for node in nodes if isinstance(node, dict)]
            if len(readable) < len(nodes):
                self._say(f"{len(nodes) - len(readable)} of its pull requests may not be read")
            for node in readable:
                changed = instant(node.get("updatedAt"))
                if changed is not None and changed < since:
                    return
                yield node
            seen += len(nodes)
            cursor = way.get("endCursor")
            if not more:
                self._say_fewer(answer.data, seen)
                return
            if not isinstance(cursor, str) or not cursor or cursor in cursors:
                self.failed = "the list of its pull requests ends early"
                return
            cursors.add(cursor)
            after = cursor
        self.failed = f"of its pull requests only the {seen} that changed last are looked at"

    def _ask(self, after: str | None) -> Answered | Unanswered:
        owner, _, name = self._configured.partition("/")
        while True:
            variables = {"owner": owner, "name": name, "first": self._first, "after": after}
            answer = self._platform.ask("ClosedPullRequests", variables)
            if isinstance(answer, Answered) or answer.want is not Want.TOO_MUCH or self._first == 1:
                return answer
            self._first //= 2

    def _name(self, told: Mapping[Any, Any]) -> None:
        named = told.get("nameWithOwner")
        if isinstance(named, str) and named and named != self.name:
            self.name = named
            if named.casefold() != self._configured.casefold():
                self._say(f"it is called {named} now, and what ends there is cited so; write that in the configuration")
        if told.get("isArchived") is True:
            self._say("it is archived: once its last pull requests are counted, take it out of the configuration")

    def _say(self, finding: str) -> None:
        told = f"{self._configured}: {finding}"
        if told not in self.findings:
            self.findings.append(told)

    def _say_fewer(self, data: Mapping[str, Any], seen: int) -> None:
        match data:
            case {"repository": {"pullRequests": {"totalCount": int(total)}}} if seen < total:
                self._say(f"it has {total} pull requests that ended, and the list gives {seen}")


def _agent(node: Mapping[str, Any], repository: str, agents: Sequence[AgentMarks]) -> str:
    """Return the agent by whose marks this is known, "" for nobody's."""
    try:
        author = actor_of(account(node.get("author"))) or UNNAMED
    except ValueError:
        author = UNNAMED
    body, branch = node.get("body"), node.get("headRefName")
    bare = PullRequest(
        repository=repository,
        number=1,
        title="",
        author=author,
        state="closed",
        digest="",
        body=body if isinstance(body, str) else "",
        branch=branch if isinstance(branch, str) else "",
        labels=tuple(labels(node)),
    )
    return agent_of(bare, agents)
