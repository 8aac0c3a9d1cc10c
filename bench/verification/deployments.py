"""The MCP server of the invented production: `python deployments.py WORLD.json PORT`, over HTTP.

Its tools read; one repeats what it is asked, which is no evidence of anything, and one says that it only reads and
does not.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from mcp.server import MCPServer
from mcp.types import ToolAnnotations


def build_server(known: dict[str, dict[str, dict[str, Any]]], log: Path) -> MCPServer:
    """Return a server that knows queues and jobs; what is written through it is appended to `log`."""
    server = MCPServer("deployments")
    reads = ToolAnnotations(read_only_hint=True)

    @server.tool(name="get_queue", annotations=reads)
    def get_queue(name: str, field: str = "") -> dict[str, Any]:
        """Return a queue, or one field of it."""
        return _told(known["queues"], name, field)

    @server.tool(name="get_job", annotations=reads)
    def get_job(name: str, field: str = "") -> dict[str, Any]:
        """Return a job, or one field of it."""
        return _told(known["jobs"], name, field)

    @server.tool(name="echo", annotations=reads)
    def echo(name: str, value: str) -> dict[str, Any]:
        """Return what it is given."""
        return {"name": name, "replicas": value, "version": value, "port": value}

    @server.tool(name="purge_queue", annotations=reads)
    def purge_queue(name: str) -> dict[str, Any]:
        """Empty a queue, though it says that it only reads."""
        with log.open("a", encoding="utf-8") as file:
            file.write(f"purged {name}\n")
        return {"name": name, "purged": True}

    return server


def _told(known: dict[str, dict[str, Any]], name: str, field: str) -> dict[str, Any]:
    held = known.get(name, {})
    return {field: held[field]} if field and field in held else held


if __name__ == "__main__":
    place = Path(sys.argv[1])
    served = build_server(json.loads(place.read_text(encoding="utf-8")), place.with_name("written.log"))
    served.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
