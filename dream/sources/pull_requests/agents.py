"""By which marks an organisation knows its agents' pull requests and commits. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dream.sources.pull_requests.actors import is_same
from dream.sources.pull_requests.values import Actor, ActorKind, Commit, PullRequest

_TRAILER = re.compile(r"(?im)^co-authored-by:[ \t]{0,8}([^<\n]{1,200})")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMarks:
    """How one agent is told: its accounts, its name in trailers of commits, and marks of its pull requests.

    `accounts` are the agent's own, never a person's through whom it works.
    """

    name: str
    accounts: tuple[str, ...] = ()
    trailers: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


KNOWN_AGENTS = (
    AgentMarks(
        name="Claude Code",
        accounts=("claude[bot]",),
        trailers=("Claude",),
        branches=("claude/",),
        texts=("Generated with [Claude Code]",),
    ),
    AgentMarks(
        name="Codex",
        accounts=("chatgpt-codex-connector[bot]",),
        trailers=("Codex",),
        branches=("codex/",),
        labels=("codex",),
        texts=("https://chatgpt.com/codex/tasks/",),
    ),
    AgentMarks(
        name="Copilot",
        accounts=("Copilot", "copilot-swe-agent[bot]"),
        trailers=("Copilot", "copilot-swe-agent[bot]"),
        branches=("copilot/",),
    ),
    AgentMarks(
        name="Cursor",
        accounts=("cursoragent", "cursor[bot]"),
        trailers=("Cursor", "Cursor Agent"),
        branches=("cursor/",),
    ),
    AgentMarks(name="Devin", accounts=("devin-ai-integration[bot]",), trailers=("Devin AI",), branches=("devin/",)),
)


def agent_of(pull_request: PullRequest, agents: Sequence[AgentMarks]) -> str:
    """Return the name of the agent whose pull request this is, "" if it bears no mark of one."""
    for marks in agents:
        if (
            _is_of(pull_request.author, marks)
            or (pull_request.branch and pull_request.branch.startswith(marks.branches or "\0"))
            or any(is_same(label, mark) for label in pull_request.labels for mark in marks.labels)
            or any(text in pull_request.body for text in marks.texts)
        ):
            return marks.name
    return ""


def _is_of(author: Actor, marks: AgentMarks) -> bool:
    """Whether an account is the agent's, also where the platform names an app without the mark `[bot]`."""
    if is_agents_account(author.login, (marks,)):
        return True
    app = f"{author.login.removeprefix('app/')}[bot]"
    return author.kind is ActorKind.BOT and is_agents_account(app, (marks,))


def is_agents_account(login: str, agents: Sequence[AgentMarks]) -> bool:
    """Return whether a login is an agent's own account."""
    return any(is_same(login, account) for marks in agents for account in marks.accounts)


def is_agents_commit(commit: Commit, agents: Sequence[AgentMarks]) -> bool:
    """Return whether an agent wrote a commit: under its own account, or named in a trailer of the message."""
    if is_agents_account(commit.author.login, agents):
        return True
    named = {name.strip().casefold() for name in _TRAILER.findall(commit.message)}
    return any(trailer.casefold() in named for marks in agents for trailer in marks.trailers)
