"""Sessions of GitHub Copilot CLI: one event a line, in `events.jsonl` of a session's folder or in a file of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from dream.sources.sessions.formats.diffs import Edit, hunks_of
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, records_of, text_at
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

TOOL = "GitHub Copilot CLI"
_IN_A_FOLDER = re.compile(r"events|partition-[0-9]{1,6}")
_OWN = re.compile(
    rb'"type"\s{0,4}:\s{0,4}"(?:session\.(?:start|resume)|user\.message|assistant\.message|tool\.execution_[a-z]{1,20})"'
)
_SESSION_ID = re.compile(rb'"sessionId"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_EXIT = re.compile(
    r"\n?<(?:exited|command with [^<>\n]{1,200} (?:completed|exited)) with exit code (-?[0-9]{1,10})>\s{0,8}\Z"
)
_TYPED = (None, "", "user")
_BOOKKEEPING = frozenset({"report_intent", "ask_user", "update_todo", "task_complete"})


def read_copilot(file: SessionFile) -> FileReading:
    """Return what the events of a session tell, with everything that had to be left out counted.

    A message of a user is a person's unless its event names another source, as injected skills do, or a subagent.
    """
    reader = _Reader(file)
    for record in records_of(file, reader.gathering.reading.left_out):
        reader.take(record)
    return reader.gathering.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the one in its path."""
    found = _SESSION_ID.search(head)
    return found[1].decode("utf-8", "replace") if found else _named_by(path)


def is_copilot(head: bytes, path: str) -> bool:
    """Return whether a file's beginning has events of Copilot CLI."""
    return path.endswith(".jsonl") and bool(_OWN.search(head))


class _Reader:
    """Takes the events of one session."""

    def __init__(self, file: SessionFile) -> None:
        self.gathering = Gathering(file, tool=TOOL)
        self._file = file
        self._session = ""
        self._positions: dict[str, int] = {}

    @property
    def telling(self) -> Telling:
        """The session that the file is of, as far as it is known by now."""
        self._session = self._session or _named_by(self._file.path)
        return self.gathering.of(self._session)

    def take(self, event: Record) -> None:
        """Take the next event, whatever it is."""
        self.gathering.records += 1
        kind, data, stamp = text_at(event, "type"), map_at(event, "data"), event.get("timestamp")
        name = text_at(event, "id", most=LONGEST_ID)
        if kind in {"session.start", "session.resume", "session.context_changed"}:
            self._take_context(data)
            return
        self._positions.setdefault(name, len(self.telling.part.messages))
        if kind in {"assistant.message", "tool.execution_start", "tool.execution_complete"}:
            self._take_work(kind, data, stamp, name)
        else:
            self._take_other(kind, event, stamp, name)

    def _take_context(self, data: Record) -> None:
        self._session = self._session or text_at(data, "sessionId", most=LONGEST_ID)
        context, part = map_at(data, "context") or data, self.telling.part
        part.cwd = part.cwd or text_at(context, "gitRoot", "cwd", most=LONGEST_PATH)
        part.branch = text_at(context, "branch", most=300) or part.branch
        repository = text_at(context, "repository")
        if _REPOSITORY.fullmatch(repository) and repository not in part.repositories:
            part.repositories.append(repository)

    def _take_work(self, kind: str, data: Record, stamp: object, name: str) -> None:
        if kind == "assistant.message":
            self.telling.say(Role.AGENT, text_at(data, "content"), stamp, name=name)
            for request in maps_at(data, "toolRequests"):
                self._take_call(request, text_at(request, "name"), stamp, name)
        elif kind == "tool.execution_start":
            self._take_call(data, text_at(data, "toolName"), stamp, name)
        else:
            key = text_at(data, "toolCallId", most=LONGEST_ID) or self.telling.first_open() or name
            self.telling.answer(key, _output_of(data, self.telling.called(key), self._file.limits.captured), stamp)

    def _take_call(self, asked: Record, tool: str, stamp: object, name: str) -> None:
        key = text_at(asked, "toolCallId", most=LONGEST_ID) or f"{name}:{tool}"
        if key not in self.telling.part.seen:
            given = given_in(asked.get("arguments", asked.get("toolInput")))
            self.telling.call(key, _call_of(tool, given, self._file.limits.captured), stamp)

    def _take_other(self, kind: str, event: Record, stamp: object, name: str) -> None:
        data, telling = map_at(event, "data"), self.telling
        match kind:
            case "user.message":
                telling.say(_speaker(event, data), text_at(data, "content"), stamp, name=name)
            case "user_input.completed":
                # An answer to a question of the agent: typed only where it is none of those that were offered.
                telling.say(
                    Role.PERSON if data.get("wasFreeform") is True else Role.HARNESS,
                    text_at(data, "answer"),
                    stamp,
                    name=name,
                )
            case "system.message" | "system.notification" | "session.info":
                telling.say(Role.HARNESS, text_at(data, "content", "message"), stamp, name=name)
            case "session.compaction_complete":
                telling.say(Role.HARNESS, text_at(data, "summaryContent"), stamp, name=name)
            case "session.error":
                telling.complain(text_at(data, "message"), stamp, name=name)
            case "session.title_changed":
                telling.part.title = text_at(data, "title")[:LONGEST_TITLE] or telling.part.title
            case "session.snapshot_rewind":
                telling.cut_at(self._positions.get(text_at(data, "upToEventId"), len(telling.part.messages)))


def _speaker(event: Record, data: Record) -> Role:
    if event.get("agentId") or data.get("parentToolCallId"):
        return Role.AGENT
    return Role.PERSON if data.get("source") in _TYPED else Role.HARNESS


def _call_of(tool: str, given: Mapping[str, Any], most: int) -> Call:
    call = replace(call_of("create_file" if tool == "create" else tool, given, most=most), tool=tool)
    return replace(call, role=Role.HARNESS) if tool in _BOOKKEEPING else call


def _output_of(data: Record, call: Call | None, most: int) -> Output:
    result, error = map_at(data, "result"), data.get("error")
    text = text_at(result, "content", "detailedContent") or text_at(map_at(data, "error"), "message")
    text = text or (error if isinstance(error, str) else "")
    found = _EXIT.search(text) if call is None or call.command else None
    code = int(found[1]) if found else None
    told = hunks_of(text_at(result, "detailedContent"), most=most) if call and call.edits else ""
    return Output(
        text=text[: found.start()] if found else text,
        exit_code=code,
        failed=data.get("success") is False or data.get("isError") is True or bool(code),
        edits=(Edit(call.edits[0].path, told),) if call and told else (),
    )


def _named_by(path: str) -> str:
    pure = PurePath(path)
    return pure.parent.name if _IN_A_FOLDER.fullmatch(pure.stem) and pure.parent.name else pure.stem


FORMAT = Format(
    kind="copilot",
    tool=TOOL,
    reads=read_copilot,
    recognises=is_copilot,
    names=names_session,
)
