"""Sessions of Factory Droid: its session store, and the stream that `droid exec` prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import (
    LONGEST_ID,
    LONGEST_PATH,
    LONGEST_TITLE,
    Call,
    Gathering,
    Output,
    Telling,
)
from dream.sources.sessions.formats.tool_inputs import call_of
from dream.sources.sessions.jsonlines import first_objects
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Factory Droid"
_KINDS = frozenset({"message", "system", "tool_call", "completion"})
_ANOTHERS = frozenset({"uuid", "parentUuid", "isSidechain"})
_SESSION_ID = re.compile(
    rb'"type"\s{0,4}:\s{0,4}"session_start"\s{0,4},\s{0,4}"id"\s{0,4}:\s{0,4}"([^"\\]{1,128})"'
    rb'|"session_?[iI]d"\s{0,4}:\s{0,4}"([^"\\]{1,128})"'
)
_CALLER = re.compile(rb'"callingSessionId"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_INVOKED = "# Task Tool Invocation"
_NOBODY = frozenset({"", "user", "unknown", "root", "owner"})
_TYPED = (None, "", "user", "human")
_HIDDEN = ("llm_only", "user_only")
_EXIT = re.compile(r"Error: Command failed \(exit code: (-?[0-9]{1,10})\)")
_ENDED = re.compile(r"\[Process exited with code (-?[0-9]{1,10})\]\s{0,8}\Z")


def read_droid(file: SessionFile) -> FileReading:
    """Return what a session of Droid holds, with everything that had to be left out counted.

    A user's message is a person's unless it is marked as the model's alone, as a hook's or an automation's, stands
    beside results of tools, or another session gave it to this one.
    """
    reader = _Reader(file)
    for record in records_of(file, reader.gathering.reading.left_out):
        reader.take(record)
    return reader.gathering.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the one in its name."""
    first = head.split(b"\n", 1)[0]
    found = _CALLER.search(first) or _SESSION_ID.search(head)
    return next(name for name in found.groups() if name).decode("utf-8", "replace") if found else PurePath(path).stem


def is_droid(head: bytes, path: str) -> bool:
    """Return whether a file's beginning has records of Droid."""
    return path.endswith(".jsonl") and any(_is_own(record) for record in first_objects(head))


def _is_own(record: Record) -> bool:
    kind = record.get("type")
    named = "session_id" in record or "sessionId" in record
    return kind == "session_start" or (kind in _KINDS and named and not _ANOTHERS & record.keys())


class _Reader:
    """Takes the records of one file."""

    def __init__(self, file: SessionFile) -> None:
        self.gathering = Gathering(file, tool=TOOL)
        self._file = file
        self._session = ""
        self._author = ""

    def take(self, record: Record) -> None:
        """Take the next record, whatever it is."""
        self.gathering.records += 1
        telling, stamp = self._telling(record), record.get("timestamp")
        name = text_at(record, "id", most=LONGEST_ID)
        match record.get("type"):
            case "session_start" | "system":
                self._take_start(telling, record)
            case "message":
                self._take_message(telling, record, stamp, name)
            case "tool_call":
                call = self._call_of(text_at(record, "toolName", "toolId"), map_at(record, "parameters"))
                telling.call(text_at(record, "toolCallId", "id", most=LONGEST_ID), call, stamp)
            case "tool_result":
                self._answer(telling, record, stamp, key=text_at(record, "toolCallId", "id", most=LONGEST_ID))
            case "completion":
                self._take_completion(telling, text_at(record, "finalText"), stamp, name)
            case "compaction_state":
                telling.say(Role.HARNESS, text_at(record, "summaryText"), stamp, name=name)
            case "error":
                telling.complain(text_at(record, "message"), stamp)

    def _telling(self, record: Record) -> Telling:
        if record.get("type") == "session_start":
            called = text_at(record, "callingSessionId", most=LONGEST_ID)
            self._session = self._session or called or text_at(record, "id", most=LONGEST_ID)
        named = text_at(record, "session_id", "sessionId", most=LONGEST_ID)
        self._session = self._session or named or self._file.stem
        return self.gathering.of(self._session)

    def _take_start(self, telling: Telling, record: Record) -> None:
        title = text_at(record, "sessionTitle", "title")
        is_called = bool(record.get("callingSessionId")) or title.startswith(_INVOKED)
        telling.is_subagent = telling.is_subagent or is_called or record.get("decompSessionType") == "worker"
        telling.part.cwd = telling.part.cwd or text_at(record, "cwd", most=LONGEST_PATH)
        telling.part.title = telling.part.title or ("" if telling.is_subagent else title[:LONGEST_TITLE])
        owner = text_at(record, "owner", most=LONGEST_ID)
        self._author = "" if owner.lower() in _NOBODY else owner

    def _take_message(self, telling: Telling, record: Record, stamp: object, name: str) -> None:
        message = map_at(record, "message") or record
        content = message.get("content", message.get("text"))
        blocks = maps_at(message, "content")
        role = _speaker(message, blocks)
        for text in _texts(content):
            telling.say(role, text, stamp, name=name, author=self._author)
        for block in blocks:
            if block.get("type") == "tool_use":
                call = self._call_of(text_at(block, "name"), map_at(block, "input"))
                telling.call(text_at(block, "id", most=LONGEST_ID), call, stamp)
            elif block.get("type") == "tool_result":
                self._answer(telling, block, stamp, key=text_at(block, "tool_use_id", most=LONGEST_ID))

    def _take_completion(self, telling: Telling, text: str, stamp: object, name: str) -> None:
        said = [message.text.strip() for message in telling.part.messages[-3:] if message.role is Role.AGENT]
        if text.strip() not in said:
            telling.say(Role.AGENT, text, stamp, name=name)

    def _call_of(self, tool: str, given: Mapping[str, Any]) -> Call:
        known = {"create": "create_file", "execute": "execute_command"}.get(tool.lower(), tool)
        return replace(call_of(known, given, most=self._file.limits.captured), tool=tool)

    def _answer(self, telling: Telling, told: Record, stamp: object, *, key: str) -> None:
        call = telling.called(key)
        telling.answer(key, _output_of(told, call), stamp)


def _speaker(message: Record, blocks: list[Record]) -> Role:
    """Whose words the texts of a message are, by its structure."""
    if message.get("role") == "assistant":
        return Role.AGENT
    marked = message.get("visibility") in _HIDDEN or message.get("hookEventName")
    answers = any(block.get("type") == "tool_result" for block in blocks)
    if message.get("role") != "user" or marked or answers or message.get("userMessageSource") not in _TYPED:
        return Role.HARNESS
    return Role.PERSON


def _texts(content: object) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            yield block
        elif is_map(block) and block.get("type") == "text":
            yield text_at(block, "text")


def _output_of(told: Record, call: Call | None) -> Output:
    held = told.get("content", told.get("value"))
    value = held if is_map(held) else {}
    printed = [text_at(value, key).removesuffix("\n") for key in ("stdout", "stderr")]
    text = "\n".join(_texts(held)) or text_at(value, "text", "output") or "\n".join(one for one in printed if one)
    code = value.get("exitCode", value.get("exit_code"))
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    found = (_EXIT.match(text) or _ENDED.search(text)) if call is None or call.command else None
    exit_code = int(found[1]) if found and exit_code is None else exit_code
    failed = told.get("is_error") is True or told.get("isError") is True
    return Output(text=text, exit_code=exit_code, failed=failed or bool(exit_code))


FORMAT = Format(
    kind="droid",
    tool=TOOL,
    reads=read_droid,
    recognises=is_droid,
    names=names_session,
    # A stream can name its instants in milliseconds, beside days that are spoken of in ISO form.
    dated=False,
)
