"""Learnings that somebody suggests: they wait in the organisation's store until a person accepts or rejects them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.errors import UsageError
from dream.memory.skills import Skill, render_skill
from dream.object_store import Objects

FOLDER = "suggestions"
_KIND = "learnings"
VERSION = 1
_ID = re.compile(r"[0-9a-f]{10}")
_SUFFIX = ".json"

Status = Literal["waiting", "accepted", "rejected"]


class Suggestion(BaseModel):
    """A learning that waits for a person, or what became of it.

    `base` is the blob of the learning that it would replace, empty for a new one. `suggested_by` is what whoever
    suggested it said of itself, `decided_by` the person who decided, `commit` where an accepted one landed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = VERSION
    organisation: str
    id: str
    name: str
    trigger: str
    body: str
    base: str = ""
    suggested_by: str
    suggested: datetime
    status: Status = "waiting"
    decided_by: str = ""
    decided: datetime | None = None
    why: str = ""
    commit: str = ""

    @property
    def skill(self) -> Skill:
        """The learning as it would stand in the memory."""
        return skill_of(self.name, self.trigger, self.body)

    @property
    def data(self) -> bytes:
        """The bytes of its file."""
        return render_skill(self.skill)


def skill_of(name: str, trigger: str, body: str) -> Skill:
    """Return the learning that somebody suggests; blank lines at the ends of its body are dropped."""
    return Skill(name=name, description=" ".join(trigger.split()), body=body.strip("\r\n"))


def suggestion_id(skill: Skill) -> str:
    """Return the id of a suggestion: 10 hex digits of what it says, so that the same is suggested once."""
    said = f"{skill.name}\0{skill.description}\0{skill.body}"
    return sha256(said.encode(errors="surrogatepass")).hexdigest()[:10]


class SuggestionStore:
    """The suggestions of one organisation at `<address>/suggestions/learnings/<id>.json`.

    What cannot be read, or belongs to another organisation, is no suggestion and is named in `damages`. Raises
    StoreDownError where the store cannot be reached.
    """

    def __init__(self, address: str, *, organisation: str) -> None:
        """Take an address that fsspec knows, or a path; nothing is opened yet."""
        self._objects = Objects(address, FOLDER)
        self._organisation = organisation
        self.damages: list[str] = []

    def all(self) -> tuple[Suggestion, ...]:
        """Return every suggestion, oldest first."""
        found = self._found()
        return tuple(sorted(found, key=lambda one: (one.suggested, one.id)))

    def get(self, suggestion: str) -> Suggestion | None:
        """Return the suggestion of this id, or None."""
        if not _ID.fullmatch(suggestion):
            return None
        data = self._objects.read(_name(suggestion))
        return None if data is None else self._parsed(suggestion, data)

    def expect(self, suggestion: str) -> Suggestion:
        """Return the suggestion of this id; raises UsageError where there is none."""
        found = self.get(suggestion)
        if found is None:
            damaged = f"; its file is damaged: {self.damages[-1]}" if self.damages else ""
            message = f"{self._organisation} has no suggestion {suggestion!r}{damaged}"
            raise UsageError(message, way_out=f"see what waits: dream learnings list {self._organisation}")
        return found

    def put(self, suggestion: Suggestion) -> None:
        """Keep a suggestion, in the place of the one with its id."""
        self._objects.write(_name(suggestion.id), suggestion.model_dump_json(indent=1).encode())

    def _found(self) -> Iterator[Suggestion]:
        for name in self._objects.names():
            stem = name.removeprefix(f"{_KIND}/").removesuffix(_SUFFIX)
            if not _ID.fullmatch(stem) or name != _name(stem):
                continue
            data = self._objects.read(name)
            suggestion = None if data is None else self._parsed(stem, data)
            if suggestion is not None:
                yield suggestion

    def _parsed(self, stem: str, data: bytes) -> Suggestion | None:
        try:
            suggestion = Suggestion.model_validate_json(data)
        except ValidationError as error:
            self.damages.append(f"{stem}{_SUFFIX}: {error.error_count()} fields that cannot be read")
            return None
        whose = (suggestion.version, suggestion.organisation, suggestion.id, suggestion_id(suggestion.skill))
        if whose != (VERSION, self._organisation, stem, stem):
            self.damages.append(f"{stem}{_SUFFIX}: it is not what was suggested under this id")
            return None
        return suggestion


def _name(suggestion: str) -> str:
    return f"{_KIND}/{suggestion}{_SUFFIX}"
