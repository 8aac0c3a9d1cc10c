"""Sessions of Qwen Code: one record a line, each with its own session, folder and branch."""

from __future__ import annotations

import re
from pathlib import PurePath

from dream.sources.sessions.formats.genai_parts import output_of, responses_in, texts_of, turns_of_user
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, LONGEST_PATH, LONGEST_TITLE, Gathering, Telling
from dream.sources.sessions.formats.tool_inputs import call_of
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Qwen Code"
_RECORD = re.compile(rb'"parentUuid"\s{0,4}:')
_OWN = re.compile(
    rb'"message"\s{0,4}:\s{0,4}\{[^{}\[\]]{0,200}"parts"\s{0,4}:|"systemPayload"\s{0,4}:|"subtype"\s{0,4}:\s{0,4}"ui_tel'
)
_SESSION_ID = re.compile(rb'"sessionId"\s{0,4}:\s{0,4}"([^"\\]{1,128})"')
_TYPED = frozenset({"", "mid_turn_user_message"})
_SIDE = ("isSidechain", "agentId", "agentName", "agentRunId")


def read_qwen(file: SessionFile) -> FileReading:
    """Return what a session of Qwen Code holds, with everything that had to be left out counted.

    A user's record is a person's where it has no subtype but that of a message amid a turn, no other provenance and no
    agent's name. What was rewound is left out.
    """
    reader = _Reader(file)
    for record in records_of(file, reader.gathering.reading.left_out):
        reader.take(record)
    return reader.gathering.finished()


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the one in its name."""
    found = _SESSION_ID.search(head)
    return found[1].decode("utf-8", "replace") if found else PurePath(path).stem


def is_qwen(head: bytes, path: str) -> bool:
    """Return whether a file's beginning has records of Qwen Code."""
    return path.endswith(".jsonl") and bool(_RECORD.search(head)) and bool(_OWN.search(head))


class _Reader:
    """Takes the records of one file."""

    def __init__(self, file: SessionFile) -> None:
        self.gathering = Gathering(file, tool=TOOL)
        self._file = file
        self._positions: dict[tuple[str, str], int] = {}

    def take(self, record: Record) -> None:
        """Take the next record, whatever it is."""
        self.gathering.records += 1
        session = text_at(record, "sessionId", most=LONGEST_ID) or self._file.stem
        telling, name = self.gathering.of(session), text_at(record, "uuid", most=LONGEST_ID)
        telling.part.cwd = telling.part.cwd or text_at(record, "cwd", most=LONGEST_PATH)
        telling.part.branch = text_at(record, "gitBranch", most=300) or telling.part.branch
        telling.is_subagent = any(record.get(key) for key in _SIDE)
        match record.get("type"):
            case "user":
                self._take_user(telling, record, name)
            case "assistant":
                self._take_agent(telling, record, name)
            case "tool_result":
                self._take_results(telling, record, name)
            case "system":
                self._take_system(telling, record, session)
        self._positions[session, name] = len(telling.part.messages)

    def _take_user(self, telling: Telling, record: Record, name: str) -> None:
        parts, stamp = map_at(record, "message").get("parts"), record.get("timestamp")
        subtype = text_at(record, "subtype")
        if (
            subtype not in _TYPED
            or record.get("provenance", "real_user") != "real_user"
            or record.get("externalInputKind")
        ):
            role = Role.AGENT if subtype == "agent_launch_prompt" else Role.HARNESS
            telling.say(role, "\n".join(texts_of(parts)), stamp, name=name)
            return
        shown = text_at(map_at(record, "systemPayload"), "displayText")
        for role, text in turns_of_user(parts, shown):
            telling.say(role, text, stamp, name=name)

    def _take_agent(self, telling: Telling, record: Record, name: str) -> None:
        message, stamp = map_at(record, "message"), record.get("timestamp")
        telling.say(Role.AGENT, "".join(texts_of(message.get("parts"))), stamp, name=name)
        for part in maps_at(message, "parts"):
            asked = map_at(part, "functionCall")
            if tool := text_at(asked, "name"):
                call = call_of(tool, map_at(asked, "args"), most=self._file.limits.captured)
                telling.call(text_at(asked, "id", most=LONGEST_ID) or f"{name}:{tool}", call, stamp)

    def _take_results(self, telling: Telling, record: Record, name: str) -> None:
        told, most = map_at(record, "toolCallResult"), self._file.limits.captured
        for response in responses_in(map_at(record, "message").get("parts")):
            key = text_at(response, "id", most=LONGEST_ID) or telling.first_open() or name
            output = output_of(response, told, telling.called(key), most=most)
            telling.answer(key, output, record.get("timestamp"))

    def _take_system(self, telling: Telling, record: Record, session: str) -> None:
        subtype = text_at(record, "subtype")
        if subtype == "custom_title":
            title = text_at(map_at(record, "systemPayload"), "customTitle")
            telling.part.title = title[:LONGEST_TITLE] or telling.part.title
        elif subtype == "rewind":
            kept = record.get("parentUuid")
            here = len(telling.part.messages)
            telling.cut_at(0 if kept is None else self._positions.get((session, str(kept)), here))


FORMAT = Format(
    kind="qwen",
    tool=TOOL,
    reads=read_qwen,
    recognises=is_qwen,
    names=names_session,
)
