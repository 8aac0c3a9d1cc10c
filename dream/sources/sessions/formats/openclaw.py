"""Sessions of OpenClaw, an assistant that is spoken to through messengers: `agents/<agent>/sessions/<id>.jsonl`.

Its gateway writes envelopes around what a person sends: who sent it and where, as blocks of JSON before the words, or
as a bracket in front of them. They are the harness's; the name in them is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dream.sources.sessions.formats.objects import is_map, text_at
from dream.sources.sessions.formats.pi_entries import Entries, is_session_header, session_in
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from dream.sources.strict_json import BadJSONError, parse_json

TOOL = "OpenClaw"
_METADATA = re.compile(r"\s{0,8}[A-Z][A-Za-z ]{2,60} \(untrusted[^()\n]{0,60}\):\s{0,8}```(?:json)?\n")
_FENCE = "\n```"
_SENDER = re.compile(r"\s{0,8}Sender \(")
_BRACKET = re.compile(
    r"\s{0,8}\[(?:Telegram|WhatsApp|Discord|Slack|Signal|iMessage|WebChat|MSTeams|Matrix"
    r"|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )[^\]\n]{0,300}\]\s{0,2}"
)
_MESSAGE_ID = re.compile(r"\n?\[message_id: [^\]\n]{1,200}\]\s{0,8}\Z")
_MESSAGE_ID_MOST = 240
_CONTEXT = "\n\nUntrusted context (metadata"
_NOBODY = re.compile(
    r"\s{0,8}(?:\[cron[: ]|System: |\[System |Read HEARTBEAT\.md|\[media attached"
    r"|A new session was started via /new|\(session bootstrap\)|Pre-compaction memory flush"
    r"|\[Inter-session message\]|\[Queued messages )"
)
_NAMES = ("name", "label", "username", "tag")
_MARK = re.compile(rb"openclaw|clawdbot|moltbot", re.IGNORECASE)


def read_openclaw(file: SessionFile) -> FileReading:
    """Return what a session of OpenClaw holds, with everything that had to be left out counted."""
    return Entries(file, tool=TOOL, spoken=spoken_in).read()


def spoken_in(text: str) -> Iterator[tuple[Role, str, str]]:
    """Yield the stretches of a turn of a user: what the gateway put around it, and what somebody sent."""
    author, position = "", 0
    while envelope := _METADATA.match(text, position):
        end = text.find(_FENCE, envelope.end() - 1)
        if end < 0:
            yield Role.HARNESS, text[position:], ""
            return
        if _SENDER.match(text, position):
            author = _author_in(text[envelope.end() : end]) or author
        yield Role.HARNESS, text[position : end + len(_FENCE)], ""
        position = end + len(_FENCE)
    if _NOBODY.match(text, position):
        yield Role.HARNESS, text[position:], ""
        return
    bracket = _BRACKET.match(text, position)
    if bracket:
        yield Role.HARNESS, bracket[0], ""
        position = bracket.end()
    end = text.find(_CONTEXT, position)
    tail = _MESSAGE_ID.search(text, max(position, len(text) - _MESSAGE_ID_MOST)) if end < 0 else None
    stop = end if end >= 0 else tail.start() if tail else len(text)
    yield Role.PERSON, text[position:stop], author
    yield Role.HARNESS, text[stop:], ""


def is_openclaw(head: bytes, path: str) -> bool:
    """Return whether a file is a session whose first lines, or whose folders, name OpenClaw."""
    return (
        path.endswith(".jsonl") and is_session_header(head) and bool(_MARK.search(path.encode()) or _MARK.search(head))
    )


def is_companion(path: str) -> bool:
    """Return whether a file is the trace of a session beside it."""
    return path.endswith(".trajectory.jsonl")


def _author_in(block: str) -> str:
    try:
        value = parse_json(block.encode("utf-8", "surrogatepass"))
    except BadJSONError:
        return ""
    return text_at(value, *_NAMES, most=LONGEST_ID) if is_map(value) else ""


FORMAT = Format(
    kind="openclaw",
    tool=TOOL,
    reads=read_openclaw,
    recognises=is_openclaw,
    names=session_in,
    is_companion=is_companion,
    written_like=("pi",),
)
