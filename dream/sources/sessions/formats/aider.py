"""Sessions of Aider: one Markdown file per folder, `.aider.chat.history.md`, to which every session is appended.

A line says when a session began, in local time; nothing in it has an instant of its own, so that everything is said at
that one. A session's id is made of that stamp and of what stands below it up to the first words, which never changes
when the file grows.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePath

from dream.sources.sessions.changes import bounded_patch, patch_of_replacement
from dream.sources.sessions.formats.aider_lines import STARTED, Kind, Stretch, stretches_of
from dream.sources.sessions.formats.diffs import Edit
from dream.sources.sessions.formats.objects import moment
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_PATH, Call, Output, Telling
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role

TOOL = "Aider"
FILE_NAME = ".aider.chat.history.md"
_ASKS = re.compile(r"/(?:ask|code|architect|context|help)\s{1,4}(?=\S)")
_COMMAND = re.compile(r"(/[a-z][a-z-]{0,30})(?=\s|\Z)|!")
_RUNS = frozenset({"/run", "/test", "/git", "!"})
_AIDERS = re.compile(
    r"# (?:Fix any errors below|Question: )|I ran (?:this|these) command|The LLM did not conform"
    r"|[^\n]{0,500}\((?:Y\)es/\(N\)o|y/n\b)|[^\n]{0,300}\[Yes\]: "
)
_APPLIED = re.compile(r"Applied edit to (\S[^\n]{0,999})")
_AGREES = "Run shell command"
_RAN = re.compile(r"Running (\S[^\n]{0,3999})")
_ENDED = re.compile(r"Command '([^\n]{1,4000})' exited with status ([0-9]{1,4})")
_FOLDER = re.compile(r"(?:Cur|Git) working dir: (\S[^\n]{0,999})")
_FENCES = ("```", "~~~", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>")
_AROUND_PATHS = " \t*#`:"
_BLANK = "<blank>"
_UNSURE = "a turn of a user cannot be told from printed text"
_SILENT = "a session in which nobody says anything"


def read_aider(file: SessionFile) -> FileReading:
    """Return the sessions of a chat history, those in which nobody says anything left out and counted."""
    data = file.handle.read(file.limits.file_bytes)
    if not data.strip():
        return FileReading(refused="empty")
    reading = FileReading()
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    lines = text.split("\n")
    if lines.pop():
        reading.left_out["the last line is cut off"] += 1
    seen: Counter[str] = Counter()
    for stretches in _by_session(lines, reading):
        session = _Session(stretches, file, reading)
        if session.is_silent:
            reading.left_out[_SILENT] += 1
        elif session.at is None:
            reading.left_out["a session has no instant"] += 1
        else:
            seen[session.id] += 1
            telling = session.tell(copy=seen[session.id])
            reading.parts += [telling.part] if telling.part.messages else []
    if not reading.parts:
        reading.refused = "no session of Aider in it" if not reading.left_out[_SILENT] else _SILENT
    return reading


def is_aider(head: bytes, path: str) -> bool:
    """Return whether a file is a chat history, by its name or by a line that begins a session."""
    named = PurePath(path).name == FILE_NAME
    return named or (path.endswith(".md") and (b"\n" + head.replace(b"\r", b"")).find(b"\n" + STARTED.encode()) >= 0)


def _by_session(lines: list[str], reading: FileReading) -> Iterator[list[Stretch]]:
    held: list[Stretch] = []
    for stretch in stretches_of(lines):
        if stretch.kind is Kind.SESSION:
            if held:
                yield held
            held = [stretch]
        elif held:
            held.append(stretch)
        else:
            reading.left_out["words before the first session"] += 1
    if held:
        yield held


class _Session:
    """The stretches of one session, the first of which is its stamp."""

    def __init__(self, stretches: list[Stretch], file: SessionFile, reading: FileReading) -> None:
        self._stretches = stretches[1:]
        self._file = file
        self._reading = reading
        self._stamp = stretches[0].text
        self.at = moment(self._stamp, file.zone)
        self._typed: set[str] = set()
        self._running: tuple[str, str] | None = None
        self._changed: dict[str, str] = {}

    @property
    def is_silent(self) -> bool:
        """Whether aider alone speaks."""
        return all(stretch.kind is Kind.OWN or stretch.text == _BLANK for stretch in self._stretches)

    @property
    def id(self) -> str:
        """The session's stamp, and a hash of what follows it up to the first line that somebody else wrote."""
        told = [self._stamp]
        for stretch in self._stretches:
            if stretch.kind is not Kind.OWN:
                told.append(stretch.lines[0])
                break
            told += stretch.lines
        digest = hashlib.sha256("\n".join(told).encode("utf-8", "surrogatepass")).hexdigest()
        return f"aider-{re.sub('[^0-9]', '', self._stamp)}-{digest[:8]}"

    def tell(self, *, copy: int) -> Telling:
        """Return everything that was said; `copy` counts the sessions of one file that are the same so far."""
        name = self.id if copy == 1 else f"{self.id}-{copy}"
        telling = Telling(name, tool=TOOL, file=self._file, reading=self._reading)
        path = PurePath(self._file.path)
        telling.part.folder = path.parent.name if path.name == FILE_NAME else ""
        below: list[Stretch | None] = [*self._stretches[1:], None]
        for stretch, after in zip(self._stretches, below, strict=True):
            match stretch.kind:
                case Kind.TYPED:
                    self._take_typed(stretch, after, telling)
                case Kind.OWN:
                    self._take_own(stretch, telling)
                case Kind.WORDS:
                    self._running = None
                    self._changed = _changes_in(stretch.lines, most=self._file.limits.captured)
                    telling.say(Role.AGENT, stretch.text.strip("\n"), self._told)
        telling.finish()
        return telling

    @cached_property
    def _told(self) -> str:
        """The instant of everything in the session, as text."""
        return self.at.isoformat() if self.at else ""

    def _take_typed(self, stretch: Stretch, after: Stretch | None, telling: Telling) -> None:
        """Take what was typed, or was typed before where that is not sure.

        Of a question that is asked by `/ask` aider repeats the words, which then are the person's.
        """
        text = stretch.text
        self._running = None
        if text == _BLANK:
            return
        asks, command = _ASKS.match(text), _COMMAND.match(text)
        echoed = asks and after is not None and after.text.strip() == text[asks.end() :].strip()
        role = Role.HARNESS if _AIDERS.match(text) or echoed or (command and not asks) else Role.PERSON
        if stretch.sure:
            self._typed.add(text)
        if text not in self._typed:
            self._reading.left_out[_UNSURE] += 1
            role = Role.HARNESS
        elif command and command[0] in _RUNS:
            self._running = (command[0], text[command.end() :].strip())
        telling.say(role, text, self._told)

    def _take_own(self, stretch: Stretch, telling: Telling) -> None:
        if self._running is not None:
            name, typed = self._running
            command = f"git {typed}" if name == "/git" else typed
            self._running = None
            call = Call(tool=name.strip("/"), details=command, command=command, role=Role.TOOL)
            self._answer(call, stretch.text, telling)
            return
        held: list[str] = []
        agreed = False
        codes = {ended[1]: int(ended[2]) for line in stretch.lines if (ended := _ENDED.match(line))}
        for line in stretch.lines:
            folder = _FOLDER.match(line) if "dir: " in line else None
            telling.part.cwd = folder[1].strip() if folder else telling.part.cwd
            agreed = agreed or line.startswith(_AGREES)
            done = self._call_in(line, agreed=agreed)
            if done is None:
                held.append(line)
                continue
            telling.say(Role.HARNESS, "\n".join(held), self._told)
            held = []
            self._answer(done, line, telling, exit_code=codes.get(done.command))
        telling.say(Role.HARNESS, "\n".join(held), self._told)

    def _call_in(self, line: str, *, agreed: bool) -> Call | None:
        """Return what a line of aider's says was done: an edit, or a command once the person `agreed` to run one."""
        applied = _APPLIED.fullmatch(line) if line.startswith("Applied") else None
        if applied:
            path = applied[1].strip()[:LONGEST_PATH]
            return Call(tool="edit", details=path, edits=(Edit(path, self._changed.pop(path, "")),), role=Role.TOOL)
        ran = _RAN.fullmatch(line) if agreed else None
        return Call(tool="shell", details=ran[1], command=ran[1], role=Role.TOOL) if ran else None

    def _answer(self, call: Call, text: str, telling: Telling, *, exit_code: int | None = None) -> None:
        key = hashlib.sha256(f"{self._told}\n{call.tool} {call.details}\n{text}".encode("utf-8", "replace")).hexdigest()
        key = f"m{key[:20]}"
        telling.call(key, call, self._told)
        telling.answer(key, Output(text=text, exit_code=exit_code, failed=bool(exit_code)), self._told)


def _changes_in(lines: list[str], *, most: int) -> dict[str, str]:
    """Return what the agent's words ask to replace, by the path that stands above each fence."""
    changes: dict[str, list[str]] = {}
    path, above = "", ""
    removed: list[str] | None = None
    added: list[str] | None = None
    for line in lines:
        if removed is None:
            if line.startswith("<<<<<") and line.rstrip().endswith(" SEARCH"):
                removed = []
            elif line.startswith(_FENCES):
                path = above.strip(_AROUND_PATHS)
        elif added is None:
            if line.rstrip() == "=======":
                added = []
            else:
                removed.append(line)
        elif line.startswith(">>>>>"):
            diff = patch_of_replacement("\n".join(removed), "\n".join(added), most=most)
            changes.setdefault(path, []).append(diff)
            removed = added = None
        else:
            added.append(line)
        above = line if line.strip() else above
    return {name: bounded_patch("\n@@\n".join(diffs).split("\n"), most=most) for name, diffs in changes.items()}


FORMAT = Format(kind="aider", tool=TOOL, reads=read_aider, recognises=is_aider, suffixes=(".md",))
