"""Sessions of Grok's command line: a folder each, with the conversation and what is known of it.

    sessions/<folder>/<session>/chat_history.jsonl
    sessions/<folder>/<session>/summary.json
    sessions/<folder>/<session>/subagents/<session>/meta.json      names a session beside this one as its subagent's

The conversation has no instants: everything is said when its session was begun. A turn is a person's where the prompt
is counted (`prompt_index`) and nothing says that it was made up; of a wrapped one only what stands in the wrapper is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import PurePath

from dream.sources.sessions.formats.companions import companion_record, folders_in, is_plain_name
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import (
    LONGEST_ID,
    LONGEST_PATH,
    LONGEST_TITLE,
    Gathering,
    Output,
    Telling,
    repository_named,
)
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Grok"
CONVERSATION = "chat_history.jsonl"
_MOST_NEIGHBOURS = 2_000
_OWN_LINE = re.compile(rb'"(?:synthetic_reason|prompt_index|model_fingerprint|tool_call_id)"\s{0,4}:')
_OPENED, _CLOSED = "<user_query>", "</user_query>"
_RECALLED = frozenset({"project_instructions", "memory_context", "session_rules"})
_UUID7 = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_EXITED = re.compile(r"(?:Exit code|exit_code|Command exited with code):? ([0-9]{1,10})(?=\s|\Z)")


def read_grok(file: SessionFile) -> FileReading:
    """Return what a conversation of Grok holds, with what its companions say of it."""
    return _Reader(file).read()


def is_companion(path: str) -> bool:
    """Return whether a file is read with a conversation, or repeats it."""
    parts = PurePath(path).parts
    return parts[-1] in {"summary.json", "meta.json", "updates.jsonl", "rewind_points.jsonl", "signals.json"} or bool(
        {"compaction", "terminal"} & set(parts[-3:-1])
    )


def names_session(head: bytes, path: str) -> str:
    """Return the session that a conversation's folder names."""
    del head
    return PurePath(path).parent.name


def is_grok(head: bytes, path: str) -> bool:
    """Return whether a file is the conversation of a session."""
    return PurePath(path).name == CONVERSATION and bool(_OWN_LINE.search(head))


class _Reader:
    """Reads one conversation."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._folder = PurePath(file.path).parent
        self._gathering = Gathering(file, tool=TOOL)
        self._summary = self._beside(self._folder)

    def read(self) -> FileReading:
        info = map_at(self._summary, "info")
        name = text_at(info, "id", most=LONGEST_ID) or self._folder.name or self._file.stem
        parent = self._parent_of(name)
        telling = self._gathering.of(parent or name)
        telling.is_subagent = bool(parent) or text_at(self._summary, "session_kind") == "subagent"
        part = telling.part
        part.cwd = text_at(info, "cwd", most=LONGEST_PATH) or text_at(self._summary, "git_root_dir", most=LONGEST_PATH)
        part.branch = text_at(self._summary, "head_branch", most=300)
        part.repositories += [one for one in map(repository_named, self._remotes()) if one]
        if not parent:
            part.title = text_at(self._summary, "generated_title", "session_summary", most=LONGEST_TITLE)
        began = self._summary.get("created_at") or _instant_in(name)
        for record in records_of(self._file, self._gathering.reading.left_out):
            self._gathering.records += 1
            self._take(record, telling, began)
        return self._gathering.finished()

    def _beside(self, folder: PurePath) -> Record:
        return companion_record(folder / "summary.json", limit=self._file.limits.line_bytes)

    def _remotes(self) -> list[str]:
        remotes = self._summary.get("git_remotes")
        return [one for one in remotes[:10] if isinstance(one, str)] if isinstance(remotes, list) else []

    def _parent_of(self, name: str) -> str:
        """Return the session that started this one as a subagent, "" if none did."""
        stated = text_at(self._summary, "parent_session_id", most=LONGEST_ID)
        if stated or not is_plain_name(name):
            return stated
        for neighbour in folders_in(self._folder.parent, most=_MOST_NEIGHBOURS):
            meta = companion_record(neighbour / "subagents" / name / "meta.json", limit=self._file.limits.line_bytes)
            if meta:
                return text_at(meta, "parent_session_id", most=LONGEST_ID) or neighbour.name
        if text_at(self._summary, "session_kind") != "subagent":
            return ""
        above = self._folder.parent
        above = above.parent if above.name == "subagents" else above
        return text_at(map_at(self._beside(above), "info"), "id", most=LONGEST_ID)

    def _take(self, record: Record, telling: Telling, began: object) -> None:
        match record.get("type", record.get("role")):
            case "user":
                for text in _texts(record.get("content")):
                    for role, stretch in _spoken(record, text):
                        telling.say(role, stretch, began)
            case "system":
                telling.say(Role.HARNESS, text_at(record, "content"), began)
            case "assistant":
                for text in _texts(record.get("content")):
                    telling.say(Role.AGENT, text, began)
                for asked in maps_at(record, "tool_calls"):
                    name = text_at(asked, "name", most=LONGEST_ID)
                    call = call_of(name, given_in(asked.get("arguments")), most=self._file.limits.captured)
                    telling.call(text_at(asked, "id", most=LONGEST_ID), call, began)
            case "tool_result" | "tool":
                self._take_result(record, telling, began)

    def _take_result(self, record: Record, telling: Telling, began: object) -> None:
        key = text_at(record, "tool_call_id", most=LONGEST_ID)
        text = "\n".join(_texts(record.get("content")))
        call = telling.called(key)
        told = _EXITED.match(text) if call is not None and call.command else None
        exit_code = int(told[1]) if told else None
        failed = record.get("is_error") is True or bool(exit_code)
        telling.answer(key, Output(text=text, exit_code=exit_code, failed=failed), began)


def _spoken(record: Record, text: str) -> Iterator[tuple[Role, str]]:
    """Yield the stretches of a turn in a user's place, each with whose words it is."""
    reason = text_at(record, "synthetic_reason")
    if record.get("synthetic_reason") is not None and reason != "human":
        yield Role.RECALLED if reason in _RECALLED else Role.HARNESS, text
        return
    start = text.find(_OPENED)
    end = text.find(_CLOSED, start)
    if 0 <= start < end:
        inside = start + len(_OPENED)
        yield Role.HARNESS, text[:start]
        yield Role.PERSON, text[inside:end].strip("\n")
        yield Role.HARNESS, text[end + len(_CLOSED) :]
    else:
        is_prompt = isinstance(record.get("prompt_index"), int) and not text.lstrip().startswith("<user_info>")
        yield Role.PERSON if is_prompt else Role.HARNESS, text


def _texts(content: object) -> list[str]:
    if isinstance(content, str):
        return [content]
    return [text_at(block, "text") for block in maps_at({"blocks": content}, "blocks") if block.get("type") == "text"]


def _instant_in(name: str) -> str | None:
    """Return the instant that a time-ordered UUID begins with, as text."""
    ordered = _UUID7.fullmatch(name)
    if ordered is None:
        return None
    try:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=int(ordered[1] + ordered[2], 16))
    except OverflowError:
        return None
    return at.isoformat()


FORMAT = Format(
    kind="grok",
    tool=TOOL,
    reads=read_grok,
    recognises=is_grok,
    names=names_session,
    is_companion=is_companion,
    dated=False,
)
