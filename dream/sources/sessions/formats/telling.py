"""Sessions as a file tells them: who said what, and what the calls of an agent's tools came to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dream.sources.sessions.formats.diffs import Edit
from dream.sources.sessions.formats.objects import moment
from dream.sources.sessions.formats.registry import SessionFile
from dream.sources.sessions.harness import role_of_spoken, split_reminders
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.references import pull_requests_in, pull_requests_opened, relative_path
from dream.sources.sessions.tools import brief_call, kept_output, role_of_output
from dream.sources.sessions.values import Message, Role

LONGEST_ID = 128
LONGEST_TITLE = 500
LONGEST_PATH = 1_000
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "fish", "pwsh", "powershell", "cmd"})
_TELLS_WHAT = (
    "command",
    "cmd",
    "file_path",
    "absolute_path",
    "path",
    "filePath",
    "pattern",
    "url",
    "query",
    "description",
    "prompt",
)
_REMOTE = re.compile(r"(?:[A-Za-z+]{1,20}://[^/\s]{1,300}/|[^\s:/]{1,300}:)([^\s?#]{1,300})")
_NO_EDIT = (Edit(""),)
_NO_INSTANT = "a message has no instant"
_LENT_INSTANT = "a message has no instant: the one before it stands for it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What an agent asked of a tool.

    `details` is the part of its input that says what about; `role` whose words its output is, where the name of the
    tool says that already. `given` is the input whole, where `edits` do not say what changes because most outputs do.
    """

    tool: str
    details: str = ""
    command: str = ""
    edits: tuple[Edit, ...] = ()
    role: Role | None = None
    given: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What a call came to; `edits` are those that the output tells of itself, better than the call did."""

    text: str
    exit_code: int | None = None
    failed: bool = False
    edits: tuple[Edit, ...] = ()


class Telling:
    """One session as a file tells it.

    Of a subagent's session (`is_subagent`) nothing is a person's. Where the file never brings what calls came to
    (`answers` False), a call that edits is taken to have done so.
    """

    def __init__(self, session: str, *, tool: str, file: SessionFile, reading: FileReading) -> None:
        """Begin a session of that id; what is left out of it is counted in `reading`."""
        self.part = Part(id=session, tool=tool)
        self.is_subagent = False
        self.answers = True
        self.last_at: datetime | None = None
        self._file = file
        self._left_out = reading.left_out
        self._calls: dict[str, tuple[int, datetime, Call]] = {}

    def instant_of(self, stamp: object) -> datetime | None:
        """Return the instant of a stamp; of none or a wrong one that of the message before it, counted."""
        at = moment(stamp, self._file.zone)
        if at is None:
            self._left_out[_LENT_INSTANT if self.last_at else _NO_INSTANT] += 1
        self.last_at = at or self.last_at
        return self.last_at

    def say(self, role: Role, text: str, stamp: object, *, name: str = "", author: str = "") -> None:
        """Add what somebody says; of what is given to a person, the harness's words are told apart."""
        if not text or text.isspace():
            return
        at = self.instant_of(stamp)
        if at is None:
            return
        for stretch, is_reminder in split_reminders(text) if role is Role.PERSON else ((text, False),):
            speaker = Role.HARNESS if is_reminder else role
            speaker = role_of_spoken(stretch) if speaker is Role.PERSON else speaker
            speaker = Role.AGENT if speaker is Role.PERSON and self.is_subagent else speaker
            if speaker is Role.PERSON or speaker is Role.AGENT:
                self.part.pull_requests |= pull_requests_in(stretch)
            self.part.add(name=name, at=at, role=speaker, text=stretch, author=author, limits=self._file.limits)

    def complain(self, text: str, stamp: object, *, name: str = "") -> None:
        """Add that the harness reports an error."""
        at = self.instant_of(stamp) if text.strip() else None
        if at is not None:
            self.part.add(name=name, at=at, role=Role.HARNESS, text=text, failed=True, limits=self._file.limits)

    def call(self, key: str, call: Call, stamp: object) -> None:
        """Note what an agent asks of a tool; the call's first form counts."""
        at = moment(stamp, self._file.zone) or self.last_at
        if at is not None:
            self._calls.setdefault(key, (len(self.part.messages), at, call))

    def called(self, key: str) -> Call | None:
        """Return an open call."""
        held = self._calls.get(key)
        return held[2] if held else None

    def first_open(self) -> str:
        """Return the key of the call that has waited longest, "" if none does."""
        return next(iter(self._calls), "")

    def answer(self, key: str, output: Output, stamp: object, *, name: str = "") -> None:
        """Add what a call came to, with what is known of the call; each call is answered once."""
        held = self._calls.pop(key, None)
        call = held[2] if held else Call(tool="")
        edits = () if output.failed else output.edits or call.edits
        says_something = bool(output.text) and not output.text.isspace()
        if not (says_something or call.command or edits or output.failed):
            return
        at = self.instant_of(stamp)
        if at is None:
            return
        role = call.role or role_of_output(call.tool, call.command or call.details, output.text)
        text = output.text.split("\n", 1)[0] if edits else kept_output(call.tool, output.text)
        self.part.pull_requests |= pull_requests_opened(call.command or call.details or call.tool, output.text)
        self._add(call, output, text, edits, at=at, role=role, name=name or key)

    def cut_at(self, position: int) -> None:
        """Take back the messages from a position on, which somebody withdrew."""
        taken = self.part.messages[position:]
        del self.part.messages[position:]
        self._calls = {key: held for key, held in self._calls.items() if held[0] <= position}
        if taken:
            self._left_out["a message was taken back"] += len(taken)

    def finish(self) -> None:
        """Add the calls that nothing answers, where they were made."""
        added: list[tuple[int, list[Message]]] = []
        for key, (position, at, call) in self._calls.items():
            edits = () if self.answers else call.edits
            if not call.command and not edits:
                continue
            before = len(self.part.messages)
            self._add(call, Output(text=""), "", edits, at=at, role=call.role or Role.TOOL, name=key)
            added.append((position, self.part.messages[before:]))
            del self.part.messages[before:]
        for position, messages in reversed(added):
            self.part.messages[position:position] = messages
        self._calls = {}

    def _add(
        self, call: Call, output: Output, text: str, edits: Sequence[Edit], *, at: datetime, role: Role, name: str
    ) -> None:
        """Add a message for the output and the first edit, and one for each edit more."""
        for number, edit in enumerate(edits or _NO_EDIT):
            path = relative_path(edit.path, self.part.cwd) if 0 < len(edit.path) <= LONGEST_PATH else ""
            if path:
                self.part.files.add(path)
            self.part.add(
                name=f"{name}.{number}" if number and name else name,
                at=at,
                role=role,
                text=text if not number else "",
                tool=brief_call(call.tool, call.command or call.details) if call.tool else "",
                command=call.command if not number else "",
                exit_code=output.exit_code if not number else None,
                failed=output.failed,
                edits=path,
                diff=edit.diff,
                limits=self._file.limits,
            )


class Gathering:
    """The sessions of one file, as its records are read."""

    def __init__(self, file: SessionFile, *, tool: str) -> None:
        """Begin with nothing; `tool` is the name of the agent's tool."""
        self.reading = FileReading()
        self.records = 0
        self._file = file
        self._tool = tool
        self._tellings: dict[str, Telling] = {}

    def of(self, session: str) -> Telling:
        """Return the telling of a session, begun where there is none."""
        if session not in self._tellings:
            self._tellings[session] = Telling(session, tool=self._tool, file=self._file, reading=self.reading)
        return self._tellings[session]

    def finished(self) -> FileReading:
        """Return everything that was told, or why that is nothing."""
        for telling in self._tellings.values():
            telling.finish()
        self.reading.parts = [telling.part for telling in self._tellings.values() if telling.part.messages]
        if not self.reading.parts:
            self.reading.refused = self._reason()
        return self.reading

    def _reason(self) -> str:
        left_out = self.reading.left_out
        if not self.records and not left_out:
            return "empty"
        if not self.records or _NO_INSTANT in left_out:
            return _NO_INSTANT if self.records else left_out.most_common(1)[0][0]
        return f"no message of {self._tool} in it"


def command_of(value: object) -> str:
    """Return a shell command that is given as one text or as its words; a shell around a script is left away."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        return ""
    wrapped = len(value) == len(("bash", "-lc", "script")) and value[0].replace("\\", "/").rsplit("/", 1)[-1]
    if wrapped and wrapped.removesuffix(".exe") in _SHELLS and value[1].startswith(("-", "/")):
        return str(value[2])
    return shlex.join(value)


def details_of(given: Mapping[str, Any]) -> str:
    """Return the part of a call's input that says what it is about."""
    return next((given[key] for key in _TELLS_WHAT if isinstance(given.get(key), str)), "")


def repository_named(url: str) -> str:
    """Return `owner/name` of the address of a git repository, "" where it names none; never what stands before it."""
    found = _REMOTE.fullmatch(url.strip())
    parts = [part for part in found[1].strip("/").removesuffix(".git").split("/") if part] if found else []
    return "/".join(parts[-2:]) if len(parts) > 1 else ""
