"""The bytes of what is kept of a session: its record, which is one line's worth, and its messages."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from dream.sources.instants import in_every_zone
from dream.sources.sessions.values import Message, Role

VERSION = 1
_LEVEL = 4
"""How hard a transcript is compressed: harder takes several times as long for a tenth of the bytes."""

CHANGED = "it is cut or changed"
"""What is said of an object whose bytes are not those that were written."""

_NO_RECORD = "it is no record"

_MORE: Mapping[str, Any] = {
    "author": "",
    "tool": "",
    "command": "",
    "exit_code": None,
    "failed": False,
    "edits": "",
    "diff": "",
    "cut": 0,
}


class DamagedError(Exception):
    """An object that cannot be read as what its name says; the text says why."""


class Record(BaseModel):
    """What is kept of a session in one line; it says whose it is, so that no other is taken for it.

    `digest` is the session's own, `condensed` that of the text beside it. `told` is whether the description was told by
    somebody, and not taken from the last message.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    version: int = VERSION
    organisation: str
    key: str
    id: str
    sources: tuple[str, ...] = Field(min_length=1)
    tool: str
    started: AwareDatetime
    ended: AwareDatetime
    messages: int
    digest: str
    condensed: str
    people: tuple[str, ...] = ()
    repository: str = ""
    branch: str = ""
    description: str = ""
    told: bool = False
    pull_requests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose an object has to be, to be believed."""

    organisation: str
    key: str

    def check(self, told: Mapping[str, Any]) -> None:
        """Raise DamagedError unless `told`, an object's own words, says the same and a version that is known."""
        if told.get("version") != VERSION:
            message = "it is of another version"
            raise DamagedError(message)
        if (told.get("organisation"), told.get("key")) != (self.organisation, self.key):
            message = "it belongs to something else"
            raise DamagedError(message)


def render_record(record: Record) -> bytes:
    """Return the bytes of a record, sorted and one item a line."""
    told = record.model_dump(mode="json")
    return (json.dumps(told, indent=1, sort_keys=True) + "\n").encode("ascii")


def parse_record(data: bytes, owner: Owner) -> Record:
    """Return the record in `data`; raises DamagedError."""
    document = _parsed(data)
    owner.check(document)
    try:
        record = Record.model_validate(document)
        is_shown = in_every_zone(record.started.astimezone(UTC)) and in_every_zone(record.ended.astimezone(UTC))
    except (ValidationError, OverflowError) as error:
        raise DamagedError(_NO_RECORD) from error
    if not is_shown:
        raise DamagedError(_NO_RECORD)
    return record


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """All of a session that its record does not tell."""

    messages: tuple[Message, ...]
    title: str = ""
    files: tuple[str, ...] = ()


def render_whole(whole: Whole, owner: Owner) -> bytes:
    """Return a session as compressed JSON, a message a line, below a line that says whose they are."""
    head = {
        "version": VERSION,
        "organisation": owner.organisation,
        "key": owner.key,
        "title": whole.title,
        "files": whole.files,
    }
    lines = [json.dumps(head, sort_keys=True)]
    lines.extend(json.dumps(_told(f"m{number}", one)) for number, one in enumerate(whole.messages, 1))
    return gzip.compress(("\n".join(lines) + "\n").encode("ascii"), compresslevel=_LEVEL, mtime=0)


def parse_whole(data: bytes, owner: Owner) -> Whole:
    """Return the session in `data`; raises DamagedError."""
    try:
        text = gzip.decompress(data).decode("ascii")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DamagedError(CHANGED) from error
    first, *lines = text.split("\n")
    head = _parsed(first.encode())
    owner.check(head)
    files = head.get("files", [])
    if not isinstance(files, list):
        raise DamagedError(_NO_RECORD)
    return Whole(messages=tuple(_messages(lines)), title=str(head.get("title", "")), files=tuple(map(str, files)))


def _messages(lines: Iterable[str]) -> Iterator[Message]:
    for line in lines:
        if line:
            try:
                yield _message(_parsed(line.encode()))
            except (KeyError, TypeError, ValueError, OverflowError) as error:
                message = "a message of it cannot be read"
                raise DamagedError(message) from error


def _told(number: str, message: Message) -> dict[str, Any]:
    """Return what is kept of a message; what it does not have is left out."""
    told: dict[str, Any] = {
        "m": number,
        "id": message.id,
        "at": message.at.isoformat(),
        "role": message.role.value,
        "text": message.text,
    }
    more = {name: getattr(message, name) for name in _MORE}
    return told | {name: value for name, value in more.items() if value != _MORE[name]}


def _message(told: Mapping[str, Any]) -> Message:
    at = datetime.fromisoformat(told["at"])
    if at.tzinfo is None or in_every_zone(at.astimezone(UTC)) is None:
        message = "an instant without a zone, or without a day in some zone"
        raise ValueError(message)
    return Message(id=str(told["id"]), at=at, role=Role(told["role"]), text=str(told["text"]), **_more(told))


def _more(told: Mapping[str, Any]) -> dict[str, Any]:
    more = {name: told[name] for name in _MORE if name in told}
    for name, value in more.items():
        if type(value) is not (int if name == "exit_code" else type(_MORE[name])):
            message = f"{name} is of another type"
            raise ValueError(message)
    return more


def _parsed(data: bytes) -> Mapping[str, Any]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise DamagedError(CHANGED) from error
    if not isinstance(document, dict):
        raise DamagedError(_NO_RECORD)
    return document
