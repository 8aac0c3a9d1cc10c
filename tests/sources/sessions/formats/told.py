"""Files of any format, read as they would be from a folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO

from dream.sources.sessions.formats.registry import SessionFile, format_of, formats
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.values import Message
from tests.sources.sessions.transcripts import jsonl

PATH = "/srv/sessions/7c2e91aa-0000-4000-8000-000000000001.jsonl"


def read_as(
    kind: str, told: bytes | Sequence[object], *, path: str = PATH, limits: ReadingLimits | None = None
) -> FileReading:
    """What a format makes of a file, given as its bytes or as the records of its lines."""
    data = told if isinstance(told, bytes) else jsonl(told)
    return formats()[kind].reads(SessionFile(path=path, handle=BytesIO(data), limits=limits or ReadingLimits()))


def only_part(reading: FileReading) -> Part:
    """The only session there is."""
    (part,) = reading.parts
    return part


def only_message(reading: FileReading) -> Message:
    """The only message there is."""
    (message,) = only_part(reading).messages
    return message


def recognised(told: bytes | Sequence[object], *, path: str = PATH) -> str:
    """The kind that a file is taken for, "" for none."""
    found = format_of(told if isinstance(told, bytes) else jsonl(told), path)
    return found.kind if found else ""


def clock(at: datetime) -> str:
    """The time of day of an instant."""
    return at.strftime("%H:%M:%S")
