"""A server of the protocol of 2025-11-25, written by hand, which can be told to misbehave: `WAY [FAULT]`.

WAY is `stdio` or the port of streamable HTTP. Nothing but the standard library, so that it starts at once.
"""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

PROTOCOL = "2025-11-25"
FOREVER = 3_600
FLOOD = 200_000


class Server:
    """The answers to messages, and what goes wrong with them."""

    def __init__(self, fault: str, *, by_lines: bool) -> None:
        self.fault = fault
        self.by_lines = by_lines
        self.lists = 0

    def answers(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        method, number = message.get("method"), message.get("id")
        if number is None or method is None:
            self.note(message)
            return
        if self.fault == f"hang-{method}":
            time.sleep(FOREVER)
        if self.fault == f"end-{method}":
            os._exit(3)
        if method == "initialize":
            yield result(number, self.initialized())
        elif method == "tools/list":
            yield from self.listed(number, message.get("params") or {})
        elif method == "tools/call":
            self.note(message)
            yield from self.called(number, message["params"])
        elif self.fault == "input-required" and method == "server/discover":
            yield result(number, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, **COMPLETE})
        elif self.fault != "silent-server/discover":
            yield {"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": f"no method {method}"}}

    def initialized(self) -> dict[str, Any]:
        info = {"name": "before\x1b[31m", "version": "1"}
        return {"protocolVersion": PROTOCOL, "capabilities": {"tools": {}}, "serverInfo": info}

    def listed(self, number: object, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self.lists += 1
        held = [tool("replicas", readOnlyHint=True), tool("wipe", readOnlyHint=True), tool("silent")]
        if self.fault == "other-schema":
            held[0]["inputSchema"]["properties"]["also"] = {"type": "string"}
        if self.fault == "no-longer-read-only":
            held[0]["annotations"] = {"readOnlyHint": False}
        if self.fault == "twice":
            held.append(tool("replicas", readOnlyHint=True))
        if self.fault == "slow-pattern":
            held[0]["outputSchema"] = {"type": "object", "properties": {"said": {"pattern": "^(a+)+$"}}}
        listing: dict[str, Any] = {"tools": held}
        if self.fault == "endless-pages":
            listing = {"tools": [], "nextCursor": f"{params.get('cursor', '')}x"}
        if self.fault == "input-required":
            listing |= COMPLETE
        yield result(number, listing)

    def called(self, number: object, params: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if self.fault == "floods-errors":
            sys.stderr.write("x" * 5_000_000)
        yield from before(self.fault, (params.get("_meta") or {}).get("progressToken", number))
        text = {"content": [{"type": "text", "text": "x" * 50_000_000}]} if self.fault == "huge" else None
        error = {"code": -32603, "message": "bad\x1b[31m day"}
        for _ in range(3 if self.fault == "asks-back" and self.by_lines else 0):
            self.note(json.loads(sys.stdin.readline()))
        odd: dict[str, dict[str, Any]] = {
            "huge": result(number, text or {}),
            "not-of-the-protocol": result(number, {"content": "nothing"}),
            "input-required": result(number, {"resultType": "input_required", "content": [], "inputRequests": {}}),
            "protocol-error": {"jsonrpc": "2.0", "id": number, "error": error},
            "slow-pattern": result(number, {"content": [], "structuredContent": {"said": "a" * 40 + "!"}}),
        }
        plain = result(number, {"content": [], "structuredContent": {"name": "orders-api", "replicas": 7}})
        yield odd.get(self.fault, plain)

    def note(self, message: dict[str, Any]) -> None:
        """Leave every call, and every answer to a question of this server, where a test reads it."""
        if trace := os.environ.get("TRACE"):
            with Path(trace).open("a", encoding="utf-8") as file:
                file.write(json.dumps(message) + "\n")


COMPLETE = {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}
SAMPLE = {"messages": [], "maxTokens": 9, "message": "who?", "requestedSchema": {"type": "object", "properties": {}}}


def before(fault: str, token: object) -> Iterator[dict[str, Any]]:
    """What is said before the answer of a call."""
    match fault:
        case "asks-back":
            for asked in ("sampling/createMessage", "elicitation/create", "roots/list"):
                yield {"jsonrpc": "2.0", "id": f"q-{asked}", "method": asked, "params": SAMPLE}
        case "floods-notifications" | "floods-forever":
            for _ in range(FLOOD if fault == "floods-notifications" else 10**9):
                yield notice("notifications/message", {"level": "info", "data": "x" * 100})
        case "floods-progress":
            for step in range(FLOOD):
                yield notice("notifications/progress", {"progressToken": token, "progress": step})
        case "changes-tools":
            yield notice("notifications/tools/list_changed", {})


def tool(name: str, **annotations: bool) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    return {"name": name, "inputSchema": schema, **({"annotations": annotations} if annotations else {})}


def result(number: object, held: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": held}


def notice(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def serve_stdio(server: Server) -> None:
    """Answer line by line."""
    if server.fault == "hang-connect":
        time.sleep(FOREVER)
    if server.fault == "never-ends":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({FOREVER})"])
        Path(os.environ["TRACE"]).write_text(f"{os.getpid()} {child.pid}", encoding="utf-8")
    if server.fault == "garbage":
        say("starting up …\n{not json}\n[]\n" + "\x00" * 50)
    if server.fault == "endless-line":
        while True:
            sys.stdout.write("x" * 100_000)
    for line in sys.stdin:
        for answer in server.answers(json.loads(line)):
            say(json.dumps(answer))
    if server.fault == "never-ends":
        time.sleep(FOREVER)


def serve_http(server: Server, port: int) -> None:
    """Answer POSTs, with an event stream where there is more than one message."""
    with ThreadingHTTPServer(("127.0.0.1", port), handler(server)) as web:
        say("ready")
        web.serve_forever()


def plain(to: BaseHTTPRequestHandler, status: int, fields: dict[str, str], body: bytes) -> None:
    to.send_response(status)
    for name, value in {**fields, "Content-Length": str(len(body))}.items():
        to.send_header(name, value)
    to.end_headers()
    to.wfile.write(body)


def handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
            """Say nothing."""

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.note(dict(self.headers))
            if server.fault in ODD:
                plain(self, *ODD[server.fault]())
            elif message.get("method") == "tools/call":
                self.stream(server.answers(message))
            else:
                told = b"".join(json.dumps(answer).encode() for answer in server.answers(message))
                plain(self, 200 if told else 202, {"Content-Type": JSON, "Mcp-Session-Id": "s1"}, told)

        def do_GET(self) -> None:
            plain(self, 405, {}, b"")

        def do_DELETE(self) -> None:
            time.sleep(FOREVER if server.fault == "hang-close" else 0)
            plain(self, 200, {}, b"")

        def stream(self, answers: Iterator[dict[str, Any]]) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for answer in answers:
                self.wfile.write(f"event: message\ndata: {json.dumps(answer)}\n\n".encode())

    return Handler


JSON = "application/json"
HTML = {"Content-Type": "text/html"}
ODD: dict[str, Callable[[], tuple[int, dict[str, str], bytes]]] = {
    "redirects": lambda: (307, {"Location": os.environ["ELSEWHERE"]}, b""),
    "redirects-here": lambda: (307, {"Location": "/again"}, b""),
    "denies": lambda: (401, {}, b""),
    "breaks": lambda: (503, HTML, b"<html>"),
    "html": lambda: (200, HTML, b"<html>"),
    "zipped": lambda: (200, {"Content-Encoding": "gzip", "Content-Type": JSON}, gzip.compress(b" " * 50_000_000)),
}
"""What a server says to every POST, whatever it is."""


def main(way: str, fault: str = "") -> None:
    serve: Callable[[Server], None] = serve_stdio if way == "stdio" else lambda server: serve_http(server, int(way))
    if fault.startswith("later-"):  # from the second session on, which finds the trace of the first
        fault = fault.removeprefix("later-") if Path(os.environ["TRACE"]).exists() else ""
    serve(Server(fault, by_lines=way == "stdio"))


if __name__ == "__main__":
    main(*sys.argv[1:])
