"""An MCP server as a probe: only tools that the organisation names and the server marks read-only are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dream.sources.production.fields import printable
from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.answers import read_result
from dream.sources.production.mcp.keeper import Keeper
from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.mcp.source import McpSource
from dream.sources.production.mcp.tools import not_allowed
from dream.sources.production.networks import Resolve, allowed_addresses
from dream.sources.production.port import Answer, Down, Nothing, Operation, Proof, Refused
from dream.sources.strict_json import BadJSONError, parse_json

if TYPE_CHECKING:
    from dream.sources.production.mcp.sessions import Server, Way

_LONGEST = 10_000
_PORTS = {"http": 80, "https": 443}
_NOT_ALLOWED = "a-tool-that-nobody-allowed"


class McpProbe:
    """An MCP server that is asked in one session, from the first question until `close`; nothing of it raises.

    `environment` are the variables of this process, of which a command is given those that its source names. That a
    tool which is marked read-only writes nothing cannot be known: the list of tools is the operator's word for it.
    """

    def __init__(
        self,
        source: McpSource,
        *,
        secret: str = "",
        environment: Mapping[str, str] | None = None,
        limits: ProbeLimits | None = None,
        sessions: SessionLimits | None = None,
        resolve: Resolve | None = None,
    ) -> None:
        """Take where it is; it is not asked anything yet."""
        self._source = source
        self._secret = secret
        self._environment = environment or {}
        self._limits = limits or ProbeLimits()
        self._resolve = resolve
        self._keeper = Keeper(self._way, limits=self._limits, sessions=sessions or SessionLimits())
        self._listed: Server | None = None
        self._asked = False

    @property
    def name(self) -> str:
        """How the organisation calls it."""
        return self._source.name

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The tools that may be called, as the server describes them; none while it cannot be asked."""
        if self._listed is None and not self._asked:
            self._asked = True
            self._list()
        if self._listed is None:
            return ()
        return tuple(tool.operation() for tool in self._listed.tools if not tool.objection(self._source.tools))

    def objection(self, operation: str, text: str) -> str:
        """Return why a question may not be put, "" where it may; the server itself is not asked."""
        if operation not in self._source.tools:
            return not_allowed(operation, self._source.tools)
        return "" if _arguments(text) is not None else "the arguments are no JSON object"

    def ask(self, operation: str, text: str) -> Answer:
        """Return what a tool answers to arguments, a JSON object; "" for none."""
        arguments = _arguments(text)
        objection = self.objection(operation, text)
        if objection or arguments is None:
            return Refused(objection)
        from dream.sources.production.mcp.sessions import call  # noqa: PLC0415 - a second that only its users pay

        replied = self._keeper.ask(call(operation, arguments, lambda server: self._objection_to(server, operation)))
        if isinstance(replied, Down | Nothing | Refused):
            return replied
        if not isinstance(replied, Mapping):
            return Down("it gave no answer")
        answer = read_result(replied, arguments, self._limits)
        return (
            Refused("its answer holds its own credential") if self._secret and self._secret in str(answer) else answer
        )

    def close(self) -> None:
        """End the session and every process of it; whoever asks afterwards is told that it was closed."""
        self._keeper.close()

    def examine(self) -> tuple[Proof, ...]:
        """Return what the server is, which tools may be called, which are missing, and that no other is called."""
        refused = self.ask(_NOT_ALLOWED, "{}")
        last = Proof(
            tried="call a tool that is not allowed",
            sound=isinstance(refused, Refused) and _NOT_ALLOWED not in self._source.tools,
            seen=getattr(refused, "reason", "it was called"),
        )
        server = self._list()
        if isinstance(server, Down | Refused):
            return (Proof(tried="list its tools", sound=False, seen=server.reason), last)
        told = f"{server.name or 'unnamed'} {server.version}".strip()
        callable_tools = [tool.name for tool in server.tools if not tool.objection(self._source.tools)]
        proofs = [
            Proof(
                tried="list its tools",
                sound=True,
                seen=f"{told}, protocol {server.protocol}; may be called: {', '.join(callable_tools) or 'none'}",
            )
        ]
        if not self._source.tools:
            seen = "no tool may be called, so that it is never asked: name some under tools"
            proofs.append(Proof(tried="call a tool", sound=False, seen=seen))
        for name in self._source.tools:
            tool = server.tool(name)
            reason = "the server has no one tool of that name" if tool is None else tool.objection(self._source.tools)
            if reason:
                proofs.append(Proof(tried=f"call {printable(name)[:80]}", sound=False, seen=reason))
        return (*proofs, last)

    def _list(self) -> Server | Down | Refused:
        from dream.sources.production.mcp.sessions import Server, describe  # noqa: PLC0415

        found = self._keeper.ask(describe)
        if isinstance(found, Server):
            self._listed = self._listed or found
            return found
        if isinstance(found, Nothing):
            return Refused(found.reason)
        return found if isinstance(found, Down | Refused) else Down("it did not say what it offers")

    def _objection_to(self, server: Server, name: str) -> str:
        """Return why a tool may not be called; the first listing of the night is what later ones are compared with."""
        self._listed = self._listed or server
        tool, known = server.tool(name), self._listed.tool(name)
        if tool is None:
            return f"the server has no one tool {printable(name)[:80]}"
        if known is not None and known.fingerprint != tool.fingerprint:
            return f"{printable(name)[:80]} is not what it was when it was listed first"
        return tool.objection(self._source.tools)

    def _way(self) -> Way | Down | Refused:
        from dream.sources.production.mcp.sessions import Way  # noqa: PLC0415

        source, seconds = self._source, self._limits.seconds
        if source.command:
            given = {name: self._environment[name] for name in source.environment if name in self._environment}
            if source.credential_variable and self._secret:
                given[source.credential_variable] = self._secret
            return Way(command=source.command, environment=given, seconds=seconds)
        try:
            parts = urlsplit(source.url)
            host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:
            return Refused("its address is none")
        if parts.scheme not in _PORTS or not host or "@" in parts.netloc:
            return Refused("its address is none of a web server")
        addresses = allowed_addresses(host, port, internal=source.internal, seconds=seconds, resolve=self._resolve)
        if not isinstance(addresses, tuple):
            return addresses
        return Way(url=source.url, secret=self._secret, addresses=addresses, seconds=seconds)


def _arguments(text: str) -> dict[str, Any] | None:
    if not text.strip():
        return {}
    if len(text) > _LONGEST:
        return None
    try:
        value = parse_json(text.encode("utf-8", "replace"))
    except BadJSONError:
        return None
    return value if isinstance(value, dict) else None
