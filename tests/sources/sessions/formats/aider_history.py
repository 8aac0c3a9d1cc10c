"""Small chat histories as Aider writes them, line feed by line feed."""

from __future__ import annotations

from io import BytesIO
from zoneinfo import ZoneInfo

from dream.sources.sessions.formats.aider import read_aider
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from tests.sources.sessions.transcripts import said

STAMP = "2026-10-21 09:00:00"
UNSURE = "a turn of a user cannot be told from printed text"
TOKENS = "Tokens: 5.2k sent, 604 received."


def started(stamp: str = STAMP) -> str:
    """The line that begins a session, as aider writes it."""
    return f"\n# aider chat started at {stamp}\n\n"


def typed(text: str) -> str:
    """What a person typed, as aider writes it."""
    return "\n#### " + "  \n#### ".join(text.split("\n")) + "  \n"


def own(*lines: str) -> str:
    """Lines of aider's own, as it writes them."""
    return "".join(f"> {line}".rstrip() + "  \n" for line in lines)


def agent(text: str) -> str:
    """An agent's reply, as aider writes it."""
    return f"\n{text}\n\n"


def read(text: str, *, path: str = "/srv/web/.aider.chat.history.md", zone: str = "UTC") -> FileReading:
    return read_aider(SessionFile(path=path, handle=BytesIO(text.encode()), zone=ZoneInfo(zone)))


def typed_in(text: str) -> list[str]:
    """What of a history's only session is a person's."""
    return [words for role, words in said(read(text)) if role is Role.PERSON]
