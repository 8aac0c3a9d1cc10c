"""The records of rollouts of Codex in one shape, whichever generation wrote them, and what is said twice in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePath

from dream.sources.sessions.formats.codex_turns import texts_of, typed_text
from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, records_of, text_at
from dream.sources.sessions.formats.registry import SessionFile

_WRAPPED = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"})
_SPOKEN = re.compile(rb'"(?:user_message|agent_message|UserMessage|AgentMessage)"|"role"\s{0,4}:\s{0,4}"(?:user|assis)')
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z")
_OWN = re.compile(rb'"type"\s{0,4}:\s{0,4}"(?:session_meta|response_item|event_msg|turn_context)"|"record_type"')
_BARE = frozenset({"timestamp", "created_at", "role", "content", "message", "model"})


@dataclass(frozen=True, slots=True)
class Doubles:
    """What is said in events, and what is said in items, so that each counts once."""

    typed: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    agents: set[str] = field(default_factory=set)


def doubles_of(file: SessionFile) -> Doubles:
    """Return what is said in a rollout, which is rewound."""
    doubles = Doubles()
    for record in records_of(file, Counter(), worth=_SPOKEN):
        for kind, payload, _ in unwrapped(record):
            event = event_of(payload) if kind == "event_msg" else {}
            if text_at(event, "type") == "user_message":
                doubles.typed.add(typed_text(text_at(event, "message")))
            elif kind == "response_item" and text_at(payload, "role") in {"user", "assistant"}:
                texts = list(texts_of(payload))
                known = doubles.users if payload["role"] == "user" else doubles.agents
                known.update(typed_text(text) for text in (*texts, "".join(texts), "\n".join(texts)))
    file.handle.seek(0)
    return doubles


def unwrapped(record: Record) -> Iterator[tuple[str, Record, object]]:
    """Yield what a record is, its body and its stamp, whichever generation wrote it."""
    payload, kind, stamp = record.get("payload"), record.get("type"), record.get("timestamp", record.get("created_at"))
    if is_map(payload) and isinstance(kind, str) and kind in _WRAPPED:
        yield kind, payload, stamp
    elif is_map(record.get("session")) and isinstance(record.get("items"), list):
        yield "session_meta", record["session"], record["session"].get("timestamp")
        yield from (("response_item", item, None) for item in maps_at(record, "items"))
    elif kind is None and "id" in record and ("instructions" in record or "git" in record):
        yield "session_meta", record, stamp
    elif "record_type" not in record:
        yield "response_item", record, stamp


def event_of(payload: Record) -> Record:
    """Return an event; a completed item reads as the event that tells the same."""
    item = map_at(payload, "item")
    texts = "".join(text_at(block, "text") for block in maps_at(item, "content"))
    match text_at(item, "type") if payload.get("type") == "item_completed" else "":
        case "UserMessage":
            return {"type": "user_message", "message": texts}
        case "AgentMessage":
            return {"type": "agent_message", "message": texts}
        case "Plan":
            return {"type": "agent_message", "message": text_at(item, "text")}
        case "CommandExecution":
            return {**item, "type": "exec_command_end", "call_id": item.get("id")}
        case "FileChange":
            return {**item, "type": "patch_apply_end", "call_id": item.get("id")}
    return payload


def names_session(head: bytes, path: str) -> str:
    """Return the session that a file's beginning names, else the one in its name."""
    first = head.split(b"\n", 1)[0]
    keys = ("session_id", "parent_thread_id", "id") if b'"subagent"' in first else ("id",)
    for key in keys:
        found = re.search(rb'"%s"\s{0,4}:\s{0,4}"([^"\\]{1,128})"' % key.encode(), first)
        if found:
            return found[1].decode("utf-8", "replace")
    return named_by(path)


def is_codex(head: bytes, path: str) -> bool:
    """Return whether a file's beginning has lines of Codex."""
    if not path.endswith((".jsonl", ".json")):
        return False
    if _OWN.search(head):
        return True
    first = head.lstrip().split(b"\n", 1)[0]
    keys = frozenset(key.decode() for key in re.findall(rb'"([a-z_]{1,20})"\s{0,4}:', first))
    stamped = bool(keys & {"timestamp", "created_at"})
    return stamped and (("role" in keys and keys <= _BARE) or {"id", "instructions"} <= keys)


def is_companion(path: str) -> bool:
    """Return whether a file lists sessions or prompts that the rollouts hold themselves."""
    return PurePath(path).name in {"history.jsonl", "session_index.jsonl"}


def named_by(path: str) -> str:
    """Return the session that a file's name ends in, else the name."""
    stem = PurePath(path).stem
    found = _UUID.search(stem)
    return found[0] if found else stem
