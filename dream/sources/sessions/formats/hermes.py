"""Sessions of Hermes Agent: a JSON document each, `sessions/session_<id>.json`, or one message a line beside it.

Most messages have no instant of their own: they are said when their session began. The document is written anew after
every turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Hermes"
_SESSION_ID = re.compile(rb'"session_id"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_BEGAN = re.compile(rb'"session_start"\s{0,4}:')
_FIRST_LINE = re.compile(rb'\s{0,8}\{\s{0,4}"role"\s{0,4}:\s{0,4}"session_meta"')
_NAMED_FILE = re.compile(r"(?:session_)?(.{1,128})")
_NOBODY = re.compile(
    r"\s{0,8}\[(?:System|SYSTEM|IMPORTANT|ASYNC|OUT-OF-BAND|CONTEXT|Context|Your active task list|The user sent an? )"
    r"|\s{0,8}(?:Gateway message origin|Review the conversation above|You've reached the maximum number of tool)"
)
_DISCOVERED = "\n\n[Subdirectory context discovered: "


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
                self._take(record, self._gathering.of(_name_of(self._file.stem)), began)
        return self._gathering.finished()

    def _take_document(self, document: Record) -> None:
        telling = self._gathering.of(text_at(document, "session_id", most=LONGEST_ID) or _name_of(self._file.stem))
        config = map_at(document, "model_config")
        cwd = text_at(document, "cwd", most=LONGEST_PATH) or text_at(config, "cwd", most=LONGEST_PATH)
        telling.part.cwd = "" if cwd in {"~", "~/", "."} else cwd
        telling.part.title = text_at(document, "title", most=LONGEST_TITLE)
        telling.is_subagent = document.get("platform") == "subagent" or bool(text_at(document, "parent_session_id"))
        for message in maps_at(document, "messages"):
            self._take(message, telling, document.get("session_start"))

    def _take(self, message: Record, telling: Telling, began: object) -> None:
        stamp = message.get("timestamp") or began
        match message.get("role"):
            case "user":
                for text in _texts(message.get("content")):
                    telling.say(Role.HARNESS if _NOBODY.match(text) else Role.PERSON, text, stamp)
            case "assistant":
                for text in _texts(message.get("content")):
                    telling.say(Role.AGENT, text, stamp)
                for call in maps_at(message, "tool_calls"):
                    asked = map_at(call, "function")
                    name = text_at(asked, "name", most=LONGEST_ID)
                    given = given_in(asked.get("arguments"))
                    key = text_at(call, "id", "call_id", most=LONGEST_ID)
                    telling.call(key, call_of(name, given, most=self._file.limits.captured), stamp)
            case "tool":
                self._take_result(message, telling, stamp)
            case "system" | "developer":
                for text in _texts(message.get("content")):
                    telling.say(Role.HARNESS, text, stamp)

    def _take_result(self, message: Record, telling: Telling, stamp: object) -> None:
        key = text_at(message, "tool_call_id", most=LONGEST_ID)
        call = telling.called(key)
        if call is None:
            call = call_of(text_at(message, "tool_name", "name", most=LONGEST_ID), {}, most=0)
            telling.call(key, call, stamp)
        text = "\n".join(_texts(message.get("content")))
        told, mark, discovered = text.partition(_DISCOVERED)
        output = _output(call, told, failed=message.get("finish_reason") == "error")
        telling.answer(key, output, stamp)
        telling.say(Role.RECALLED, mark.strip("\n") + discovered, stamp)


def _output(call: Call, text: str, *, failed: bool) -> Output:
    """Return what a call came to; a command's output is an object with its exit code."""
    result = given_in(text) if text.startswith('{"') else {}
    error = text_at(result, "error")
    code = result.get("exit_code")
    if not isinstance(result.get("output"), str) or not call.command:
        return Output(text=text, failed=failed or bool(error) or result.get("success") is False)
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    printed = text_at(result, "output")
    return Output(text=printed or error, exit_code=exit_code, failed=failed or bool(error) or bool(exit_code))


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        yield from (text_at(block, "text") for block in content if is_map(block) and block.get("type") == "text")


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
