"""What became of a pull request of an agent: decided from its record alone, unknown where that does not say. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from enum import Enum, auto

from dream.sources.pull_requests.actors import WEB_EDITOR, is_same
from dream.sources.pull_requests.agents import AgentMarks, is_agents_account, is_agents_commit
from dream.sources.pull_requests.values import Actor, ActorKind, Classification, Commit, Event, Fate, PullRequest

_MERGES = re.compile(
    r"Merge (?:branch|remote-tracking branch|pull request|tag|commit|(?:from )?(?:main|master|develop|dev|trunk)\b)"
)
_SEVERAL_PARENTS = 2
_JUST_BEFORE = timedelta(seconds=5)


class _Hand(Enum):
    """Whose hand is in a commit."""

    AGENT = auto()
    PERSON = auto()
    SYSTEM = auto()
    ACCOUNT = auto()
    REWRITTEN = auto()
    UNKNOWN = auto()


def classify(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> Classification:
    """Return what became of a pull request, with the reason in words and the commits that decided it.

    Every commit counts, wherever it stands. Merges and commits of bots are no edits, and neither are commits after
    which nothing differs from what the agent left. Where people and agent share an account, or a person rewrote the
    agent's commits and what that changed was not recorded, the answer is UNKNOWN.
    """
    match pull_request.state:
        case "open":
            return Classification(fate=Fate.OPEN, reason="it is open")
        case "merged":
            return _merged(pull_request, agents)
        case "closed":
            return _closed(pull_request, agents)
        case _:
            return Classification(fate=Fate.UNKNOWN, reason="its state was not recorded")


def _merged(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> Classification:
    commits = pull_request.commits
    if not commits:
        return Classification(fate=Fate.UNKNOWN, reason="its commits were not recorded")
    hands = [(_hand(commit, pull_request, agents), commit) for commit in commits]
    written = [hand for hand, _ in hands if hand is not _Hand.SYSTEM]
    if not any(hand in {_Hand.AGENT, _Hand.REWRITTEN} for hand in written):
        return _merged_through_an_account(pull_request, hands)
    people = [commit for hand, commit in _on_top(hands, pull_request, agents) if hand in {_Hand.PERSON, _Hand.ACCOUNT}]
    if people:
        return _edited(people, len(commits)) if pull_request.edits != () else _without_effect(people)
    if _Hand.REWRITTEN in written or _rewriter(pull_request, agents):
        return _rewritten(pull_request, _shas(hands, _Hand.REWRITTEN))
    if _Hand.UNKNOWN in written:
        return _unnamed(hands)
    return Classification(
        fate=Fate.MERGED_UNTOUCHED, reason="every commit is the agent's", commits=_shas(hands, _Hand.AGENT)
    )


def _merged_through_an_account(pull_request: PullRequest, hands: Sequence[tuple[_Hand, Commit]]) -> Classification:
    """Decide where no commit bears the agent's mark: the account that opened it stands for the agent."""
    people = [commit for hand, commit in hands if hand is _Hand.PERSON]
    if people:
        return _edited(people, len(hands))
    if any(hand is _Hand.UNKNOWN for hand, _ in hands):
        return _unnamed(hands)
    shared = _shas(hands, _Hand.ACCOUNT)
    if len(shared) == 1:
        login = pull_request.author.login
        reason = f"its only commit is by {login}, whose account the agent works through"
        return Classification(fate=Fate.MERGED_UNTOUCHED, reason=reason, commits=shared)
    reason = "people and the agent share an account" if shared else "no commit of the agent was recorded"
    return Classification(fate=Fate.UNKNOWN, reason=reason, commits=shared)


def _hand(commit: Commit, pull_request: PullRequest, agents: Sequence[AgentMarks]) -> _Hand:
    author, committer = commit.author, commit.committer
    if _is_merge(commit):
        return _Hand.SYSTEM
    own = is_agents_account(author.login, agents)
    through = is_same(author.login, pull_request.author.login)
    if own:
        return _Hand.REWRITTEN if _is_other_person(committer, agents) else _Hand.AGENT
    # anybody can write a trailer: it counts for nothing beside another person's account than the agent works through
    if is_agents_commit(commit, agents) and (through or author.kind is not ActorKind.PERSON):
        return _Hand.AGENT
    if ActorKind.BOT in {author.kind, committer.kind} or is_agents_account(committer.login, agents):
        return _Hand.SYSTEM
    if author.kind is not ActorKind.PERSON:
        return _Hand.UNKNOWN
    return _Hand.ACCOUNT if through else _Hand.PERSON


def _is_merge(commit: Commit) -> bool:
    if commit.parents is not None:
        return len(commit.parents) >= _SEVERAL_PARENTS
    return _MERGES.match(commit.message) is not None


def _is_other_person(actor: Actor, agents: Sequence[AgentMarks]) -> bool:
    return (
        actor.kind is ActorKind.PERSON
        and not is_same(actor.login, WEB_EDITOR)
        and not is_agents_account(actor.login, agents)
    )


def _on_top(
    hands: Sequence[tuple[_Hand, Commit]], pull_request: PullRequest, agents: Sequence[AgentMarks]
) -> Sequence[tuple[_Hand, Commit]]:
    """Leave out what a person had on the branch before the agent began, unless the agent opened it itself."""
    if is_agents_account(pull_request.author.login, agents):
        return hands
    began = next(place for place, (hand, _) in enumerate(hands) if hand in {_Hand.AGENT, _Hand.REWRITTEN})
    return hands[began:]


def _rewriter(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> bool:
    """Whether a person other than the one who opened it pushed over what was there."""
    return any(
        event.name == "head_ref_force_pushed"
        and _is_other_person(event.actor, agents)
        and not is_same(event.actor.login, pull_request.author.login)
        for event in pull_request.timeline or ()
    )


def _edited(people: Sequence[Commit], commits: int) -> Classification:
    names = ", ".join(sorted({commit.author.login for commit in people}))
    return Classification(
        fate=Fate.MERGED_EDITED,
        reason=f"{len(people)} of {commits} commits are by {names}",
        commits=tuple(commit.sha for commit in people),
    )


def _without_effect(people: Sequence[Commit]) -> Classification:
    return Classification(
        fate=Fate.MERGED_UNTOUCHED,
        reason="after people's commits nothing differs from what the agent left",
        commits=tuple(commit.sha for commit in people),
    )


def _rewritten(pull_request: PullRequest, commits: tuple[str, ...]) -> Classification:
    """Decide by what differs where a person pushed over the agent's commits."""
    if pull_request.edits is None:
        reason = "a person rewrote the agent's commits, and what changed was not recorded"
        return Classification(fate=Fate.UNKNOWN, reason=reason, commits=commits)
    if pull_request.edits:
        reason = f"a person rewrote the agent's commits, and {len(pull_request.edits)} files differ"
        return Classification(fate=Fate.MERGED_EDITED, reason=reason, commits=commits)
    reason = "a person rewrote the agent's commits, and nothing differs"
    return Classification(fate=Fate.MERGED_UNTOUCHED, reason=reason, commits=commits)


def _unnamed(hands: Sequence[tuple[_Hand, Commit]]) -> Classification:
    return Classification(
        fate=Fate.UNKNOWN,
        reason="the record does not tell whose commits these are",
        commits=_shas(hands, _Hand.UNKNOWN),
    )


def _shas(hands: Sequence[tuple[_Hand, Commit]], wanted: _Hand) -> tuple[str, ...]:
    return tuple(commit.sha for hand, commit in hands if hand is wanted)


def _closed(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> Classification:
    events = pull_request.timeline or ()
    closings = [place for place, event in enumerate(events) if event.name == "closed"]
    closing = events[closings[-1]] if closings else None
    if closing is not None and closing.commit:
        return Classification(
            fate=Fate.CLOSED_BY_SYSTEM, reason="a commit closed it: it landed elsewhere", commits=(closing.commit,)
        )
    if closing is not None and closing.closer:
        return Classification(fate=Fate.CLOSED_BY_SYSTEM, reason=f"{closing.closer} closed it: it landed elsewhere")
    if closing is not None and _followed_a_deletion(events[: closings[-1]], closing):
        return Classification(fate=Fate.CLOSED_BY_SYSTEM, reason="its branch was deleted")
    fate, reason = _closed_by(pull_request.closed_by or (closing.actor if closing is not None else None), agents)
    if fate is Fate.CLOSED_BY_PERSON and pull_request.closed_by == pull_request.author:
        reason += ", through whose account it was opened"
    return Classification(fate=fate, reason=reason)


def _closed_by(actor: Actor | None, agents: Sequence[AgentMarks]) -> tuple[Fate, str]:
    if actor is None:
        return Fate.UNKNOWN, "who closed it was not recorded"
    if is_agents_account(actor.login, agents):
        return Fate.CLOSED_BY_SYSTEM, f"closed by its own agent, {actor.login}"
    match actor.kind:
        case ActorKind.BOT:
            return Fate.CLOSED_BY_SYSTEM, f"closed by {actor.login}"
        case ActorKind.DELETED:
            return Fate.CLOSED_BY_SYSTEM, "closed by an account that no longer exists"
        case ActorKind.PERSON:
            return Fate.CLOSED_BY_PERSON, f"closed by {actor.login}"
        case ActorKind.UNKNOWN:
            return Fate.UNKNOWN, f"closed by {actor.login or 'an unnamed account'}"


def _followed_a_deletion(earlier: Sequence[Event], closing: Event) -> bool:
    deleted = next((event for event in reversed(earlier) if event.name == "head_ref_deleted"), None)
    if deleted is None or deleted.at is None or closing.at is None:
        return False
    return timedelta() <= closing.at - deleted.at <= _JUST_BEFORE
