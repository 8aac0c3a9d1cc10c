"""Whose commits and words on a pull request teach anything: people's who may write to that repository. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from dream.sources.pull_requests.actors import WEB_EDITOR, is_same
from dream.sources.pull_requests.agents import AgentMarks, is_agents_account
from dream.sources.pull_requests.values import Actor, ActorKind, Comment, PullRequest

_MAY_WRITE = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Words on a pull request: the platform's own id of them, the person, the text, and the place that it is about."""

    id: str
    actor: Actor
    text: str
    association: str = ""
    place: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Teachers:
    """Who may write to which repository, as far as the pull requests read tonight say, and who the agents are.

    An account through which an agent opened a pull request teaches nothing on it: nobody can tell which of the two
    spoke.
    """

    writers: Mapping[str, frozenset[str]]
    agents: Sequence[AgentMarks]

    @classmethod
    def of(cls, pull_requests: Iterable[PullRequest], *, agents: Sequence[AgentMarks]) -> Teachers:
        """Return who merged, and who the platform says may write, in each of the repositories."""
        found: dict[str, set[str]] = {}
        for pull_request in pull_requests:
            writers = found.setdefault(pull_request.repository, set())
            writers |= {actor.login.casefold() for actor in _writers(pull_request, agents)}
        return cls(writers={name: frozenset(writers) for name, writers in found.items()}, agents=tuple(agents))

    def may_write(self, actor: Actor, pull_request: PullRequest, *, association: str = "") -> bool:
        """Whether this is a person with write access to the pull request's repository."""
        if not is_person(actor, self.agents):
            return False
        known = self.writers.get(pull_request.repository, frozenset())
        return (
            association in _MAY_WRITE
            or actor.login.casefold() in known
            or any(is_same(actor.login, other.login) for other in _pushed(pull_request, self.agents))
        )

    def words(self, pull_request: PullRequest) -> Iterator[Spoken]:
        """Yield what such people said: reviews, what they said of single lines, and comments."""
        for one in spoken_on(pull_request):
            is_shared = is_same(one.actor.login, pull_request.author.login)
            if not is_shared and self.may_write(one.actor, pull_request, association=one.association):
                yield one

    def editors(self, pull_request: PullRequest, commits: Sequence[str]) -> tuple[str, ...]:
        """Return the logins of who made `commits`, none where one of them is no person."""
        made = [commit for commit in pull_request.commits or () if commit.sha in {*commits}]
        if not made or not all(is_person(commit.author, self.agents) for commit in made):
            return ()
        return tuple(sorted({commit.author.login for commit in made}))


def is_person(actor: Actor, agents: Sequence[AgentMarks]) -> bool:
    """Whether an account is a person's, and no agent's own and not the platform's."""
    return (
        actor.kind is ActorKind.PERSON
        and bool(actor.login)
        and not is_same(actor.login, WEB_EDITOR)
        and not is_agents_account(actor.login, agents)
    )


def spoken_on(pull_request: PullRequest) -> Iterator[Spoken]:
    """Yield everything that anybody said on a pull request, in the order of its record."""
    for review in pull_request.reviews or ():
        yield Spoken(
            id=f"r{review.id}",
            actor=review.actor,
            text=review.body,
            association=review.association,
            at=review.at,
        )
    for thread in pull_request.threads or ():
        place = f"{thread.path}:{thread.line}" if thread.line else thread.path
        yield from (_comment("t", said, place) for said in thread.comments)
    yield from (_comment("c", said, "") for said in pull_request.comments or ())


def _comment(kind: str, said: Comment, place: str) -> Spoken:
    return Spoken(
        id=f"{kind}{said.id}", actor=said.actor, text=said.body, association=said.association, place=place, at=said.at
    )


def sources_of(pull_request: PullRequest) -> frozenset[str]:
    """Return every way in which an entry may cite a pull request: as a whole, and a person's part of it."""
    actors = [commit.author for commit in pull_request.commits or ()]
    actors += [one.actor for one in spoken_on(pull_request)]
    people = {actor.login for actor in actors if actor.kind is ActorKind.PERSON and actor.login}
    return frozenset({pull_request.source, *(f"person:{login}@{pull_request.source}" for login in people)})


def _writers(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> Iterator[Actor]:
    merged_by = pull_request.merged_by
    if merged_by is not None and is_person(merged_by, agents):
        yield merged_by
    for one in spoken_on(pull_request):
        if one.association in _MAY_WRITE and is_person(one.actor, agents):
            yield one.actor


def _pushed(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> Iterator[Actor]:
    """Yield who else has commits in what was merged: without a merge they may be anybody's, on a branch of their own.

    Where an author may not write, whoever merged has read what they wrote.
    """
    if pull_request.state != "merged":
        return
    for commit in pull_request.commits or ():
        if not is_same(commit.author.login, pull_request.author.login) and is_person(commit.author, agents):
            yield commit.author
