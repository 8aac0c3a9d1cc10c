"""Sessions of Hermes Agent: a JSON document each, `sessions/session_<id>.json`, or one message a line beside it.

Most messages have no instant of their own: they are said when their session began. The document is written anew after
every turn.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from dream.sources.sessions.formats.hermes_turns import TOOL, Turns
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_PATH, LONGEST_TITLE, Gathering
from dream.sources.sessions.parts import FileReading

_SESSION_ID = re.compile(rb'"session_id"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_BEGAN = re.compile(rb'"session_start"\s{0,4}:')
_FIRST_LINE = re.compile(rb'\s{0,8}\{\s{0,4}"role"\s{0,4}:\s{0,4}"session_meta"')
_NAMED_FILE = re.compile(r"(?:session_)?(.{1,128})")


def read_hermes(file: SessionFile) -> FileReading:
    """Return what a session of Hermes holds, with everything that had to be left out counted."""
    return _Reader(file).read()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a document names, else the one that its file's name does."""
    named = _SESSION_ID.search(head)
    return named[1].decode("utf-8", "replace") if named else _name_of(PurePath(path).stem)


def is_hermes(head: bytes, path: str) -> bool:
    """Return whether a file is a document or the lines of a session of Hermes."""
    if path.endswith(".jsonl"):
        return bool(_FIRST_LINE.match(head))
    return path.endswith(".json") and bool(_BEGAN.search(head) and _SESSION_ID.search(head))


class _Reader:
    """Reads one file."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._gathering = Gathering(file, tool=TOOL)

    def read(self) -> FileReading:
        began = ""
        for record in records_of(self._file, self._gathering.reading.left_out):
            self._gathering.records += 1
            if isinstance(record.get("messages"), list):
                self._take_document(record)
            elif began or record.get("role") == "session_meta":
                began = began or text_at(record, "timestamp", "session_start") or "?"
                Turns(self._gathering.of(_name_of(self._file.stem)), self._file).take(record, began)
        return self._gathering.finished()

    def _take_document(self, document: Record) -> None:
        telling = self._gathering.of(text_at(document, "session_id", most=LONGEST_ID) or _name_of(self._file.stem))
        config = map_at(document, "model_config")
        cwd = text_at(document, "cwd", most=LONGEST_PATH) or text_at(config, "cwd", most=LONGEST_PATH)
        telling.part.cwd = "" if cwd in {"~", "~/", "."} else cwd
        telling.part.title = text_at(document, "title", most=LONGEST_TITLE)
        telling.is_subagent = document.get("platform") == "subagent" or bool(text_at(document, "parent_session_id"))
        turns = Turns(telling, self._file)
        for message in maps_at(document, "messages"):
            turns.take(message, document.get("session_start"))


def _name_of(stem: str) -> str:
    named = _NAMED_FILE.fullmatch(stem)
    return named[1] if named else stem[:LONGEST_ID]


FORMAT = Format(
    kind="hermes",
    tool=TOOL,
    reads=read_hermes,
    recognises=is_hermes,
    names=names_session,
    suffixes=(".json", ".jsonl"),
)
