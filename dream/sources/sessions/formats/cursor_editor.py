"""Sessions of Cursor's editor as its `state.vscdb` keeps them: composers, and the bubbles that each lists."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

from dream.sources.files import UnreadableError
from dream.sources.sessions.formats.cursor_turns import turns_of_user
from dream.sources.sessions.formats.databases import MAGIC, bytes_of, opened_copy, tables_of
from dream.sources.sessions.formats.objects import Record, is_map, map_at, maps_at, moment, text_at
from dream.sources.sessions.formats.registry import OWN, Format, SessionFile
from dream.sources.sessions.formats.telling import (
    LONGEST_ID,
    LONGEST_PATH,
    LONGEST_TITLE,
    Call,
    Gathering,
    Output,
    Telling,
)
from dream.sources.sessions.formats.tool_inputs import call_of, given_in
from dream.sources.sessions.parts import FileReading
from dream.sources.sessions.values import Role
from dream.sources.strict_json import BadJSONError, parse_json

TOOL = "Cursor"
_TABLE = "cursorDiskKV"
_NOT_ITS = "not a database of Cursor's editor"
_TYPED, _SAID = 1, 2
_FAILED = frozenset({"error", "cancelled", "rejected"})
_PRINTED = ("output", "contents", "content", "text", "error", "message")


def read_editor(file: SessionFile) -> FileReading:
    """Return the sessions of a database of Cursor's editor, with everything that had to be left out counted.

    A bubble of type 1 is a person's. It is read from a copy and never written to.
    """
    gathering = Gathering(file, tool=TOOL)
    try:
        with opened_copy(file) as database:
            if _TABLE not in tables_of(database):
                return FileReading(refused=_NOT_ITS)
            for composer in _composers(database, gathering):
                gathering.records += 1
                _tell(database, composer, file, gathering)
    except UnreadableError as error:
        return FileReading(refused=str(error))
    except sqlite3.Error:
        return FileReading(refused=_NOT_ITS)
    return gathering.finished()


def is_editor(head: bytes, path: str) -> bool:
    """Return whether a file's beginning is of a database of Cursor's editor."""
    return path.endswith(".vscdb") and head.startswith(MAGIC)


def _composers(database: sqlite3.Connection, gathering: Gathering) -> Iterator[Record]:
    rows = database.execute(f"SELECT key FROM {_TABLE} WHERE key >= 'composerData:' AND key < 'composerData;'")  # noqa: S608  # a constant
    for (key,) in rows.fetchall():
        found = _value(database, key, gathering)
        if found is not None:
            yield {"composerId": str(key).partition(":")[2], **found}


def _value(database: sqlite3.Connection, key: object, gathering: Gathering) -> Record | None:
    try:
        row = database.execute(f"SELECT value FROM {_TABLE} WHERE key = ?", (key,)).fetchone()  # noqa: S608  # a constant
        found = parse_json(bytes_of(row[0])) if row and row[0] is not None else None
    except sqlite3.DataError:
        gathering.reading.left_out["a message is too long"] += 1
        return None
    except BadJSONError as error:
        gathering.reading.left_out[str(error)] += 1
        return None
    return found if is_map(found) else None


def _tell(database: sqlite3.Connection, composer: Record, file: SessionFile, gathering: Gathering) -> None:
    own = text_at(composer, "composerId", most=LONGEST_ID)
    parent = text_at(map_at(composer, "subagentInfo"), "parentComposerId", most=LONGEST_ID)
    bubbles = list(_bubbles(database, composer, gathering))
    if not own or not bubbles:
        return
    telling = gathering.of(parent or own)
    telling.is_subagent = bool(parent)
    telling.last_at = moment(composer.get("createdAt"), file.zone) or telling.last_at
    telling.part.cwd = telling.part.cwd or text_at(
        map_at(map_at(composer, "workspaceIdentifier"), "uri"), "fsPath", most=LONGEST_PATH
    )
    telling.part.branch = telling.part.branch or text_at(composer, "createdOnBranch", most=300)
    telling.part.title = telling.part.title or ("" if parent else text_at(composer, "name")[:LONGEST_TITLE])
    for bubble in bubbles:
        _tell_bubble(telling, bubble, file)


def _bubbles(database: sqlite3.Connection, composer: Record, gathering: Gathering) -> Iterator[Record]:
    """Yield the messages of a composer: those that it lists, or in older versions those that it holds."""
    for head in maps_at(composer, "fullConversationHeadersOnly"):
        name = text_at(head, "bubbleId", most=LONGEST_ID)
        found = _value(database, f"bubbleId:{composer['composerId']}:{name}", gathering) if name else None
        if found is not None:
            yield {**found, "bubbleId": name}
    yield from maps_at(composer, "conversation")


def _tell_bubble(telling: Telling, bubble: Record, file: SessionFile) -> None:
    name, text = text_at(bubble, "bubbleId", most=LONGEST_ID), text_at(bubble, "text")
    at = moment(bubble.get("createdAt"), file.zone) or telling.last_at
    if bubble.get("type") == _TYPED:
        for role, stretch in turns_of_user(text):
            telling.say(role, stretch, at, name=name)
    elif bubble.get("type") == _SAID:
        telling.say(Role.AGENT, text, at, name=name)
        told = map_at(bubble, "toolFormerData")
        if tool := text_at(told, "name"):
            call = _call_of(tool, told, file.limits.captured)
            telling.call(f"{name}.call", call, at)
            telling.answer(f"{name}.call", _output_of(told, call, file.limits.captured), at)


def _call_of(tool: str, told: Record, most: int) -> Call:
    given = {**given_in(told.get("rawArgs")), **given_in(told.get("params"))}
    path = text_at(given, "relativeWorkspacePath", "target_file")
    return replace(call_of(tool, {**given, "path": path} if path else given, most=most), tool=tool)


def _output_of(told: Record, call: Call, most: int) -> Output:
    held = told.get("result")
    value = given_in(held)
    text = text_at(value, *_PRINTED) or (held if isinstance(held, str) and not value else "")
    codes = (value.get(key) for key in ("exitCode", "exitCodeV2"))
    code = next((code for code in codes if isinstance(code, int) and not isinstance(code, bool)), None)
    failed = text_at(told, "status") in _FAILED or value.get("rejected") is True or bool(code)
    chunks = maps_at(map_at(value, "diff"), "chunks")
    diff = "\n".join(f"@@\n{text_at(chunk, 'diffString')}" for chunk in chunks)[:most]
    edits = tuple(replace(edit, diff=diff) for edit in call.edits) if diff else ()
    return Output(text=text, exit_code=code if call.command else None, failed=failed, edits=edits)


FORMAT = Format(
    kind="cursor-editor",
    tool=TOOL,
    reads=read_editor,
    recognises=is_editor,
    suffixes=(".vscdb",),
    dated=False,
    rank=OWN + 2,
)
