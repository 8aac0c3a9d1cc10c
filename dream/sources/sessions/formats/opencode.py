"""Sessions of OpenCode as it kept them in files: a session, its messages and their parts, each a JSON file.

    storage/session/<project>/ses_<id>.json
    storage/message/<session>/msg_<id>.json
    storage/part/<message>/prt_<id>.json       once storage/part/prt_<id>.json, or a folder per session more

Only the session's file is a session; messages and parts are found through it, never through a link and never more than
so many, and one that names another session is left out. Instants are numbers, so that a file never shows its days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import PurePath

from dream.sources.sessions.formats.companions import companion_record, companion_value, files_in, is_plain_name
from dream.sources.sessions.formats.objects import Record, map_at, moment, records_of, text_at
from dream.sources.sessions.formats.opencode_turns import TOOL, Turns, note_session
from dream.sources.sessions.formats.registry import Format, SessionFile
from dream.sources.sessions.formats.telling import LONGEST_ID, Gathering
from dream.sources.sessions.parts import FileReading

MOST_MESSAGES = 20_000
MOST_PARTS = 2_000
MOST_LOOSE = 500
"""How many messages of a session, parts of a message, and parts that lie in no message's folder, are read."""

_DEEPEST = 8
_COMPANIONS = frozenset({"message", "part", "session_diff", "session_share", "todo", "project"})
_SESSION_ID = re.compile(rb'"id"\s{0,4}:\s{0,4}"([A-Za-z0-9_.-]{1,128})"')
_PARENT_ID = re.compile(rb'"parentID"\s{0,4}:\s{0,4}"([A-Za-z0-9_.-]{1,128})"')
_UPDATED = re.compile(rb'"updated"\s{0,4}:\s{0,4}([0-9]{10,16})')
_LONGEST_SESSION = 4_000_000
_OWN_KEYS = re.compile(rb'"(?:projectID|directory)"\s{0,4}:')


def read_opencode(file: SessionFile) -> FileReading:
    """Return what a session of OpenCode holds, with its messages and their parts."""
    return _Reader(file).read()


def is_companion(path: str) -> bool:
    """Return whether a file is read with a session's file, or belongs to the store and not to a session."""
    parts = PurePath(path).parts
    if parts[-1].startswith("ses_") and "session" in parts[-3:-1]:
        return False
    return bool(_COMPANIONS & set(parts[-4:-1])) or parts[-1] in {"migration", "migration.json"}


def names_session(head: bytes, path: str) -> str:
    """Return the session that a person began and that a session's file belongs to, "" if it names none."""
    parent = _PARENT_ID.search(head)
    if parent:
        return _root_of(PurePath(path).parent, parent[1].decode(), limit=_LONGEST_SESSION)
    named = _SESSION_ID.search(head)
    return named[1].decode() if named else ""


def latest_in(head: bytes, path: str) -> datetime | None:
    """Return an instant after which nothing was said in a session: a day after it was last prompted."""
    del path
    updated = [at for one in _UPDATED.findall(head) if (at := moment(int(one), UTC))]
    return max(updated) + timedelta(days=1) if updated else None


def is_opencode(head: bytes, path: str) -> bool:
    """Return whether a file is that of a session of OpenCode."""
    return PurePath(path).name.startswith("ses_") and path.endswith(".json") and bool(_OWN_KEYS.search(head))


class _Reader:
    """Reads one session's file, and what belongs to it."""

    def __init__(self, file: SessionFile) -> None:
        self._file = file
        self._gathering = Gathering(file, tool=TOOL)
        self._left_out = self._gathering.reading.left_out
        self._bytes_left = file.limits.file_bytes
        path = PurePath(file.path)
        self._storage = path.parents[2] if len(path.parents) > len(("project", "session", "storage")) else path.parent

    def read(self) -> FileReading:
        session = next(iter(records_of(self._file, self._left_out)), {})
        name = text_at(session, "id", most=LONGEST_ID)
        if not session or not is_plain_name(name):
            self._gathering.reading.refused = "no session of OpenCode in it"
            return self._gathering.reading
        self._gathering.records += 1
        parent = text_at(session, "parentID", most=LONGEST_ID)
        folder = PurePath(self._file.path).parent
        root = _root_of(folder, parent, limit=self._file.limits.line_bytes) if parent else name
        telling = self._gathering.of(root)
        note_session(telling, session)
        messages = files_in(self._storage / "message" / name, most=MOST_MESSAGES)
        records = [one for path in messages if (one := self._message(path, name))]
        turns = Turns(telling, self._file, self._left_out)
        for message in sorted(records, key=_instant):
            turns.take(message, self._parts(text_at(message, "id"), name))
        reading = self._gathering.finished()
        if not reading.parts and not reading.refused.startswith("a message"):
            reading.refused = "its messages are missing" if not records else "the parts of its messages are missing"
        return reading

    def _message(self, path: PurePath, session: str) -> Record:
        record = self._companion(path)
        if not record or not is_plain_name(text_at(record, "id", most=LONGEST_ID)):
            self._left_out["a message cannot be read"] += 1
            return {}
        if text_at(record, "sessionID") != session:
            self._left_out["a message is another session's"] += 1
            return {}
        return record

    def _companion(self, path: PurePath) -> Record:
        limit = min(self._file.limits.line_bytes, self._bytes_left)
        record, size = companion_value(path, limit=limit)
        self._bytes_left -= size
        return record

    def _parts(self, message: str, session: str) -> list[Record]:
        root = self._storage / "part"
        places: Iterable[PurePath] = (root / message, root / session / message)
        paths = next((found for place in places if (found := files_in(place, most=MOST_PARTS))), None)
        if paths is None:
            return [one for one in self._loose if text_at(one, "messageID") == message]
        parts = []
        for path in paths:
            part = self._companion(path)
            if not part:
                self._left_out["a part cannot be read"] += 1
            elif text_at(part, "sessionID") not in {"", session} or text_at(part, "messageID") not in {"", message}:
                self._left_out["a part is another message's"] += 1
            else:
                parts.append(part)
        return parts

    @cached_property
    def _loose(self) -> list[Record]:
        """The parts that lie in no message's folder, as an earlier OpenCode kept them."""
        return [self._companion(path) for path in files_in(self._storage / "part", most=MOST_LOOSE)]


def _root_of(folder: PurePath, parent: str, *, limit: int) -> str:
    """Return the session that a person began, of which the one with that parent is a part."""
    seen = [parent]
    for _ in range(_DEEPEST):
        if not is_plain_name(parent):
            break
        parent = text_at(companion_record(folder / f"{parent}.json", limit=limit), "parentID", most=LONGEST_ID)
        if not parent or parent in seen:
            break
        seen.append(parent)
    return seen[-1]


def _instant(message: Record) -> tuple[float, str]:
    created = map_at(message, "time").get("created")
    return (float(created) if isinstance(created, int | float) else 0.0), text_at(message, "id")


FORMAT = Format(
    kind="opencode",
    tool=TOOL,
    reads=read_opencode,
    recognises=is_opencode,
    names=names_session,
    suffixes=(".json",),
    is_companion=is_companion,
    dated=False,
    latest=latest_in,
)
