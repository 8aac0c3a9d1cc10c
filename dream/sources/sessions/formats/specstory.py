"""Sessions as SpecStory writes them: one Markdown document a session, whatever the agent's tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePath

from dream.sources.sessions.formats.registry import RENDERED, Format, SessionFile
from dream.sources.sessions.formats.specstory_headers import session_header
from dream.sources.sessions.formats.specstory_turns import Block, Kind, Turn, turns_of
from dream.sources.sessions.harness import role_of_spoken, split_reminders
from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.parts import FileReading, Part
from dream.sources.sessions.references import pull_requests_in, pull_requests_opened, relative_path
from dream.sources.sessions.tools import brief_call, role_of_output
from dream.sources.sessions.values import Role

_COMMAND = ("<command-name>", "<command-message>")
_SKILLS = frozenset({"Skill", "SlashCommand"})
_TICKED = re.compile(r"`([^`\n]{1,1000})`")
_EDITED = re.compile(
    r"(?:The file (\S{1,1000}) has been updated|File created successfully at: (\S{1,1000})"
    r"|• (?:Edit|Write) file: (\S{1,1000}?)(?:</summary>|\s|\Z))"
)
_SUMMARY_END = "</summary>"


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
    header = session_header(head.decode("utf-8", "replace").split("\n"))
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
        for role, text, tool in (
            _spoken(turn, written_out=invoked or command_at == at) if turn.user else _worked(part, turn)
        ):
            part.add(name="", at=at, role=role, text=text, tool=tool, limits=limits)
            if role in {Role.PERSON, Role.AGENT}:
                part.pull_requests |= pull_requests_in(text)
            if turn.user and text.startswith(_COMMAND):
                command_at = at
        said = [block for block in turn.blocks if block.kind is Kind.TOOL or _text(block.lines)]
        invoked = bool(said) and said[-1].tool in _SKILLS


def _spoken(turn: Turn, *, written_out: bool) -> Iterator[tuple[Role, str, str]]:
    """Yield what a turn of a user holds; in the second of a command, or after a skill, it is that written out."""
    for block in turn.blocks:
        for stretch, is_reminder in split_reminders(_text(block.lines)):
            believed = turn.sure and not turn.sidechain and not written_out and not is_reminder
            yield role_of_spoken(stretch) if believed else Role.HARNESS, stretch.strip(), ""


def _worked(part: Part, turn: Turn) -> Iterator[tuple[Role, str, str]]:
    for block in turn.blocks:
        if block.kind is Kind.TEXT:
            text = _text(block.lines)
            if text:
                yield Role.AGENT, text, ""
        elif block.kind is Kind.TOOL:
            yield from _tool(part, block)


def _tool(part: Part, block: Block) -> Iterator[tuple[Role, str, str]]:
    details, output = _call_and_output(block)
    edited = _edited_path(block, details)
    if edited:
        below = f"/{part.folder}/"
        part.files.add(edited.split(below, 1)[1] if part.folder and below in edited else relative_path(edited, ""))
    part.pull_requests |= pull_requests_opened(details or block.tool, output)
    if output.strip() and block.family != "write":
        yield role_of_output(block.tool, details, output), output, brief_call(block.tool, details)


def _call_and_output(block: Block) -> tuple[str, str]:
    """Return what was asked of a tool and what it printed: the first fence that is plain is where its output begins."""
    asked: list[str] = []
    lines = [line.rstrip("\r") for line in block.lines]
    last = next((place for place in range(len(lines) - 1, -1, -1) if lines[place].rstrip() == "```"), len(lines))
    inside = False
    for place, line in enumerate(lines):
        if line in {"```", "```text"} and not inside:
            return " ".join(asked).strip(), "\n".join(block.lines[place + 1 : max(last, place + 1)])
        if line.startswith("```"):
            inside = not inside
        elif not line.startswith(("<tool-use", "<details", "</")):
            shown = line.removeprefix("<summary>").split(_SUMMARY_END)[0]
            asked.append(shown.removeprefix(f"Tool use: **{block.tool}**").strip())
    return " ".join(asked).strip(), ""


def _edited_path(block: Block, details: str) -> str:
    if block.family != "write":
        return ""
    said = _EDITED.search("\n".join(block.lines))
    if said is not None:
        return next(path for path in said.groups() if path)
    ticked = _TICKED.search(details)
    return ticked[1] if ticked else ""


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
