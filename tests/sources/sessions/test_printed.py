"""How much of a message is read, by who speaks."""

from __future__ import annotations

import pytest

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import Part
from dream.sources.sessions.values import Role
from tests.sources.sessions.conversations import START

LIMITS = ReadingLimits(spoken=30, printed=20, captured=10)


@pytest.mark.parametrize(
    ("role", "command", "kept"),
    [
        (Role.PERSON, "", 30),
        (Role.AGENT, "", 30),
        (Role.TOOL, "", 10),
        (Role.HARNESS, "", 10),
        (Role.TOOL, "make test", 20),
        (Role.AGENT, "make test", 30),
    ],
)
def test_of_what_a_command_printed_more_is_read_because_its_last_lines_count(
    role: Role, command: str, kept: int
) -> None:
    part = Part(id="7c2e91aa", tool="Claude Code")
    part.add(name="", at=START, role=role, text="x" * 50, command=command, limits=LIMITS)
    (message,) = part.messages
    assert (len(message.text), message.cut) == (kept, 50 - kept)
