"""Sessions of Codex: rollouts of every generation, from bare items to wrapped ones with events beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from dream.sources.sessions.formats.codex_calls import (
    CALLS,
    OUTPUTS,
    QUESTIONS,
    STDIN,
    WAIT,
    call_of,
    edits_told,
    looked_into,
    options_offered,
    output_of,
    running_in,
    typed_answers,
)
from dream.sources.sessions.formats.codex_records import (
    Doubles,
    doubles_of,
    event_of,
    is_codex,
    is_companion,
    named_by,
    names_session,
    unwrapped,
)
from dream.sources.sessions.formats.codex_turns import (
    is_typed_kind,
    request_of,
    role_of_context,
    texts_of,
    typed_text,
)
from dream.sources.sessions.formats.objects import Record, map_at, moment, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import (
    LONGEST_ID,
    LONGEST_PATH,
    LONGEST_TITLE,
    Call,
    Gathering,
    Output,
    Telling,
    command_of,
    repository_named,
)
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.references import relative_path
from dream.sources.sessions.values import Role

TOOL = "Codex"
_WORTH_PARSING = re.compile(
    rb'"(?:role|session_meta|turn_context|compacted|instructions|items|message|agent_message|user_message|error'
    rb"|function_call(?:_output)?|custom_tool_call(?:_output)?|local_shell_call|tool_call|tool_result|function_result"
    rb"|exec_command_end|patch_apply_end|mcp_tool_call_end|item_completed|stream_error|task_complete"
    rb'|exited_review_mode|thread_name_updated|thread_rolled_back)"'
)
_ZSTD = b"\x28\xb5\x2f\xfd"
_COPYING = timedelta(seconds=1)
_COPIED = "a line is copied from the session that it was forked from"


def read_codex(file: SessionFile) -> FileReading:
    """Return what a rollout holds, with everything that had to be left out counted.

    Codex writes what is said twice, as an item and as an event: it counts once. An item of a user is a person's if an
    event says the same, or if it has none of the marks of injected context. A subagent's rollout belongs to the
    session that started it.
    """
    magic = file.handle.read(len(_ZSTD))
    file.handle.seek(0)
    if magic == _ZSTD:
        return FileReading(refused="compressed with zstd")
    reader = _Reader(file, doubles_of(file))
    for record in records_of(file, reader.gathering.reading.left_out, worth=_WORTH_PARSING):
        reader.take(record)
    return reader.gathering.finished()


class _Reader:
    """Takes the records of one rollout."""

    def __init__(self, file: SessionFile, doubles: Doubles) -> None:
        self.gathering = Gathering(file, tool=TOOL)
        self._file = file
        self._doubles = doubles
        self._session = ""
        self._own = ""
        self._begun: Telling | None = None
        self._copied_until: datetime | None = None
        self._numbers = 0
        self._answered: set[str] = set()
        self._edited: set[str] = set()
        self._exits: dict[str, int] = {}
        self._shells: dict[str, str] = {}
        self._offered: dict[str, frozenset[str]] = {}

    @property
    def telling(self) -> Telling:
        """The session that the file is of, as far as it is known by now."""
        if self._begun is None:
            self._begun = self.gathering.of(self._session or named_by(self._file.path))
        return self._begun

    def take(self, record: Record) -> None:
        """Take the next record, whatever it is."""
        self.gathering.records += 1
        for kind, payload, stamp in unwrapped(record):
            at = moment(stamp, self._file.zone)
            if kind == "session_meta":
                self._take_meta(payload, stamp)
            elif self._copied_until and at and at <= self._copied_until:
                self.gathering.reading.left_out[_COPIED] += 1
            elif kind == "response_item":
                self._take_item(payload, stamp)
            elif kind == "event_msg":
                self._take_event(event_of(payload), stamp)
            elif kind == "compacted":
                self.telling.say(Role.HARNESS, text_at(payload, "message"), stamp)
            elif kind == "turn_context":
                self.telling.part.cwd = self.telling.part.cwd or text_at(payload, "cwd", most=LONGEST_PATH)

    def _take_meta(self, meta: Record, stamp: object) -> None:
        own = text_at(meta, "id", "session_id", most=LONGEST_ID)
        if self._own:
            # A fork begins with all that was said before it, each line stamped anew, under the head of its origin.
            if own != self._own and (self.gathering.records == 2 or self._copied_until):  # noqa: PLR2004  # the line below
                self._copied_until = self._copied_until or self._end_of_copy()
            return
        source = map_at(map_at(meta, "source"), "subagent")
        is_subagent = "subagent" in map_at(meta, "source")
        spawned = text_at(map_at(source, "thread_spawn"), "parent_thread_id", most=LONGEST_ID)
        root = text_at(meta, "session_id", most=LONGEST_ID)
        parent = (root if root != own else "") or text_at(meta, "parent_thread_id", most=LONGEST_ID) or spawned
        self._own = own
        self._session = (parent if is_subagent else "") or own
        telling, git = self.telling, map_at(meta, "git")
        telling.is_subagent = is_subagent
        telling.last_at = moment(stamp, self._file.zone) or moment(meta.get("timestamp"), self._file.zone)
        telling.part.cwd = text_at(meta, "cwd", most=LONGEST_PATH)
        telling.part.branch = text_at(git, "branch", most=300)
        repository = repository_named(text_at(git, "repository_url", most=LONGEST_PATH))
        telling.part.repositories += [repository] if repository else []

    def _end_of_copy(self) -> datetime | None:
        began = self.telling.last_at
        return began + _COPYING if began else None

    def _take_item(self, item: Record, stamp: object) -> None:
        kind = text_at(item, "type")
        if kind in CALLS:
            self._take_call(item, stamp)
        elif kind in OUTPUTS:
            self._take_output(item, stamp)
        elif kind == "agent_message":
            self.telling.say(Role.AGENT, "\n".join(texts_of(item)), stamp, name=_id_of(item))
        elif kind == "error":
            self.telling.complain(text_at(item, "text", "message"), stamp)
        elif kind in {"message", ""}:
            self._take_message(item, stamp)

    def _take_message(self, item: Record, stamp: object) -> None:
        texts, role = list(texts_of(item)), text_at(item, "role")
        is_doubled = any(typed_text(text) in self._doubles.typed for text in ("".join(texts), "\n".join(texts)))
        for text in texts:
            if role == "user":
                self._take_user(text, stamp, _id_of(item), typed=is_doubled)
            elif role in {"assistant", "developer", "system"}:
                speaker = Role.AGENT if role == "assistant" else Role.HARNESS
                self.telling.say(speaker, text, stamp, name=_id_of(item))

    def _take_user(self, text: str, stamp: object, name: str, *, typed: bool) -> None:
        typed = typed or typed_text(text) in self._doubles.typed
        above, request = request_of(text)
        self.telling.say(Role.HARNESS, above, stamp, name=name)
        role = role_of_context(request)
        self.telling.say(Role.PERSON if typed and role is Role.HARNESS else role, request, stamp, name=name)

    def _take_call(self, item: Record, stamp: object) -> None:
        self._numbers += 1
        key = _id_of(item, "call_id") or f"#{self._numbers}"
        call = call_of(item, most=self._file.limits.captured)
        self._edited |= {relative_path(edit.path, self.telling.part.cwd) for edit in call.edits}
        if call.tool in {STDIN, WAIT} and (shell := looked_into(item)):
            call = Call(tool=call.tool, details=call.details, command=self._shells.get(shell, ""))
        elif call.tool == QUESTIONS:
            self._offered[key] = options_offered(item)
        self.telling.call(key, call, stamp)

    def _take_output(self, item: Record, stamp: object) -> None:
        key = _id_of(item, "call_id") or self.telling.first_open()
        call = self.telling.called(key)
        output = output_of(item, call)
        shell = running_in(item) if call and call.command else ""
        if shell and call:
            self._shells[shell] = call.command
        if output.exit_code is None and key in self._exits:
            code = self._exits[key]
            output = Output(text=output.text, exit_code=code, failed=output.failed or bool(code))
        self._answered.add(key)
        self.telling.answer(key, output, stamp)
        for text in typed_answers(item, self._offered.pop(key)) if key in self._offered else ():
            self.telling.say(Role.PERSON, text, stamp)

    def _take_event(self, event: Record, stamp: object) -> None:
        match text_at(event, "type"):
            case "user_message" | "agent_message":
                self._take_spoken(event, stamp)
            case "exec_command_end":
                self._take_execution(event, stamp)
            case "patch_apply_end":
                self._take_patch(event, stamp)
            case "mcp_tool_call_end":
                self._take_service_call(event, stamp)
            case "error" | "stream_error" | "task_complete":
                self.telling.complain(text_at(map_at(event, "error"), "message") or _error(event), stamp)
            case "exited_review_mode":
                self.telling.say(Role.AGENT, text_at(map_at(event, "review_output"), "overall_explanation"), stamp)
            case "thread_name_updated":
                self.telling.part.title = text_at(event, "thread_name")[:LONGEST_TITLE] or self.telling.part.title
            case "thread_rolled_back":
                self._take_back(event.get("num_turns"))

    def _take_spoken(self, event: Record, stamp: object) -> None:
        """Add what an event alone tells."""
        text = text_at(event, "message")
        if event["type"] == "agent_message":
            self.telling.say(Role.AGENT, "" if typed_text(text) in self._doubles.agents else text, stamp)
        elif is_typed_kind(event) and typed_text(text) not in self._doubles.users:
            above, request = request_of(text)
            self.telling.say(Role.HARNESS, above, stamp)
            self.telling.say(Role.PERSON, request, stamp)

    def _take_execution(self, event: Record, stamp: object) -> None:
        key, code = _id_of(event, "call_id"), event.get("exit_code")
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
        if self.telling.called(key):
            self._exits.update({key: exit_code} if exit_code is not None else {})
        elif key and key not in self._answered:
            self.telling.call(key, Call(tool="exec_command", command=command_of(event.get("command"))), stamp)
            printed = text_at(event, "aggregated_output", "formatted_output", "stdout")
            self._answer(key, Output(text=printed, exit_code=exit_code, failed=bool(exit_code)), stamp)

    def _take_patch(self, event: Record, stamp: object) -> None:
        key, call = _id_of(event, "call_id"), self.telling.called(_id_of(event, "call_id"))
        edits = edits_told(map_at(event, "changes"), most=self._file.limits.captured)
        paths = {relative_path(edit.path, self.telling.part.cwd) for edit in edits}
        if paths <= self._edited or (call and call.edits) or key in self._answered:
            return
        failed = event.get("success") is False or event.get("status") == "failed"
        named = f"{key}.patch" if call else key
        self.telling.call(named, Call(tool="apply_patch", details=" ".join(edit.path for edit in edits)), stamp)
        printed = text_at(event, "stderr" if failed else "stdout")
        self._answer(named, Output(text=printed, failed=failed, edits=edits), stamp)

    def _take_service_call(self, event: Record, stamp: object) -> None:
        key, asked, result = _id_of(event, "call_id"), map_at(event, "invocation"), map_at(event, "result")
        if not key or self.telling.called(key) or key in self._answered:
            return
        told = map_at(result, "Ok")
        tool = "__".join(part for part in (text_at(asked, "server"), text_at(asked, "tool")) if part)
        self.telling.call(key, Call(tool=tool), stamp)
        printed = "\n".join(texts_of(told)) or text_at(result, "Err")
        self._answer(key, Output(text=printed, failed="Err" in result or told.get("isError") is True), stamp)

    def _answer(self, key: str, output: Output, stamp: object) -> None:
        self._answered.add(key)
        self.telling.answer(key, output, stamp)

    def _take_back(self, turns: object) -> None:
        begun = [number for number, message in enumerate(self.telling.part.messages) if message.role is Role.PERSON]
        if isinstance(turns, int) and 0 < turns <= len(begun):
            self.telling.cut_at(begun[-turns])


def _id_of(item: Mapping[str, Any], *keys: str) -> str:
    return text_at(item, *keys, "id", most=LONGEST_ID)


def _error(event: Record) -> str:
    return "" if event.get("type") == "task_complete" else text_at(event, "message")


FORMAT = Format(
    kind="codex",
    tool=TOOL,
    reads=read_codex,
    recognises=is_codex,
    names=names_session,
    suffixes=(".jsonl", ".json", ".jsonl.zst"),
    is_companion=is_companion,
)
