"""Invented sessions and pull requests, and a night's planning without guards."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from dream.memory.applying import apply_operation
from dream.memory.operations import Operation, Refusal
from dream.memory.outcomes import Plan
from dream.memory.tree import MappingTree, OverlayTree, Tree
from dream.sources.pull_requests.values import Actor, ActorKind, Classification, Fate, PullRequest
from dream.sources.sessions.values import Message, Role, Session, Summary

NOON = datetime(2026, 10, 21, 12, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


def said(role: Role, text: str, *, at: datetime = NOON, author: str = "", tool: str = "") -> Message:
    """One message; its id is made from what it says and when."""
    name = hashlib.sha256(f"{role} {at} {text} {tool}".encode()).hexdigest()[:8]
    return Message(id=name, at=at, role=role, text=text, author=author, tool=tool)


def talk(*turns: str, start: datetime = NOON, minutes: int = 1) -> tuple[Message, ...]:
    """Messages a minute apart, from lines such as `ana: fix it`, `agent: done`, `tool Bash: make test: Exit code 1`."""
    messages = []
    for number, turn in enumerate(turns):
        who, _, text = turn.partition(": ")
        at = start + timedelta(minutes=minutes * number)
        if who.startswith("tool "):
            command, _, output = text.partition(": ")
            messages.append(said(Role.TOOL, output, at=at, tool=f"{who[5:]}: {command}"))
        elif who in {"agent", "harness", "recalled"}:
            messages.append(said(Role(who), text, at=at))
        else:
            messages.append(said(Role.PERSON, text, at=at, author="" if who == "somebody" else who))
    return tuple(messages)


def thread(
    short: str,
    *messages: Message,
    repository: str = "acme/web",
    files: Sequence[str] = (),
    pull_requests: Sequence[str] = (),
) -> Session:
    """A session that entries cite as `thread_<short>`."""
    return Session(
        id=short,
        short=short,
        tool="claude-code",
        messages=messages,
        digest=hashlib.sha256(repr(messages).encode()).hexdigest(),
        repository=repository,
        files=tuple(files),
        pull_requests=tuple(pull_requests),
    )


def summary(short: str, *, lasting: str = "", stale: str = "", repository: str = "acme/web") -> Summary:
    """A ready summary of half an hour at noon."""
    return Summary(
        id=short,
        short=short,
        started=NOON,
        ended=NOON + timedelta(minutes=30),
        person="chidi",
        title="what we found",
        lasting=lasting,
        stale=stale,
        digest=hashlib.sha256(f"{lasting}\0{stale}".encode()).hexdigest(),
        repository=repository,
    )


def pull_request(
    number: int,
    *,
    title: str = "Move the banner",
    ended: datetime | None = NOON,
    fate: Fate = Fate.MERGED_UNTOUCHED,
    repository: str = "acme/web",
    created: datetime | None = None,
) -> PullRequest:
    """A pull request whose record says `fate` in its branch, for `fate_in_branch` to read."""
    merged = fate in {Fate.MERGED_UNTOUCHED, Fate.MERGED_EDITED}
    return PullRequest(
        repository=repository,
        number=number,
        title=title,
        author=Actor(login="acme-agent", kind=ActorKind.BOT),
        state="open" if ended is None else "merged" if merged else "closed",
        digest=f"{number} {title} {ended} {fate}",
        branch=fate.value,
        created_at=created,
        closed_at=ended,
        merged_at=ended if merged else None,
    )


def fate_in_branch(one: PullRequest) -> Classification:
    """Classify by what `pull_request` wrote into the branch."""
    return Classification(fate=Fate(one.branch), reason="as told")


def unscreened(text: str) -> str:
    """Let everything through."""
    return text


def planted(tree: Tree, plan: Plan) -> Tree:
    """Return `tree` with every operation of `plan` applied, one that several items share once; none may be refused."""
    applied: set[Operation] = set()
    for item in plan.items:
        for operation in item.operations:
            if operation in applied:
                continue
            files = apply_operation(tree, operation)
            assert not isinstance(files, Refusal), (item.id, files)
            tree = OverlayTree(tree, files)
            applied.add(operation)
    return tree


def done(plan: Plan) -> Mapping[str, str]:
    """Return the done-marks that a night with this plan leaves."""
    return {item.id: item.digest for item in plan.items if not item.pending}


def memory(**notes: str) -> MappingTree:
    """A memory of notes; `services__search` stands for `services/search.md`."""
    return MappingTree({name.replace("__", "/") + ".md": text.encode() for name, text in notes.items()})


def text_of(tree: Tree, path: str) -> str:
    """Return the text of a note that must be there."""
    data = tree.read(path)
    assert data is not None, path
    return data.decode()


def reasons(plan: Plan) -> dict[str, str]:
    """Return what became of each input without operations."""
    return {item.id: item.reason for item in plan.items if not item.operations}
