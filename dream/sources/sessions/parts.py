"""What one file says of one session, before files are put together."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime

from dream.sources.sessions.limits import ReadingLimits
from dream.sources.sessions.values import Message, Role, Summary


@dataclass(slots=True, kw_only=True)
class Part:
    """One file's share of a session, as it is being read."""

    id: str
    tool: str
    path: str = ""
    title: str = ""
    cwd: str = ""
    folder: str = ""
    branch: str = ""
    repositories: list[str] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    pull_requests: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    seen: Counter[str] = field(default_factory=Counter)

    def add(  # the fields of a message, as a format gives them
        self,
        *,
        name: str,
        at: datetime,
        role: Role,
        text: str,
        limits: ReadingLimits,
        tool: str = "",
        author: str = "",
        command: str = "",
        exit_code: int | None = None,
        failed: bool = False,
        edits: str = "",
        diff: str = "",
    ) -> None:
        """Append a message; one without a `name` is given one made of its instant, its role and its text."""
        most = limits.printed if command else limits.captured
        if role is Role.PERSON or role is Role.AGENT:
            most = limits.spoken
        kept = text[:most]
        self.messages.append(
            Message(
                id=self._unique(name or derived_id(at, role, kept)),
                at=at,
                role=role,
                text=kept,
                author=author if role is Role.PERSON else "",
                tool=tool,
                cut=len(text) - len(kept),
                command=command[: limits.captured],
                exit_code=exit_code,
                failed=failed,
                edits=edits[: limits.path],
                diff=diff[: limits.captured],
            )
        )

    def _unique(self, name: str) -> str:
        earlier = self.seen.get(name, 0)
        self.seen[name] = earlier + 1
        return f"{name}/{earlier}" if earlier else name


@dataclass(slots=True, kw_only=True)
class FileReading:
    """What became of one file: parts and summaries, or `refused` with the reason, and what was left out of it."""

    parts: list[Part] = field(default_factory=list)
    summaries: list[Summary] = field(default_factory=list)
    refused: str = ""
    left_out: Counter[str] = field(default_factory=Counter)


def derived_id(at: datetime, role: Role, text: str) -> str:
    """Return an id for a message that its tool gave none, equal wherever the same message is found."""
    told = f"{at.isoformat()}\n{role}\n{text}"
    return "m" + hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:20]
