"""Invented sessions, message by message."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from dream.sources.sessions.values import Message, Role, Session

START = datetime(2026, 10, 21, 9, 0, tzinfo=UTC)


def session(*messages: Message, **fields: Any) -> Session:
    """A session of these messages, a minute apart whatever their instants were."""
    timed = (message_at(number, message) for number, message in enumerate(messages))
    return Session(id="7c2e91aa", tool="Claude Code", messages=tuple(timed), digest="0" * 64, **fields)


def message_at(minute: int, message: Message) -> Message:
    """The message, so many minutes after nine."""
    fields = {name: getattr(message, name) for name in Message.__slots__}
    return Message(**{**fields, "id": f"u{minute}", "at": START + timedelta(minutes=minute)})


def person(text: str, *, author: str = "") -> Message:
    """What a person typed."""
    return Message(id="", at=START, role=Role.PERSON, text=text, author=author)


def agent(text: str) -> Message:
    """What an agent said."""
    return Message(id="", at=START, role=Role.AGENT, text=text)


def harness(text: str) -> Message:
    """What the harness put there."""
    return Message(id="", at=START, role=Role.HARNESS, text=text)


def ran(command: str, output: str, **fields: Any) -> Message:
    """What a command printed."""
    return Message(id="", at=START, role=Role.TOOL, text=output, tool=f"Bash: {command}", command=command, **fields)


def called(tool: str, output: str, **fields: Any) -> Message:
    """What any other tool gave back."""
    return Message(id="", at=START, role=Role.TOOL, text=output, tool=tool, **fields)
