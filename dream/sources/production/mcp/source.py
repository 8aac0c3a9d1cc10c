"""Where an MCP server is, what of it may be called, and what it is given."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class McpSource:
    """A server by its `url` (streamable HTTP) or by the `command` that starts it.

    `tools` are those that may be called. Of the variables of this process a command is given those that `environment`
    names, and its credential in `credential_variable`. Only where it is `internal` may a url be in this network.
    """

    name: str
    url: str = ""
    command: tuple[str, ...] = ()
    credential_variable: str = ""
    environment: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    internal: bool = False
