"""Sessions of Cursor's agent: transcripts of one message a line, which name few instants and no results of tools."""

from __future__ import annotations

import io
import os
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import PurePath

from dream.sources.sessions.formats.cursor_turns import RESULTS, instant_in, tell_message
from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import Gathering
from dream.sources.sessions.parts import FileReading

TOOL = "Cursor"
_OWN = re.compile(rb'(?:\A|\n)\s{0,8}\{"role"\s{0,4}:\s{0,4}"(?:user|assistant)"\s{0,4},\s{0,4}"message"\s{0,4}:')
_STAMPED = re.compile(rb"<timestamp>")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_SUBAGENTS = "subagents"
_BY_FILE = "no message has an instant: the time of its file stands for it"


def read_cursor(file: SessionFile) -> FileReading:
    """Return what a transcript of Cursor's agent holds, with everything that had to be left out counted.

    Messages name no instant but, in newer ones, that at which a person spoke; it stands for those that follow. Where
    there is none at all, the time at which the file was last written stands for all. A subagent's transcript belongs
    to the session whose folder it is in.
    """
    gathering = Gathering(file, tool=TOOL)
    at = _first_instant(file) or _written(file)
    telling = gathering.of(_session_of(file.path))
    telling.is_subagent = _is_subagent(file.path)
    telling.last_at = at
    stamped = has_results = False
    for number, record in enumerate(records_of(file, gathering.reading.left_out)):
        gathering.records += 1
        message = map_at(record, "message") or record
        said = _stamp_of(record, message)
        at, stamped = said or at, stamped or said is not None
        has_results = has_results or any(text_at(block, "type") in RESULTS for block in maps_at(message, "content"))
        tell_message(
            telling,
            message,
            role=text_at(record, "role") or text_at(message, "role"),
            stamp=at,
            name=f"{file.stem}.{number}",
            most=file.limits.captured,
        )
    telling.answers = has_results
    if not stamped and telling.part.messages:
        gathering.reading.left_out[_BY_FILE] += 1
    return gathering.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file is named by."""
    del head
    return _session_of(path)


def is_cursor(head: bytes, path: str) -> bool:
    """Return whether a file's beginning has messages of Cursor's agent."""
    return path.endswith(".jsonl") and bool(_OWN.search(head))


def _session_of(path: str) -> str:
    pure = PurePath(path)
    parent = pure.parent.parent.name if _is_subagent(path) else ""
    return parent if _UUID.fullmatch(parent) else pure.stem


def _is_subagent(path: str) -> bool:
    return PurePath(path).parent.name == _SUBAGENTS


def _stamp_of(record: Record, message: Record) -> datetime | None:
    if record.get("role") != "user":
        return None
    content = message.get("content")
    texts = [content] if isinstance(content, str) else [text_at(block, "text") for block in maps_at(message, "content")]
    return next((at for text in texts if (at := instant_in(text))), None)


def _first_instant(file: SessionFile) -> datetime | None:
    found = (
        at
        for record in records_of(file, Counter(), worth=_STAMPED)
        if is_map(record.get("message")) and (at := _stamp_of(record, record["message"]))
    )
    at = next(found, None)
    file.handle.seek(0)
    return at


def _written(file: SessionFile) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.fstat(file.handle.fileno()).st_mtime, UTC)
    except (io.UnsupportedOperation, OSError, OverflowError, ValueError):
        return None


FORMAT = Format(
    kind="cursor",
    tool=TOOL,
    reads=read_cursor,
    recognises=is_cursor,
    names=names_session,
    dated=False,
)
