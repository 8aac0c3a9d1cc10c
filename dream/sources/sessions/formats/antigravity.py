"""Sessions of Antigravity: the steps of a conversation, one a line, and the documents that its agent wrote for it.

    brain/<conversation>/.system_generated/logs/transcript.jsonl        or transcript_full.jsonl
    brain/<conversation>/task.md                                        and task.md.metadata.json, which has its instant
    brain/<conversation>/.system_generated/messages/<conversation>.json   one that another conversation started

A step says who it is from. In what a user sends, only what stands in the wrapper of the request is the person's.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from pathlib import PurePath

from dream.sources.sessions.formats.companions import companion_record, folders_in, is_plain_name
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, moment, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_PATH, Gathering, Output
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Antigravity"
_STEP = re.compile(rb'"step_index"\s{0,4}:\s{0,4}[0-9]')
_TRANSCRIPTS = frozenset({"transcript", "transcript_full"})
_OPENED, _CLOSED = "<USER_REQUEST>", "</USER_REQUEST>"
_SYSTEM = frozenset({"CHECKPOINT", "CONVERSATION_HISTORY", "SYSTEM_MESSAGE", "EPHEMERAL_MESSAGE", "ERROR_MESSAGE"})
_ASKED_BY = {
    "RUN_COMMAND": {"run_command"},
    "VIEW_FILE": {"view_file", "read_file"},
    "LIST_DIRECTORY": {"list_dir", "list_directory"},
    "GREP_SEARCH": {"grep_search"},
    "SEARCH_WEB": {"search_web"},
    "CODE_ACTION": {
        "write_file",
        "write_to_file",
        "replace_file_content",
        "multi_replace_file_content",
        "edit_file",
    },
}
_SUCCEEDED = "The command completed successfully"
_EXITED = re.compile(r"The command (?:exited with code|failed with exit code:?) (-?[0-9]{1,10})")
_HEAD = 500
_WROTE = re.compile(
    r"(?:Created|Updated|Edited|Modified) file file://(/[^\n]{1,900}?)(?: with requested content)?\.?(?=\n|\Z)"
)
_STAMPS = re.compile(r"\ACreated At: [^\n]{1,60}\n(?:Completed At: [^\n]{1,60}\n)?")
_MOST_NEIGHBOURS = 2_000


def read_antigravity(file: SessionFile) -> FileReading:
    """Return what a file of a conversation holds: its steps, or one document that its agent wrote."""
    reader = _Reader(file)
    return reader.read_document() if file.path.endswith(".md") else reader.read_steps()


def is_companion(path: str) -> bool:
    """Return whether a file is a piece of a transcript, or says when a document was written."""
    parts = PurePath(path).parts
    return "chunks" in parts[-3:-1] or parts[-1].endswith(".metadata.json")


def names_session(head: bytes, path: str) -> str:
    """Return the conversation that a file's folders name, else the file's own name if it is one."""
    del head
    file, folder = PurePath(path), _folder_of(path)
    if folder is not None:
        return folder.name
    return file.parent.name if file.stem in _TRANSCRIPTS and file.parent.name else file.stem


def is_antigravity(head: bytes, path: str) -> bool:
    """Return whether a file holds the steps of a conversation."""
    return path.endswith(".jsonl") and bool(_STEP.search(head)) and b'"source"' in head


class _Reader:
    """Reads one file of a conversation."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._folder = _folder_of(file.path)
        self._gathering = Gathering(file, tool=TOOL)
        self._telling = self._gathering.of(names_session(b"", file.path))
        self._asked: deque[tuple[str, str]] = deque()

    def read_steps(self) -> FileReading:
        self._telling.is_subagent = self._is_subagent()
        for record in records_of(self._file, self._gathering.reading.left_out):
            self._gathering.records += 1
            if isinstance(record.get("step_index"), int):
                self._take(record)
        return self._gathering.finished()

    def read_document(self) -> FileReading:
        """Return a document as what the agent said when it wrote it last."""
        path = PurePath(self._file.path)
        about = companion_record(path.with_name(f"{path.name}.metadata.json"), limit=self._file.limits.line_bytes)
        text = self._file.handle.read(self._file.limits.line_bytes).decode("utf-8", "replace")
        if not text.strip():
            return FileReading(refused="empty")
        at = about.get("updatedAt")
        if self._folder is None or moment(at, self._file.zone) is None:
            return FileReading(refused="a document that says neither whose it is nor when it was written")
        self._telling.say(Role.AGENT, text, at, name=path.name)
        self._gathering.records += 1
        return self._gathering.finished()

    def _is_subagent(self) -> bool:
        """Whether a conversation beside this one has a message of it as of one that it started."""
        if self._folder is None or not is_plain_name(self._folder.name):
            return False
        name, limit = self._folder.name, self._file.limits.line_bytes
        for neighbour in folders_in(self._folder.parent, most=_MOST_NEIGHBOURS):
            told = companion_record(neighbour / ".system_generated" / "messages" / f"{name}.json", limit=limit)
            if neighbour.name != name and text_at(told, "sender") == name:
                return True
        return False

    def _take(self, step: Record) -> None:
        kind, source, text = text_at(step, "type"), text_at(step, "source"), text_at(step, "content")
        name, at = f"step-{step['step_index']}", step.get("created_at")
        if kind == "USER_INPUT":
            for role, stretch in _spoken(text, typed=source == "USER_EXPLICIT"):
                self._telling.say(role, stretch, at, name=name)
        elif source == "SYSTEM" or kind in _SYSTEM:
            self._telling.say(Role.HARNESS, text, at, name=name)
        elif kind == "PLANNER_RESPONSE":
            self._telling.say(Role.AGENT if source == "MODEL" else Role.HARNESS, text, at, name=name)
            self._ask(step, name, at)
        elif source in {"MODEL", "TOOL"}:
            self._answer(step, kind, name, at)
        else:
            self._telling.say(Role.HARNESS, text, at, name=name)

    def _ask(self, step: Record, name: str, at: object) -> None:
        self._asked.clear()
        for number, asked in enumerate(maps_at(step, "tool_calls")):
            tool = text_at(asked, "name", most=LONGEST_ID)
            given = {key: _unquoted(value) for key, value in map_at(asked, "args").items()}
            part = self._telling.part
            part.cwd = part.cwd or text_at(given, "Cwd", most=LONGEST_PATH)
            key = f"{name}.{number}"
            self._telling.call(key, call_of(tool, given, most=self._file.limits.captured), at)
            self._asked.append((key, tool))

    def _answer(self, step: Record, kind: str, name: str, at: object) -> None:
        expected = _ASKED_BY.get(kind)
        place = next((n for n, (_, tool) in enumerate(self._asked) if expected is None or tool in expected), None)
        key = name
        if place is not None:
            key = self._asked[place][0]
            del self._asked[place]
        call = self._telling.called(key)
        if call is None:
            wrote = _written(step)
            call = call_of("write_file" if wrote else kind.lower(), wrote, most=self._file.limits.captured)
            self._telling.call(key, call, at)
        text = text_at(step, "content")
        exit_code = _exit_code(step, text) if call.command or kind == "RUN_COMMAND" else None
        failed = bool(exit_code) or text_at(step, "status") == "ERROR"
        output = Output(text=_STAMPS.sub("", text, count=1), exit_code=exit_code, failed=failed)
        self._telling.answer(key, output, at, name=name)


def _spoken(text: str, *, typed: bool) -> Iterator[tuple[Role, str]]:
    """Yield the stretches of what a user sent; only the request is the person's, and only if a person sent it."""
    person = Role.PERSON if typed else Role.HARNESS
    start = text.find(_OPENED)
    end = text.find(_CLOSED, start)
    if 0 <= start < end:
        yield Role.HARNESS, text[:start]
        yield person, text[start + len(_OPENED) : end].strip("\n")
        yield Role.HARNESS, text[end + len(_CLOSED) :]
    else:
        yield person, text


def _written(step: Record) -> dict[str, object]:
    """Return the path that a step of code says it wrote, as the input of a call."""
    wrote = _WROTE.search(text_at(step, "content")) if step.get("type") == "CODE_ACTION" else None
    return {"TargetFile": wrote[1]} if wrote else {}


def _exit_code(step: Record, text: str) -> int | None:
    """Return a command's exit code by the step, or by what stands above its output."""
    code = step.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    above = f"\n{text[:_HEAD]}".split("\nOutput:", 1)[0]
    exited = _EXITED.search(above)
    if exited:
        return int(exited[1])
    return 0 if _SUCCEEDED in above else None


def _unquoted(value: object) -> object:
    """Return an argument, of one that is the JSON text of a text that text."""
    if isinstance(value, str) and value.startswith('"'):
        return given_in(f'{{"value": {value}}}').get("value", value)
    return value


def _folder_of(path: str) -> PurePath | None:
    """Return the folder of the conversation that a file belongs to, None where its path shows none."""
    file = PurePath(path)
    for folder in file.parents:
        if folder.name == ".system_generated":
            return folder.parent if folder.parent.name else None
        if folder.parent.name == "brain":
            return folder
    return None


FORMAT = Format(
    kind="antigravity",
    tool=TOOL,
    reads=read_antigravity,
    recognises=is_antigravity,
    names=names_session,
    suffixes=(".jsonl", ".md"),
    is_companion=is_companion,
    dated=False,
)
