"""What a turn of a user of Cursor is made of: what was typed, and what the editor put around it; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from dream.sources.sessions.formats.objects import is_map, map_at, maps_at, text_at
from dream.sources.sessions.formats.telling import LONGEST_ID, Call, Output, Telling
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.values import Role

CALLS = frozenset({"tool_use", "tool_call", "tool-call"})
RESULTS = frozenset({"tool_result", "tool-result"})
_THINKING = frozenset({"thinking", "redacted_thinking", "reasoning", "redacted-reasoning", "image", "file"})
_HIDDEN = "[REDACTED]"
_OPEN, _CLOSE = "<user_query>", "</user_query>"
_TAG = re.compile(r"<([a-z][a-z0-9_-]{0,60})(?: [^<>\n]{0,400})?>")
_WORKSPACE = re.compile(r"Workspace Path: ([^\n<]{1,1000})")
_STAMP = re.compile(
    r"<timestamp>[A-Z][a-z]{2,8}, ([A-Z][a-z]{2}) ([0-9]{1,2}), ([0-9]{4}), ([0-9]{1,2}):([0-9]{2}) ([AP]M)"
    r" \(UTC(?:([+-])([0-9]{1,2})(?::([0-9]{2}))?)?\)</timestamp>"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NOON = 12
_MOST_BLOCKS = 64


def turns_of_user(text: str) -> Iterator[tuple[Role, str]]:
    """Yield the stretches of a user's text in order, each with whose words it is.

    What stands in the mark of a query was typed. What an editor attaches can hold the same mark, so only a query that
    ends the text, or one that is alone, is believed. Without the mark, what follows the blocks at the beginning was.
    """
    if _OPEN not in text:
        yield from _after_blocks(text)
        return
    bare = text.rstrip()
    ends = bare.endswith(_CLOSE)
    if not ends and text.count(_OPEN) > 1:
        yield Role.HARNESS, text
        return
    start = text.rindex(_OPEN)
    stop = len(bare) - len(_CLOSE) if ends else text.find(_CLOSE, start)
    stop = len(text) if stop < 0 else stop
    yield Role.HARNESS, text[:start]
    yield Role.PERSON, text[start + len(_OPEN) : stop].strip("\n")
    yield Role.HARNESS, text[stop + len(_CLOSE) :]


def instant_in(text: str) -> datetime | None:
    """Return the instant that an editor put above what was typed, to the minute."""
    found = _STAMP.search(text)
    if found is None or found[1] not in _MONTHS:
        return None
    day, year, hour, minute = (int(found[number]) for number in (2, 3, 4, 5))
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0))
    try:
        zone = timezone(-offset if found[7] == "-" else offset)
        hour = hour % _NOON + (_NOON if found[6] == "PM" else 0)
        return datetime(year, _MONTHS.index(found[1]) + 1, day, hour, minute, tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def workspace_in(text: str) -> str:
    """Return the folder that an editor says it works in, "" if it does not."""
    found = _WORKSPACE.search(text)
    return found[1].strip() if found else ""


def tell_message(
    telling: Telling, message: Mapping[str, Any], *, role: str, stamp: object, name: str, most: int
) -> None:
    """Add what one message of Cursor says and does; calls without an id of their own are named by their place."""
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else maps_at(message, "content")
    answers = any(text_at(block, "type") in RESULTS for block in blocks)
    for number, block in enumerate(blocks):
        kind = text_at(block, "type")
        if kind in CALLS:
            key = text_at(block, "id", "toolCallId", most=LONGEST_ID) or f"{name}:{number}"
            telling.call(key, _call_of(block, most), stamp)
        elif kind in RESULTS:
            _tell_result(telling, block, stamp, name=f"{name}:{number}")
        elif kind not in _THINKING:
            _tell_text(telling, text_at(block, "text"), "tool" if answers else role, stamp, name)


def _tell_text(telling: Telling, text: str, role: str, stamp: object, name: str) -> None:
    if role == "user":
        telling.part.cwd = telling.part.cwd or workspace_in(text)
        for speaker, stretch in turns_of_user(text):
            telling.say(speaker, stretch, stamp, name=name)
    elif text.strip() != _HIDDEN:
        telling.say(Role.AGENT if role == "assistant" else Role.HARNESS, text, stamp, name=name)


def _tell_result(telling: Telling, block: Mapping[str, Any], stamp: object, *, name: str) -> None:
    key = text_at(block, "tool_use_id", "toolCallId", most=LONGEST_ID)
    held = block.get("content", block.get("result", block.get("output")))
    value = held if is_map(held) else {}
    text = held if isinstance(held, str) else "\n".join(text_at(one, "text") for one in maps_at(block, "content"))
    code = value.get("exitCode", value.get("exit_code"))
    exit_code = code if isinstance(code, int) and not isinstance(code, bool) else None
    failed = block.get("is_error") is True or block.get("isError") is True or bool(exit_code)
    output = Output(text=text or text_at(value, "stdout", "output", "text"), exit_code=exit_code, failed=failed)
    known = key if telling.called(key) else telling.first_open()
    telling.answer(known or key, output, stamp, name=name)


def _call_of(block: Mapping[str, Any], most: int) -> Call:
    tool = text_at(block, "name", "toolName")
    given = map_at(block, "input") or map_at(block, "args") or given_in(block.get("args"))
    known = "apply_patch" if tool == "ApplyPatch" else "write" if tool == "StrReplace" else tool
    return replace(call_of(known, given, most=most), tool=tool)


def _after_blocks(text: str) -> Iterator[tuple[Role, str]]:
    rest = text
    for _ in range(_MOST_BLOCKS):
        opening = _TAG.match(rest.lstrip())
        if opening is None:
            break
        end = rest.rfind(f"</{opening[1]}>")
        stop = len(rest) if end < 0 else end + len(f"</{opening[1]}>")
        yield Role.HARNESS, rest[:stop]
        rest = rest[stop:]
    yield Role.HARNESS if _TAG.match(rest.lstrip()) else Role.PERSON, rest.strip("\n")
