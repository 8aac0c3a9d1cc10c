"""Sessions of Gemini CLI: one JSON document, or one record a line where later records amend earlier ones."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from dream.sources.sessions.formats.genai_parts import output_of, responses_in, texts_of, turns_of_user
from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, moment, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_TITLE, Gathering, Telling
from dream.sources.sessions.formats.tool_inputs import call_of
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Gemini CLI"
_OWN = re.compile(rb'"(?:projectHash|\$rewindTo)"|"type"\s{0,4}:\s{0,4}"gemini"|"role"\s{0,4}:\s{0,4}"gemini"')
_SESSION_ID = re.compile(rb'"sessionId"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_SUBAGENT = re.compile(rb'"kind"\s{0,4}:\s{0,4}"subagent"')
_HASH = re.compile(r"[0-9a-f]{40,64}")
_CHATS = "chats"
_AGENTS = frozenset({"gemini", "model", "assistant"})


def read_gemini(file: SessionFile) -> FileReading:
    """Return what a session of Gemini CLI holds, with everything that had to be left out counted.

    Of records of one id the last counts; what was rewound is left out. A subagent's file belongs to the session whose
    folder it is in.
    """
    reader = _Reader(file)
    for record in records_of(file, reader.gathering.reading.left_out):
        reader.take(record)
    return reader.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the one in its path."""
    parent = _parent_of(path) if _SUBAGENT.search(head) else ""
    found = _SESSION_ID.search(head)
    return parent or (found[1].decode("utf-8", "replace") if found else PurePath(path).stem)


def is_gemini(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of a session of Gemini CLI."""
    return path.endswith((".json", ".jsonl")) and bool(_OWN.search(head))


def is_companion(path: str) -> bool:
    """Return whether a file lists prompts that the sessions hold themselves."""
    return PurePath(path).name == "logs.json"


class _Reader:
    """Takes the records of one session and tells it when all of them are known."""

    def __init__(self, file: SessionFile) -> None:
        self.gathering = Gathering(file, tool=TOOL)
        self._file = file
        self._about: dict[str, Any] = {}
        self._messages: dict[str, Record] = {}

    def take(self, record: Record) -> None:
        """Take the next record, whatever it is."""
        self.gathering.records += 1
        if isinstance(record.get("$rewindTo"), str):
            self._rewind(record["$rewindTo"])
        elif is_map(record.get("$set")):
            self._about.update(record["$set"])
        elif "type" in record or "role" in record:
            self._keep(record)
        else:
            self._about.update(record)

    def finished(self) -> FileReading:
        """Everything that was taken."""
        listed = () if self._messages else (*maps_at(self._about, "messages"), *maps_at(self._about, "history"))
        for record in listed:
            self._keep(record)
        session = text_at(self._about, "sessionId", most=LONGEST_ID) or self._file.stem
        is_subagent = self._about.get("kind") == "subagent"
        telling = self.gathering.of((_parent_of(self._file.path) if is_subagent else "") or session)
        telling.is_subagent = is_subagent
        telling.last_at = moment(self._about.get("startTime", self._about.get("start_time")), self._file.zone)
        telling.part.title = text_at(self._about, "summary")[:LONGEST_TITLE]
        telling.part.folder = _project_of(self._file.path)
        for name, record in self._messages.items():
            self._tell(telling, record, "" if name.startswith("#") else name)
        return self.gathering.finished()

    def _keep(self, record: Record) -> None:
        name = text_at(record, "id", most=LONGEST_ID) or f"#{len(self._messages)}"
        self._messages[name] = record

    def _rewind(self, name: str) -> None:
        names = list(self._messages)
        taken = names[names.index(name) :] if name in self._messages else []
        for one in taken:
            del self._messages[one]
        if taken:
            self.gathering.reading.left_out["a message was taken back"] += len(taken)

    def _tell(self, telling: Telling, record: Record, name: str) -> None:
        stamp, kind = record.get("timestamp", record.get("ts")), text_at(record, "type", "role")
        content = record.get("parts") if record.get("content") is None else record["content"]
        if kind == "user":
            shown = "".join(texts_of(record.get("displayContent")))
            for role, text in turns_of_user(content, shown):
                telling.say(role, text, stamp, name=name)
        elif kind in _AGENTS:
            telling.say(Role.AGENT, "".join(texts_of(content)), stamp, name=name)
        elif kind == "error":
            telling.complain("".join(texts_of(content)), stamp, name=name)
        elif kind in {"info", "warning"}:
            telling.say(Role.HARNESS, "".join(texts_of(content)), stamp, name=name)
        for asked in maps_at(record, "toolCalls"):
            self._tell_call(telling, asked, stamp)

    def _tell_call(self, telling: Telling, asked: Record, stamp: object) -> None:
        key, most = text_at(asked, "id", most=LONGEST_ID), self._file.limits.captured
        at = asked.get("timestamp") or stamp
        call = call_of(text_at(asked, "name"), map_at(asked, "args"), most=most)
        telling.call(key, call, at)
        response = next(responses_in(asked.get("result")), {})
        if response or asked.get("status") or asked.get("resultDisplay"):
            telling.answer(key, output_of(response, asked, call, most=most), at)


def _parent_of(path: str) -> str:
    """Return the session whose folder of subagents a file is in, "" if it is in none."""
    folder = PurePath(path).parent
    return folder.name if folder.parent.name == _CHATS else ""


def _project_of(path: str) -> str:
    """Return the name of the project that a file's folder is called by, "" where that is a hash."""
    parts = PurePath(path).parts
    name = parts[parts.index(_CHATS) - 1] if _CHATS in parts[1:] else ""
    return "" if _HASH.fullmatch(name) else name


FORMAT = Format(
    kind="gemini",
    tool=TOOL,
    reads=read_gemini,
    recognises=is_gemini,
    names=names_session,
    suffixes=(".json", ".jsonl"),
    is_companion=is_companion,
)
