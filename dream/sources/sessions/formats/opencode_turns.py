"""What OpenCode's records of a session, its messages and their parts say, wherever they are kept. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from dream.sources.sessions.formats.diffs import Edit, hunks_of
from dream.sources.sessions.formats.objects import Record, is_map, map_at, text_at
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_PATH, LONGEST_TITLE, Output, Telling
from dream.sources.sessions.formats.tool_inputs import call_of
from dream.sources.sessions.references import relative_path
from dream.sources.sessions.values import Role

TOOL = "OpenCode"
_TITLED = re.compile(r"(?:New|Child) session - [0-9T:.Z-]{10,40}")


def note_session(telling: Telling, session: Record) -> None:
    """Note where a session worked and what it is called; one with a parent is a subagent's."""
    parent = text_at(session, "parentID", most=LONGEST_ID)
    title = text_at(session, "title", most=LONGEST_TITLE)
    telling.is_subagent = bool(parent)
    telling.part.cwd = text_at(session, "directory", most=LONGEST_PATH) or telling.part.cwd
    if not parent and not _TITLED.fullmatch(title):
        telling.part.title = title


class Turns:
    """Takes the messages of one session with their parts, in order."""

    def __init__(self, telling: Telling, file: SessionFile, left_out: Counter[str]) -> None:
        """Begin to add to `telling` what is said; what has no parts is counted in `left_out`."""
        self._telling = telling
        self._most = file.limits.captured
        self._left_out = left_out

    def take(self, message: Record, parts: Sequence[Record]) -> None:
        """Take a message: of a user's what was not made up is a person's."""
        name, at = text_at(message, "id"), map_at(message, "time").get("created")
        telling = self._telling
        if not parts:
            self._left_out["a message has no parts"] += 1
        telling.part.cwd = telling.part.cwd or text_at(map_at(message, "path"), "cwd", most=LONGEST_PATH)
        for part in parts:
            self._take_part(part, by_user=message.get("role") == "user", at=at)
        if is_map(message.get("error")):
            error = map_at(message, "error")
            told = text_at(map_at(error, "data"), "message") or text_at(error, "name")
            telling.complain(told, telling.last_at.isoformat() if telling.last_at else at, name=f"{name}.error")

    def _take_part(self, part: Record, *, by_user: bool, at: object) -> None:
        name = text_at(part, "id", most=LONGEST_ID)
        at = _stamp(map_at(part, "time")) or at
        made_up = part.get("synthetic") is True or part.get("ignored") is True
        match part.get("type"):
            case "text":
                role = Role.HARNESS if made_up else Role.PERSON if by_user else Role.AGENT
                self._telling.say(role, text_at(part, "text"), at, name=name)
            case "tool":
                self._take_tool(part, name=name, at=at)
            case "subtask":
                self._telling.say(Role.HARNESS, text_at(part, "prompt"), at, name=name)
            case "patch" if isinstance(part.get("files"), list):
                edited = [path for path in part["files"] if isinstance(path, str) and len(path) <= LONGEST_PATH]
                self._telling.part.files |= {relative_path(path, self._telling.part.cwd) for path in edited}

    def _take_tool(self, part: Record, *, name: str, at: object) -> None:
        state = map_at(part, "state")
        call = call_of(text_at(part, "tool", most=LONGEST_ID), map_at(state, "input"), most=self._most)
        at = _stamp(map_at(state, "time")) or at
        self._telling.call(name, call, at)
        status, told = state.get("status"), map_at(state, "metadata")
        if status in {"pending", "running"}:
            return
        failed = status == "error" or bool(text_at(state, "error"))
        code = told.get("exit")
        exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
        diff = hunks_of(text_at(told, "diff"), most=self._most)
        output = Output(
            text=text_at(state, "error" if failed and text_at(state, "error") else "output"),
            exit_code=exit_code if call.command else None,
            failed=failed or bool(call.command and exit_code),
            edits=(Edit(call.edits[0].path, diff),) if diff and call.edits else (),
        )
        self._telling.answer(name, output, at, name=name)


def _stamp(time: Mapping[str, object]) -> object:
    return time.get("end") or time.get("start")
