"""Sessions of Kimi Code: a journal for each agent of a session, and beside them what the session is called.

    sessions/<folder>/<session>/state.json
    sessions/<folder>/<session>/agents/main/wire.jsonl
    sessions/<folder>/<session>/agents/<agent>/wire.jsonl      subagents, which belong to the same session

What a message is in a user's place for stands in its `origin`; a person's has the kind `user`. Instants are numbers.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from dream.sources.sessions.formats.companions import companion_record
from dream.sources.sessions.formats.objects import Record, map_at, maps_at, moment, records_of, text_at
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import (
    LONGEST_ID,
    LONGEST_PATH,
    LONGEST_TITLE,
    Gathering,
    Output,
    repository_named,
)
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Kimi Code"
MAIN = "main"
_EXITED = re.compile(r"(?:\A|\n)Command failed with exit code: ([0-9]{1,10})\.\s{0,4}\Z")
_EXIT_TAIL = 200
_SESSION_FOLDER = re.compile(r"[/\\]([0-9A-Za-z_-]{1,128})[/\\]agents[/\\]")
_JOURNAL = "wire.jsonl"
_PREFIX = "session_"
_METADATA = re.compile(rb'\{\s{0,4}"type"\s{0,4}:\s{0,4}"metadata"\s{0,4},\s{0,4}"protocol_version"')
_CREATED = re.compile(rb'"created_at"\s{0,4}:\s{0,4}([0-9]{1,20})')
_CHECKOUT = "<git-context>\n"
_REMOTE = re.compile(r"\nRemote: (\S{1,500})")
_BRANCH = re.compile(r"\n(?:Current branch|Branch): (\S{1,300})")
_HEAD = 4_000
_NEAR_SECONDS = 60.0
_PEERS = frozenset({"subagent", "teammate_keepalive"})


def read_kimi(file: SessionFile) -> FileReading:
    """Return what a journal of Kimi Code holds, with everything that had to be left out counted."""
    return _Reader(file).read()


def is_companion(path: str) -> bool:
    """Return whether a file says what a session is called, and is read with its journals."""
    return PurePath(path).name.endswith("state.json")


def names_session(head: bytes, path: str) -> str:
    """Return the session that a journal's folders name, else one made of the instant at which it was begun."""
    folder = _folder_of(path)
    if folder is not None:
        return folder.name.removeprefix(_PREFIX)
    created = _CREATED.search(head)
    return f"kimi-{int(created[1])}" if created else ""


def is_kimi(head: bytes, path: str) -> bool:
    """Return whether a file is a journal of Kimi Code."""
    return path.endswith(".jsonl") and bool(_METADATA.match(head.lstrip()))


class _Reader:
    """Reads one agent's journal."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._gathering = Gathering(file, tool=TOOL)
        self._folder = _folder_of(file.path)
        self._agent = PurePath(file.path).parent.name if self._folder else ""
        self._prompted: set[str] = set()

    def read(self) -> FileReading:
        records = records_of(self._file, self._gathering.reading.left_out)
        first = next(records, {})
        self._gathering.records = int(bool(first))
        created = first.get("created_at") if first.get("type") == "metadata" else None
        state = self._state(created)
        self._telling = self._gathering.of(self._name(created, state))
        self._telling.is_subagent = self._is_subagent(state)
        part = self._telling.part
        part.cwd = text_at(state, "workDir", most=LONGEST_PATH)
        part.title = text_at(state, "customTitle", most=LONGEST_TITLE) or text_at(state, "title", most=LONGEST_TITLE)
        for record in records:
            self._gathering.records += 1
            self._take(record)
        return self._gathering.finished()

    def _state(self, created: object) -> Record:
        """Return what stands beside a journal of its session: of a copy, only if it was begun at the same time."""
        path, limit = PurePath(self._file.path), self._file.limits.line_bytes
        if self._folder is not None:
            return companion_record(self._folder / "state.json", limit=limit)
        began = moment(created, self._file.zone)
        for beside in (path.with_suffix(".state.json"), path.with_name("state.json")):
            state = companion_record(beside, limit=limit)
            at = moment(state.get("createdAt"), self._file.zone)
            if at is not None and began is not None and abs((at - began).total_seconds()) <= _NEAR_SECONDS:
                return state
        return {}

    def _name(self, created: object, state: Record) -> str:
        if self._folder is not None:
            return self._folder.name.removeprefix(_PREFIX)
        home = text_at(map_at(map_at(state, "agents"), MAIN), "homedir", most=LONGEST_PATH)
        named = _SESSION_FOLDER.search(home + "/")
        if named:
            return named[1].removeprefix(_PREFIX)
        began = moment(created, self._file.zone)
        return f"kimi-{int(began.timestamp() * 1000)}" if began else self._file.stem

    def _is_subagent(self, state: Record) -> bool:
        agent = map_at(map_at(state, "agents"), self._agent)
        return self._agent not in {"", MAIN} or text_at(agent, "type") == "sub"

    def _take(self, record: Record) -> None:
        at = record.get("time")
        match record.get("type"):
            case "config.update" | "profile.bind":
                told = text_at(record, "cwd", most=LONGEST_PATH)
                disclosed = text_at(map_at(record, "environmentDisclosure"), "cwd", most=LONGEST_PATH)
                self._telling.part.cwd = self._telling.part.cwd or told or disclosed
            case "turn.prompt" | "turn.steer" if text_at(map_at(record, "origin"), "kind") in {"", "user"}:
                self._prompted |= {text_at(part, "text") for part in maps_at(record, "input")}
            case "context.append_message":
                self._take_message(map_at(record, "message"), at)
            case "context.append_loop_event":
                self._take_event(map_at(record, "event"), at)
            case "context.apply_compaction":
                self._telling.say(Role.HARNESS, text_at(record, "summary"), at)

    def _take_message(self, message: Record, at: object) -> None:
        origin = map_at(message, "origin")
        match message.get("role"):
            case "user":
                for part in maps_at(message, "content"):
                    if part.get("type") == "text":
                        prompted = "origin" not in message and text_at(part, "text") in self._prompted
                        role = Role.PERSON if prompted else _role(origin, part)
                        self._telling.say(role, text_at(part, "text"), at)
                        if role is Role.AGENT:
                            self._note_checkout(text_at(part, "text"))
            case "assistant":
                for part in maps_at(message, "content"):
                    if part.get("type") == "text":
                        self._telling.say(Role.AGENT, text_at(part, "text"), at)
                for call in maps_at(message, "toolCalls"):
                    self._call(call, at)
            case "tool":
                text = "\n".join(text_at(part, "text") for part in maps_at(message, "content"))
                self._answer(text_at(message, "toolCallId"), text, at, failed=message.get("isError") is True)

    def _note_checkout(self, text: str) -> None:
        """Note the repository and the branch that the harness tells a subagent before its task."""
        if not text.startswith(_CHECKOUT):
            return
        part = self._telling.part
        remote, branch = _REMOTE.search(text, 0, _HEAD), _BRANCH.search(text, 0, _HEAD)
        repository = repository_named(remote[1]) if remote else ""
        part.repositories += [repository] if repository else []
        part.branch = branch[1] if branch else part.branch

    def _take_event(self, event: Record, at: object) -> None:
        match event.get("type"):
            case "content.part" if map_at(event, "part").get("type") == "text":
                name = text_at(event, "uuid", most=LONGEST_ID)
                self._telling.say(Role.AGENT, text_at(map_at(event, "part"), "text"), at, name=name)
            case "tool.call":
                self._call(event, at)
            case "tool.result":
                result = map_at(event, "result")
                output = result.get("output")
                text = (
                    output
                    if isinstance(output, str)
                    else "\n".join(text_at(part, "text") for part in maps_at(result, "output"))
                )
                self._answer(text_at(event, "toolCallId"), text, at, failed=result.get("isError") is True)

    def _call(self, asked: Record, at: object) -> None:
        given = given_in(asked.get("args", asked.get("arguments")))
        call = call_of(text_at(asked, "name", most=LONGEST_ID), given, most=self._file.limits.captured)
        self._telling.call(text_at(asked, "toolCallId", "id", most=LONGEST_ID), call, at)

    def _answer(self, key: str, text: str, at: object, *, failed: bool) -> None:
        call = self._telling.called(key)
        told = _EXITED.search(text[-_EXIT_TAIL:])
        exit_code = None
        if call is not None and call.command:
            exit_code = int(told[1]) if told else None if failed else 0
        name = f"{self._agent or MAIN}/{key}" if key else ""
        self._telling.answer(key, Output(text=text, exit_code=exit_code, failed=failed), at, name=name)


def _role(origin: Record, part: Record) -> Role:
    """Return whose words a text in a user's place is."""
    kind = text_at(origin, "kind")
    if kind == "system_trigger" and text_at(origin, "name") in _PEERS:
        return Role.AGENT
    if kind == "shell_command":
        return Role.TOOL if text_at(origin, "phase") == "output" else Role.HARNESS
    is_skill = map_at(part, "meta").get("kind") == "skill"
    return Role.PERSON if kind == "user" and not is_skill and not text_at(origin, "blockedByHook") else Role.HARNESS


def _folder_of(path: str) -> PurePath | None:
    """Return the folder of the session that a journal lies in, None where it lies in none."""
    journal = PurePath(path)
    agents = journal.parent.parent
    return agents.parent if journal.name == _JOURNAL and agents.name == "agents" and agents.parent.name else None


FORMAT = Format(
    kind="kimi",
    tool=TOOL,
    reads=read_kimi,
    recognises=is_kimi,
    names=names_session,
    is_companion=is_companion,
    dated=False,
)
