"""The tools of a server that may be called: those that an organisation names and the server marks read-only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from dream.sources.production.fields import printable
from dream.sources.production.port import Operation

_FORM = 300
_MEANING = 300
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as the server describes it; `fingerprint` changes with anything of that."""

    name: str
    description: str
    schema: Mapping[str, Any]
    read_only: bool
    destructive: bool
    fingerprint: str

    def objection(self, allowed: Collection[str]) -> str:
        """Return why it may not be called, "" where it may."""
        if self.name not in allowed:
            return not_allowed(self.name, allowed)
        if not self.read_only:
            return f"the server does not mark {printable(self.name)[:80]} read-only"
        return f"the server marks {printable(self.name)[:80]} destructive" if self.destructive else ""

    def operation(self) -> Operation:
        """Return it as a way to ask, in the server's words, bounded and in one line."""
        properties = self.schema.get("properties")
        known = list(properties) if isinstance(properties, Mapping) else []
        form = "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: …" for name in known) + "}"
        return Operation(
            name=self.name,
            form=printable(form)[:_FORM],
            meaning=printable(" ".join(self.description.split()))[:_MEANING],
        )


def not_allowed(name: str, allowed: Collection[str]) -> str:
    """Return that a tool may not be called, with those that may."""
    names = ", ".join(printable(one)[:80] for one in list(allowed)[:_MOST_NAMED]) or "no tool is named under tools"
    return f"{printable(name)[:80]} is none of the tools that may be called: {names}"


def read_tool(listed: Mapping[str, Any]) -> Tool:
    """Return a tool of a listing; what it leaves open of its effects counts against it."""
    annotations = listed.get("annotations")
    hints = annotations if isinstance(annotations, Mapping) else {}
    schema = listed.get("inputSchema")
    description = listed.get("description")
    return Tool(
        name=str(listed.get("name")),
        description=description if isinstance(description, str) else "",
        schema=schema if isinstance(schema, Mapping) else {},
        read_only=hints.get("readOnlyHint") is True,
        destructive=hints.get("destructiveHint") is True,
        fingerprint=hashlib.sha256(json.dumps(listed, sort_keys=True).encode()).hexdigest(),
    )
