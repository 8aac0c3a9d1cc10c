"""Sessions as SpecStory writes them: one Markdown document a session, whatever the agent's tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from dream.sources.sessions.formats.registry import RENDERED, Format, SessionFile
from dream.sources.sessions.formats.specstory_headers import HEAD_LINES, session_header
from dream.sources.sessions.formats.specstory_tools import Edit, Told, told_by
from dream.sources.sessions.formats.specstory_turns import Block, Kind, Turn, turns_of
from dream.sources.sessions.harness import role_of_spoken, split_reminders
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.references import pull_requests_in, pull_requests_opened, relative_path
from dream.sources.sessions.tools import brief_call, role_of_output
from dream.sources.sessions.values import Role

_COMMAND = ("<command-name>", "<command-message>")
_SKILLS = frozenset({"Skill", "SlashCommand"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """One message of a turn; of a tool's, `told` is the call that it answers, and `edit` what that edited."""

    role: Role
    text: str
    tool: str = ""
    told: Told | None = None
    edit: Edit | None = None


def read_specstory(file: SessionFile) -> FileReading:
    """Return what a document of SpecStory holds; its path tells the folder that the work was done in."""
    data = file.handle.read(file.limits.file_bytes)
    if not data.strip():
        return FileReading(refused="empty")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return FileReading(refused="not UTF-8")
    lines = text.split("\n")
    session = session_header(lines)
    if session is None:
        return FileReading(refused="no session header of SpecStory in it")
    part = Part(id=session.id, tool=session.tool, folder=folder_of(file.path))
    reading = FileReading()
    _take_turns(part, turns_of(lines), session.at, reading, file.limits)
    if part.messages:
        reading.parts.append(part)
    else:
        reading.refused = "no message in it"
    return reading


def names_session(head: bytes, path: str) -> str:
    """Return the session that a document's header names, "" if it names none."""
    del path
    header = session_header(head.decode("utf-8", "replace").split("\n", HEAD_LINES))
    return header.id if header else ""


def is_specstory(head: bytes, path: str) -> bool:
    """Return whether a file begins as SpecStory's documents do."""
    return path.endswith(".md") and bool(names_session(head, path))


def folder_of(path: str) -> str:
    """Return the name of the folder that holds `.specstory`, "" where the path does not show one."""
    parts = PurePath(path).parts
    place = next((place for place, part in enumerate(parts) if part == ".specstory"), 0)
    return parts[place - 1].strip("/\\") if place else ""


def _take_turns(
    part: Part, turns: Sequence[Turn], started: datetime | None, reading: FileReading, limits: ReadingLimits
) -> None:
    at, command_at, invoked = started, None, False
    for turn in turns:
        at = turn.at or at
        if at is None:
            reading.left_out["a message has no instant"] += 1
            continue
        if turn.user and not turn.sure:
            reading.left_out["a turn of a user cannot be told from printed text"] += 1
        for said in (
            _spoken(turn, written_out=invoked or command_at == at) if turn.user else _worked(part, turn, limits)
        ):
            _add(part, said, at, limits)
            if turn.user and said.text.startswith(_COMMAND):
                command_at = at
        blocks = [block for block in turn.blocks if block.kind is Kind.TOOL or _text(block.lines)]
        invoked = bool(blocks) and blocks[-1].tool in _SKILLS


def _add(part: Part, said: _Said, at: datetime, limits: ReadingLimits) -> None:
    told, edit = said.told, said.edit
    is_first = told is not None and (edit is None or edit == next(iter(told.edits)))
    part.add(
        name="",
        at=at,
        role=said.role,
        text=said.text,
        tool=said.tool,
        command=told.command if told and is_first else "",
        exit_code=told.exit_code if told and is_first else None,
        failed=told.failed if told else False,
        edits=_path_in(part, edit.path) if edit else "",
        diff=edit.diff if edit else "",
        limits=limits,
    )
    if said.role in {Role.PERSON, Role.AGENT}:
        part.pull_requests |= pull_requests_in(said.text)


def _spoken(turn: Turn, *, written_out: bool) -> Iterator[_Said]:
    """Yield what a turn of a user holds; in the second of a command, or after a skill, it is that written out."""
    for block in turn.blocks:
        for stretch, is_reminder in split_reminders(_text(block.lines)):
            believed = turn.sure and not turn.sidechain and not written_out and not is_reminder
            yield _Said(role=role_of_spoken(stretch) if believed else Role.HARNESS, text=stretch.strip())


def _worked(part: Part, turn: Turn, limits: ReadingLimits) -> Iterator[_Said]:
    for block in turn.blocks:
        if block.kind is Kind.TEXT:
            text = _text(block.lines)
            if text:
                yield _Said(role=Role.AGENT, text=text)
        elif block.kind is Kind.TOOL:
            yield from _tool(part, block, limits.captured)


def _tool(part: Part, block: Block, most: int) -> Iterator[_Said]:
    """Yield the output of a call, and for each further file that it edited a message that says so."""
    told = told_by(block, most=most)
    part.files |= {_path_in(part, edit.path) for edit in told.edits}
    part.pull_requests |= pull_requests_opened(told.details or block.tool, told.output)
    if not told.output.strip() and not told.edits and not told.command:
        return
    role, tool = role_of_output(block.tool, told.details, told.output), brief_call(block.tool, told.details)
    for number, edit in enumerate(told.edits or (None,)):
        text = told.output if edit is None else told.output.split("\n", 1)[0] if number == 0 else ""
        yield _Said(role=role, text=text, tool=tool, told=told, edit=edit)


def _path_in(part: Part, path: str) -> str:
    below = f"/{part.folder}/"
    return path.split(below, 1)[1] if part.folder and below in path else relative_path(path, "")


def _text(lines: Sequence[str]) -> str:
    """Return the text of a turn without the rule that SpecStory draws between turns."""
    text = "\n".join(lines).strip()
    return "" if text == "---" else text.removesuffix("\n---").rstrip()


FORMAT = Format(
    kind="specstory",
    tool="SpecStory",
    reads=read_specstory,
    recognises=is_specstory,
    names=names_session,
    suffixes=(".md",),
    rank=RENDERED,
)
