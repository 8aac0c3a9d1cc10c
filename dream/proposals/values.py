"""What a consolidation by hand proposes: items that a person marks, each with all that it takes to do it exactly."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

VERSION = 1
_ID = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedItem:
    """One change that is done whole or not at all.

    `title` is one line of Markdown made by code. `steps` are its operations, each naming lines by their place and never
    quoting them. `files` are the blob ids of every file that it read or touches, None for one that must not be there.
    """

    title: str
    steps: tuple[Mapping[str, Any], ...]
    files: Mapping[str, str | None]

    @property
    def id(self) -> str:
        """What it is called: a digest of what it does and to what, so that no other is taken for it."""
        said = json.dumps([self.title, self.steps, dict(self.files)], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:_ID]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """All that is proposed for the folder `memory`, made on a day; `organisation` is whose models ruled, or empty."""

    made: date
    memory: str
    organisation: str = ""
    items: tuple[ProposedItem, ...] = ()

    @property
    def payload(self) -> dict[str, Any]:
        """It as JSON values, without its digest."""
        return {
            "version": VERSION,
            "made": self.made.isoformat(),
            "memory": self.memory,
            "organisation": self.organisation,
            "items": [
                {"id": item.id, "title": item.title, "files": dict(item.files), "steps": list(item.steps)}
                for item in self.items
            ],
        }

    @property
    def digest(self) -> str:
        """A digest over everything in it."""
        return digest_of(self.payload)


def digest_of(payload: Mapping[str, Any]) -> str:
    """Return the digest of JSON values in their canonical form."""
    return hashlib.sha256(json.dumps(payload, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
