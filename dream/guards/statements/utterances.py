"""What was said in a session, and by whom: the only place where evidence for a new statement is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from enum import StrEnum


class Speaker(StrEnum):
    """Who a text comes from, by the structure of what was read and never by its wording."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    HARNESS = "harness"
    RECALLED = "recalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One turn of one speaker in the thread `source`; offsets count code points of `text`, which is the source's own.

    `id` is unique within its thread. `cut` counts characters that a limit left out at the end; `withheld` is the reason
    why nobody was shown the text, empty where it was shown.
    """

    id: str
    source: str
    speaker: Speaker
    text: str
    at: datetime
    author: str = ""
    tool: str = ""
    cut: int = 0
    withheld: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What the session's own record says, so that no quote has to: names, and `day` in `zone`, but no other value."""

    day: date
    resource: str = ""
    repository: str = ""
    branch: str = ""
    pull_requests: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    zone: tzinfo = UTC

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that the record names."""
        named = (self.resource, self.repository, self.branch, *self.pull_requests, *self.files)
        return tuple(name for name in named if name)
