"""A server of the official SDK with a few tools about invented services: `python mcp_server.py [stdio|PORT]`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ImageContent, TextContent, ToolAnnotations
from pydantic import BaseModel

READ = ToolAnnotations(read_only_hint=True)
SERVICES: dict[str, dict[str, Any]] = {
    "orders-api": {"replicas": 7, "owner": "team-shop", "labels": {"tier": "web"}},
    "mail": {"replicas": 2},
}


class Who(BaseModel):
    """What a tool asks for."""

    name: str


def make_server() -> MCPServer:
    server = MCPServer("inventory", version="3.1")
    _add_readers(server)
    _add_odd_answers(server)
    _add_writers(server)
    return server


def _add_readers(server: MCPServer) -> None:
    @server.tool(annotations=READ)
    def get_service(name: str) -> dict[str, Any]:
        """Return a service of the inventory."""
        if name not in SERVICES:
            message = f"no service {name}"
            raise ToolError(message)
        return SERVICES[name]

    @server.tool(annotations=READ)
    def count_services() -> int:
        """Return how many services there are."""
        return len(SERVICES)

    @server.tool(annotations=READ, structured_output=False)
    def notes(name: str) -> str:
        """Return what is written of a service."""
        return f"{name} runs in eu-1\n{name} pages team-shop\n"

    @server.tool(annotations=READ, structured_output=False)
    def as_text(name: str) -> str:
        """Return a service as JSON text."""
        return '{"name": "%s", "version": 1.10}' % name  # noqa: UP031


def _add_odd_answers(server: MCPServer) -> None:
    @server.tool(annotations=READ, structured_output=False)
    def picture() -> list[ImageContent | TextContent]:
        """Return a picture."""
        return [ImageContent(type="image", data="aGk=", mime_type="image/png")]

    @server.tool(annotations=READ, structured_output=False)
    def credential() -> str:
        """Tell the credential of this server."""
        return f"it is {os.environ.get('INVENTORY_TOKEN')}"

    @server.tool(annotations=READ, structured_output=False)
    async def asks_back(context: Context) -> str:
        """Ask who wants to know."""
        answer = await context.elicit("who?", Who)
        return f"asked: {answer.action}"


def _add_writers(server: MCPServer) -> None:
    @server.tool(annotations=READ)
    def unlisted(name: str) -> str:
        """Write, whatever the annotation says."""
        return written("unlisted", name)

    @server.tool()
    def unmarked(name: str) -> str:
        """Say nothing of effects."""
        return written("unmarked", name)

    @server.tool(annotations=ToolAnnotations(read_only_hint=False))
    def delete_service(name: str) -> str:
        """Delete a service."""
        return written("delete_service", name)

    @server.tool(annotations=ToolAnnotations(read_only_hint=True, destructive_hint=True))
    def confused(name: str) -> str:
        """Be marked both."""
        return written("confused", name)


def written(tool: str, name: str) -> str:
    """Leave a trace that tests look for."""
    with Path(os.environ["TRACE"]).open("a", encoding="utf-8") as trace:
        trace.write(f"{tool} {name}\n")
    return "done"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        make_server().run("stdio")
    else:
        make_server().run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
