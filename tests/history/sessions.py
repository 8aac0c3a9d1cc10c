"""Sessions for the history to keep, as readers would give them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from dream.history.store import HistoryStore
from dream.sources.sessions.condensing import CondensingLimits, condense
from dream.sources.sessions.union import digest_of
from dream.sources.sessions.values import Message, Role, Session

STARTED = datetime(2026, 10, 21, 9, 0, tzinfo=UTC)
UUID = "7c2e91aa-0b1c-4d2e-8f3a-5b6c7d8e9f00"

SAID = (
    (Role.PERSON, "Please rename the queue orders to orders-v2."),
    (Role.AGENT, "I look for the name first."),
    (Role.TOOL, "services/orders.py:12: QUEUE = 'orders'\n2 failed, 3 passed"),
    (Role.AGENT, "I renamed the queue to orders-v2 and fixed its consumer. All tests pass."),
)


def message(number: int, role: Role, text: str, **more: Any) -> Message:
    """Return message `number` of a session, a minute after the one before."""
    who = "ana" if role is Role.PERSON else ""
    at = STARTED + timedelta(minutes=10 * (number - 1))
    return Message(**{"id": f"id-{number}", "at": at, "role": role, "text": text, "author": who, **more})


def session(identity: str = UUID, said: Sequence[tuple[Role, str]] = SAID, **more: Any) -> Session:
    """Return a session in which this was said."""
    messages = tuple(message(number, role, text) for number, (role, text) in enumerate(said, 1))
    told = Session(
        id=identity,
        tool="Claude Code",
        messages=messages,
        digest=digest_of(messages),
        repository="acme/web",
        branch="fix-queue",
        pull_requests=("acme/web#41",),
    )
    told = replace(told, **more)
    return replace(told, digest=digest_of(told.messages)) if "messages" in more else told


def condensed(one: Session) -> str:
    """Return what is kept beside the line of a session."""
    return condense(one, limits=CondensingLimits()).text


def store(address: object, *, organisation: str = "acme") -> HistoryStore:
    """Return the history that is kept at an address."""
    return HistoryStore(str(address), organisation=organisation)
