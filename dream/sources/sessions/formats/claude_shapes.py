"""What files of Claude Code look like: their beginnings, whole documents of records, and older forms of a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import Any

from dream.sources.sessions.jsonlines import first_objects

OLDER = frozenset({"tool_use", "tool_result"})
"""Types of records that `modern` puts into today's form."""

_SPEAKERS = frozenset({"user", "assistant"})
_KEYS = frozenset({"sessionId", "uuid", "parentUuid", "isSidechain", "leafUuid", "requestId"})
_ENVELOPE = re.compile(rb'"(?:parentUuid|isSidechain|sessionId)"\s{0,8}:')
_SPEAKS = re.compile(rb'"message"\s{0,8}:\s{0,8}\{[^{}\[\]]{0,2000}"content"\s{0,8}:')
_LOGLINES = re.compile(rb'\s{0,99}\{[^{}\[\]]{0,2000}"loglines"\s{0,99}:')
_DOCUMENT = re.compile(rb"\s{0,99}(?:\[|\{\s{0,99}\n)")
_SESSION_ID = re.compile(rb'"sessionId"\s{0,8}:\s{0,8}"([^"\\]{1,200})"')
_SUBAGENTS = "subagents"
_SUBAGENT = "agent-"
_SUFFIXES = (".jsonl", ".json")


def is_claude_code(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of Claude Code: lines or a document of its records."""
    if not path.endswith(_SUFFIXES):
        return False
    if _LOGLINES.match(head) or any(_is_own(record) for record in first_objects(head)):
        return True
    is_longer = b"\n" not in head or bool(_DOCUMENT.match(head))
    return is_longer and bool(_ENVELOPE.search(head) and _SPEAKS.search(head))


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the file's own name; a subagent's is its parent's."""
    named = _SESSION_ID.search(head)
    return session_of(named[1].decode("utf-8", "replace") if named else "", path)


def session_of(named: str, path: str) -> str:
    """Return the session of a record that names `named`, in the file at `path`.

    A subagent's file lies in `<session>/subagents/`; where its records name only itself, they are that session's.
    """
    file = PurePath(path)
    if file.parent.name == _SUBAGENTS and (not named or named.startswith(_SUBAGENT)):
        return file.parent.parent.name or file.stem
    return named or file.stem


def records_in(value: object) -> Iterable[object]:
    """Return the records of a JSON value: of a list each item, of a document each of its `loglines`."""
    lines = value.get("loglines") if isinstance(value, dict) else value
    return lines if isinstance(lines, list) else (value,)


def modern(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a record in today's form: once a call and its output were records of their own."""
    match record.get("type"):
        case "tool_use":
            block = {"type": "tool_use", "id": record.get("id", ""), "name": record.get("name"), **_given(record)}
            return {**record, "type": "assistant", "message": {"role": "assistant", "content": [block]}}
        case "tool_result":
            output = record.get("output", record.get("content"))
            answers = record.get("tool_use_id", "")
            block = {
                "type": "tool_result",
                "tool_use_id": answers,
                "content": output,
                "is_error": record.get("is_error"),
            }
            return {**record, "type": "user", "message": {"role": "user", "content": [block]}}
    return record


def _given(record: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"input": record["input"]} if isinstance(record.get("input"), dict) else {}


def _is_own(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    if kind == "summary":
        return "leafUuid" in record
    message = record.get("message")
    return (
        kind in _SPEAKERS
        and isinstance(message, dict)
        and "content" in message
        and (bool(_KEYS & record.keys()) or message.get("role") == kind)
    )
