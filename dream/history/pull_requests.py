"""In which state the pull requests are that sessions name: one object for all, so that a change rewrites no session."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from datetime import date, timedelta
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from dream.history.shelf import Shelf
from dream.object_store import Objects

OBJECT = "pull-requests.json"
STATES = ("open", "merged", "closed")
_VERSION = 1
_RENEWED = timedelta(days=30)


class Known(NamedTuple):
    """The state of a pull request, "" while it is not known, and about when it was last heard of."""

    state: str
    on: date


class _Object(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    organisation: str
    known: dict[str, Known]


class PullRequestStates:
    """The states of the pull requests that one organisation's sessions name, by name (`acme/web#41`)."""

    def __init__(self, objects: Objects, shelf: Shelf, *, organisation: str) -> None:
        """Look at nothing yet."""
        self._objects = objects
        self._shelf = shelf
        self._organisation = organisation
        self._known: dict[str, Known] | None = None

    def state(self, name: str) -> str:
        """Return the state of a pull request, "" where it is not known."""
        known = self._read().get(name)
        return known.state if known else ""

    def refresh(self, states: Mapping[str, str], *, named: Collection[str], on: date, before: date) -> int:
        """Take up the `states` of those that are `named` by sessions or are known; return how many are new.

        One that nobody has named, and nothing has happened to, since `before` is forgotten. What comes to the same is
        not written again.
        """
        known = self._read()
        fresh = {name: one for name, one in known.items() if one.on + _RENEWED >= before}
        changed = 0
        for name in {*fresh, *named}:
            held = fresh.get(name)
            state = states.get(name, "")
            state = state if state in STATES else held.state if held else ""
            changed += held is None or held.state != state
            if held is None or held.state != state or (name in named and held.on + _RENEWED < on):
                fresh[name] = Known(state, on)
        if fresh != known:
            self._write(fresh)
        return changed

    def _read(self) -> dict[str, Known]:
        if self._known is None:
            self._known = self._parsed(self._objects.read(OBJECT))
        return self._known

    def _parsed(self, data: bytes | None) -> dict[str, Known]:
        if data is None:
            return {}
        try:
            told = _Object.model_validate_json(data)
        except ValidationError:
            self._shelf.damage(OBJECT, "it is cut or changed")
            return {}
        if (told.version, told.organisation) != (_VERSION, self._organisation):
            self._shelf.damage(OBJECT, "it belongs to something else")
            return {}
        return told.known

    def _write(self, known: dict[str, Known]) -> None:
        lines = [
            f"  {json.dumps(name)}: {json.dumps([one.state, one.on.isoformat()])}"
            for name, one in sorted(known.items())
        ]
        head = f'{{"version": {_VERSION}, "organisation": {json.dumps(self._organisation)}, "known": {{\n'
        self._shelf.replace(OBJECT, (head + ",\n".join(lines) + "\n}}\n").encode("ascii"))
        self._known = known
