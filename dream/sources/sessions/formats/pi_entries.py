"""The entries of pi and of what is built on it: a header, then messages and what happened between them, one a line.

The tree that an entry's `parentId` makes is not followed: what was said on a branch that was left was said all the
same. A session that was branched off another repeats its entries. Their own ids are eight digits, too few to know the
copies by, and older files have none: so a message is named by when it was said, by whom, and what it is, as a UUID.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dream.sources.sessions.changes import bounded_patch
from dream.sources.sessions.formats.diffs import Edit
from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import SessionFile
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

_NAMED_FILE = re.compile(r"[0-9T.Z-]{10,40}_([0-9a-f-]{36})")
_EXITED = re.compile(r"(?:\A|\n)\(?Command exited with code ([0-9]{1,10})\)?\s{0,8}\Z")
_LINES = re.compile(r"^(?:([ +-])[^\S\n]{0,12}[0-9]{1,9} (.*)|.*)$", re.MULTILINE)
_EXIT_TAIL = 200

Spoken = Callable[[str], Iterator[tuple[Role, str, str]]]
"""Yields the stretches of what the structure gives to a person, each with its role and its author."""


def by_person(text: str) -> Iterator[tuple[Role, str, str]]:
    """Yield a text whole, as a person's."""
    yield Role.PERSON, text, ""


@dataclass(slots=True, kw_only=True)
class _Entry:
    """An entry as its line gives it, and where it belongs; `message` is an empty one where there is none."""

    record: Record
    message: Mapping[str, Any]
    texts: list[str]
    telling: Telling
    stamp: object
    most: int
    _id: str = ""

    @property
    def id(self) -> str:
        """Its name, which takes reading all of its texts and is therefore made where it is asked for."""
        self._id = self._id or _name_of(self.record, self.message, self.texts)
        return self._id


class Entries:
    """Reads the entries of one file."""

    def __init__(self, file: SessionFile, *, tool: str, spoken: Spoken = by_person) -> None:
        """Begin to read `file`; `spoken` tells what of a turn of a user is a person's."""
        self._file = file
        self._spoken = spoken
        self._gathering = Gathering(file, tool=tool)
        named = _NAMED_FILE.fullmatch(file.stem)
        self._session = named[1] if named else ""

    def read(self) -> FileReading:
        """Return everything that the file holds; what stands before a header in a file of another name is left out."""
        for record in records_of(self._file, self._gathering.reading.left_out):
            self._gathering.records += 1
            self._take(record)
        return self._gathering.finished()

    def _take(self, record: Record) -> None:
        if record.get("type") == "session":
            self._session = text_at(record, "id", most=LONGEST_ID) or self._session or self._file.stem
            part = self._gathering.of(self._session).part
            part.cwd = part.cwd or text_at(record, "cwd", most=LONGEST_PATH)
            return
        if not self._session:
            self._gathering.reading.left_out["an entry has no session"] += 1
            return
        message = map_at(record, "message")
        entry = _Entry(
            record=record,
            message=message,
            texts=texts_of(message.get("content")),
            telling=self._gathering.of(self._session),
            stamp=record.get("timestamp", message.get("timestamp")),
            most=self._file.limits.captured,
        )
        match record.get("type"):
            case "message":
                self._take_message(entry)
            case "custom_message":
                _inject(entry, texts_of(record.get("content")))
            case "compaction" | "branch_summary":
                entry.telling.say(Role.HARNESS, text_at(record, "summary"), entry.stamp, name=entry.id)
            case "session_info":
                entry.telling.part.title = text_at(record, "name", most=LONGEST_TITLE) or entry.telling.part.title

    def _take_message(self, entry: _Entry) -> None:
        match entry.message.get("role"):
            case "user":
                self._take_user(entry)
            case "assistant":
                _take_assistant(entry)
            case "toolResult":
                _take_result(entry)
            case "bashExecution":
                _take_execution(entry)
            case "custom" | "hookMessage" | "system":
                _inject(entry, entry.texts)
            case "branchSummary" | "compactionSummary":
                entry.telling.say(Role.HARNESS, text_at(entry.message, "summary"), entry.stamp, name=entry.id)

    def _take_user(self, entry: _Entry) -> None:
        came_by = text_at(map_at(entry.message, "provenance"), "kind")
        for text in entry.texts:
            if came_by and came_by != "external_user":
                role = Role.AGENT if came_by == "inter_session" else Role.HARNESS
                entry.telling.say(role, text, entry.stamp, name=entry.id)
                continue
            for role, stretch, author in self._spoken(text):
                entry.telling.say(role, stretch, entry.stamp, name=entry.id, author=author)


def texts_of(content: object) -> list[str]:
    """Return the texts of a content that is one string, or a list of blocks; thinking and pictures are none."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    return [text_at(block, "text") for block in content if is_map(block) and block.get("type") == "text"]


def is_session_header(head: bytes) -> bool:
    """Return whether a file begins with the header of a session of this kind."""
    first = head.lstrip()[:400].split(b"\n", 1)[0]
    return bool(re.match(rb'\{\s{0,4}"type"\s{0,4}:\s{0,4}"session"\s{0,4},', first)) and b'"timestamp"' in first


def session_in(head: bytes, path: str) -> str:
    """Return the session that a file's header names, "" if it names none."""
    del path
    first = head.lstrip().split(b"\n", 1)[0]
    named = re.search(rb'"id"\s{0,4}:\s{0,4}"([^"\\]{1,128})"', first) if is_session_header(head) else None
    return named[1].decode("utf-8", "replace") if named else ""


def _name_of(record: Record, message: Mapping[str, Any], texts: list[str]) -> str:
    told = (
        text_at(record, "timestamp"),
        text_at(record, "type"),
        text_at(message, "role"),
        text_at(message, "toolCallId", "command"),
        text_at(record, "summary"),
        *texts,
    )
    digits = hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:32]))


def _inject(entry: _Entry, texts: list[str]) -> None:
    for text in texts:
        entry.telling.say(Role.HARNESS, text, entry.stamp, name=entry.id)


def _take_assistant(entry: _Entry) -> None:
    telling, message = entry.telling, entry.message
    for text in entry.texts:
        telling.say(Role.AGENT, text, entry.stamp, name=entry.id)
    for block in maps_at(message, "content"):
        if block.get("type") == "toolCall" and text_at(block, "name"):
            call = _call_of(text_at(block, "name", most=LONGEST_ID), given_in(block.get("arguments")))
            telling.call(text_at(block, "id", most=LONGEST_ID), call, entry.stamp)
    if message.get("stopReason") == "error":
        telling.complain(text_at(message, "errorMessage"), entry.stamp, name=entry.id)


def _call_of(tool: str, given: Mapping[str, Any]) -> Call:
    """Return a call; what an edit changes is not told yet, because its output nearly always tells."""
    call = call_of(tool, given, most=0)
    return replace(call, given=given) if call.edits else call


def _take_result(entry: _Entry) -> None:
    message, details = entry.message, map_at(entry.message, "details")
    key = text_at(message, "toolCallId", most=LONGEST_ID)
    call = entry.telling.called(key)
    if call is None:
        call = call_of(text_at(message, "toolName", most=LONGEST_ID), {}, most=entry.most)
        entry.telling.call(key, call, entry.stamp)
    text = "\n".join(entry.texts)
    failed = message.get("isError") is True
    output = Output(
        text=text,
        exit_code=_exit_code(call, text, details, failed=failed),
        failed=failed,
        edits=() if failed else _edits(call, text_at(details, "diff"), entry.most),
    )
    entry.telling.answer(key, output, entry.stamp, name=entry.id)


def _take_execution(entry: _Entry) -> None:
    """Take what a command of the person's printed, who ran it past the agent."""
    message = entry.message
    command, key = text_at(message, "command"), entry.id
    code = message.get("exitCode")
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    entry.telling.call(key, Call(tool="!", details=command, command=command), entry.stamp)
    failed = bool(message.get("cancelled")) or bool(exit_code)
    output = Output(text=text_at(message, "output"), exit_code=exit_code, failed=failed)
    entry.telling.answer(key, output, entry.stamp)


def _exit_code(call: Call, text: str, details: Mapping[str, Any], *, failed: bool) -> int | None:
    if not call.command:
        return None
    code = details.get("exitCode")
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    told = _EXITED.search(text[-_EXIT_TAIL:])
    if told is not None:
        return int(told[1])
    return None if failed or details.get("status") == "running" else 0


def _edits(call: Call, diff: str, most: int) -> tuple[Edit, ...]:
    """Return what an edit changed, from the numbered lines that the tool shows of it, else from the call's input."""
    if not call.edits:
        return ()
    if not diff:
        return call.edits if call.given is None else call_of(call.tool, call.given, most=most).edits
    lines = [mark + line if mark else "@@" for mark, line in _LINES.findall(diff)]
    if lines[0] != "@@":
        lines.insert(0, "@@")
    if lines[-1] == "@@":
        lines.pop()
    return (Edit(call.edits[0].path, bounded_patch(lines, most=most)),)
