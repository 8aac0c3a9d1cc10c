"""The numbers of a session with an MCP server, as a mechanism has them that is told no others."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """How often a session is opened again, and how long one may take to end.

    After so many `deaths` of sessions in a row no other is opened. A program has `leaving_seconds` to end by itself
    when it is no longer needed; whatever else has to end is waited for `grace_seconds`, twice at the most.
    """

    deaths: int = 3
    leaving_seconds: float = 0.5
    grace_seconds: float = 1.0
