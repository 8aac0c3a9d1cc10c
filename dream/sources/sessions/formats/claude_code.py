"""Sessions of Claude Code: one JSON object a line, written as the session goes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from dream.sources.instants import instant
from dream.sources.sessions.formats.claude_calls import Call
from dream.sources.sessions.formats.claude_shapes import (
    OLDER,
    is_claude_code,
    modern,
    names_session,
    records_in,
    session_of,
)
from dream.sources.sessions.formats.claude_turns import Turn, called_in, turns_of
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.jsonlines import Line, read_lines
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.references import pull_requests_in, pull_requests_opened, relative_path
from dream.sources.sessions.tools import POLLS
from dream.sources.sessions.values import Role
from dream.sources.strict_json import BadJSONError, parse_json, parse_json_values

TOOL = "Claude Code"
_WORTH_PARSING = re.compile(
    rb'"type"\s*:\s*"(?:user|assistant|attachment|tool_use|tool_result|pr-link|custom-title|ai-title|summary|worktree-state)"'
)
_TYPE, _PROGRESS = b'"type":"', b'"type":"progress"'
_TITLES = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}
_DOCUMENT_STARTS = frozenset({b"{", b"["})
_DOCUMENT_LINES = 8
_LONGEST_TITLE = 500
_NO_INSTANT = "a message has no instant"
_PULL_REQUEST = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}#[0-9]{1,9}")


def read_claude_code(file: SessionFile) -> FileReading:
    """Return what a transcript of Claude Code holds, with everything that had to be left out counted.

    The file's name is the session where no line says which one it is. Lines of kinds that carry no message are not
    parsed. A subagent's lines belong to the session that started it. A file that is one document, an array or an object
    with `loglines`, or objects that are spread over lines, is read as its records.
    """
    reader = _Reader(file)
    for line in read_lines(file.handle, limit=file.limits.line_bytes):
        reader.take(line)
        if reader.is_document:
            break
    return reader.finished()


class _Reader:
    """Gathers one file's lines into the parts of its sessions."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._limits = file.limits
        self._parts: dict[str, Part] = {}
        self._named: dict[str, Part] = {}
        self._calls: dict[str, Call] = {}
        self._running: dict[str, str] = {}
        self._titles: dict[tuple[str, str], tuple[str, str]] = {}
        self._reading = FileReading()
        self._lines = 0
        self._records = 0
        self._last_at: datetime | None = None
        self.is_document = False

    def take(self, line: Line) -> None:
        """Take the next line, whatever it is; the first may turn out to begin a document, which is then taken whole."""
        left_out = self._reading.left_out
        if line.data is None:
            left_out["a line is too long"] += 1
            return
        text = line.data.strip()
        if not text:
            return
        self._lines += 1
        if line.ended and self._lines > 1 and (_is_progress(text) or not _WORTH_PARSING.search(text)):
            return
        try:
            self._take_value(parse_json(line.data))
        except BadJSONError as error:
            if not self._take_spread(line.data, text):
                left_out[str(error) if line.ended else "the last line is cut off"] += 1

    def _take_spread(self, line: bytes, text: bytes) -> bool:
        """Take values that do not stand one on each line: several on this one, or on this and those below it."""
        try:
            for value in parse_json_values(line):
                self._take_value(value)
        except BadJSONError:
            return self._lines == 1 and text[:1] in _DOCUMENT_STARTS and self._take_document(text)
        return True

    def _take_document(self, text: bytes) -> bool:
        handle, limit = self._file.handle, _DOCUMENT_LINES * self._limits.line_bytes
        position = handle.tell()
        handle.seek(0)
        data = handle.read(limit + 1)
        self.is_document = True
        try:
            values = parse_json_values(data) if len(data) <= limit else []
        except BadJSONError as error:
            self.is_document = text in _DOCUMENT_STARTS
            handle.seek(position)
            if self.is_document:
                self._reading.left_out[str(error)] += 1
            return self.is_document
        if len(data) > limit:
            self._reading.left_out["a document is too long"] += 1
        for value in values:
            self._take_value(value)
        return True

    def _take_value(self, value: object) -> None:
        """Take a JSON value: nearly always one record, else those that it holds."""
        for record in (value,) if isinstance(value, dict) and "loglines" not in value else records_in(value):
            if isinstance(record, dict):
                self._records += 1
                self._take_record(record)
            else:
                self._reading.left_out["a line is not an object"] += 1

    def finished(self) -> FileReading:
        """Everything that was taken."""
        for part in self._parts.values():
            known = {message.id for message in part.messages}
            for kind in _TITLES:
                title, leaf = self._titles.get((part.id, kind), ("", ""))
                if title and (not leaf or leaf in known):
                    part.title = title[:_LONGEST_TITLE]
        self._reading.parts = [part for part in self._parts.values() if part.messages]
        if not self._reading.parts:
            self._reading.refused = self._reason()
        return self._reading

    def _reason(self) -> str:
        left_out = self._reading.left_out
        if not self._lines and not left_out:
            return "empty"
        if left_out and (not self._records or _NO_INSTANT in left_out):
            return _NO_INSTANT if self._records else left_out.most_common(1)[0][0]
        return "no message of Claude Code in it"

    def _take_record(self, record: Mapping[str, Any]) -> None:
        kind = str(record.get("type"))
        part = self._part(_plain(record.get("sessionId"), 128))
        if kind in _TITLES:
            title = record.get(_TITLES[kind])
            if isinstance(title, str):
                self._titles[part.id, kind] = (title, _plain(record.get("leafUuid"), 128))
        elif kind == "pr-link":
            named = f"{record.get('prRepository')}#{record.get('prNumber')}"
            if _PULL_REQUEST.fullmatch(named):
                part.repositories.append(named.partition("#")[0])
                part.pull_requests.add(named)
        elif kind == "worktree-state":
            worktree = record.get("worktreeSession")
            part.cwd = _plain(worktree.get("originalCwd"), 1000) or part.cwd if isinstance(worktree, dict) else part.cwd
        else:
            self._take_turns(modern(record) if kind in OLDER else record, part)

    def _take_turns(self, record: Mapping[str, Any], part: Part) -> None:
        part.cwd = part.cwd or _plain(record.get("cwd"), 1000)
        part.branch = _plain(record.get("gitBranch"), 300) or part.branch
        if record.get("type") == "assistant":
            self._calls.update((name, self._with_command(call)) for name, call in called_in(record))
        at = instant(record.get("timestamp")) or self._last_at
        uuid = record.get("uuid")
        for turn in turns_of(record, self._calls, most=self._limits.captured):
            if at is None:
                self._reading.left_out[_NO_INSTANT] += 1
                continue
            _note_pull_requests(part, turn)
            if not turn.is_empty:
                self._add(part, turn, at=at, name=uuid if isinstance(uuid, str) else "")
        self._last_at = at

    def _add(self, part: Part, turn: Turn, *, at: datetime, name: str) -> None:
        call, ending = turn.call, turn.ending
        if call is None or ending is None:
            part.add(name=name, at=at, role=turn.role, text=turn.text, tool=turn.tool, limits=self._limits)
            return
        if ending.task:
            self._running[ending.task] = call.command
        edits = ""
        if call.edits and len(call.edits) <= self._limits.path and not ending.failed:
            edits = relative_path(call.edits, part.cwd)
            part.files.add(edits)
        part.add(
            name=name,
            at=at,
            role=turn.role,
            text=turn.text,
            tool=turn.tool,
            command="" if call.tool in POLLS and ending.exit_code is None else call.command,
            exit_code=ending.exit_code,
            failed=ending.failed,
            edits=edits,
            diff=ending.diff,
            limits=self._limits,
        )

    def _with_command(self, call: Call) -> Call:
        """Return a call that asks after a command which was left running, with that command."""
        if call.tool not in POLLS or call.details not in self._running:
            return call
        return replace(call, command=self._running[call.details])

    def _part(self, named: str) -> Part:
        if named not in self._named:
            session = session_of(named, self._file.path)
            self._named[named] = self._parts.setdefault(session, Part(id=session, tool=TOOL))
        return self._named[named]


def _is_progress(line: bytes) -> bool:
    """Whether a line tells of a subagent's progress, message and all, which stands in that one's own file too."""
    return line.startswith(_PROGRESS, line.find(_TYPE))


def _plain(value: object, most: int) -> str:
    return value if isinstance(value, str) and len(value) <= most else ""


def _note_pull_requests(part: Part, turn: Turn) -> None:
    if turn.role is Role.PERSON or turn.role is Role.AGENT:
        part.pull_requests |= pull_requests_in(turn.text)
    if turn.call is not None and "/pull/" in turn.text:
        part.pull_requests |= pull_requests_opened(turn.call.details or turn.call.tool, turn.text)


FORMAT = Format(
    kind="claude-code",
    tool=TOOL,
    reads=read_claude_code,
    recognises=is_claude_code,
    names=names_session,
    suffixes=(".jsonl", ".json"),
)
