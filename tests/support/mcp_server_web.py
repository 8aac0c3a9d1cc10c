"""The server of `mcp_server_previous` over streamable HTTP, in a thread of this process: it is there at once."""

from __future__ import annotations

import gzip
import itertools
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.mcp_server_previous import Server


class WebServer:
    """A server at a port of loopback; what it was sent is in `headers`, and its sessions in `begun`."""

    def __init__(self, fault: str = "", *, port: int = 0, trace: Path | None = None, elsewhere: str = "") -> None:
        self.fault, self.elsewhere = fault, elsewhere
        self.server = Server(fault, trace=trace)
        self.headers: list[dict[str, str]] = []
        self.begun: list[str] = []
        self.known: set[str] = set()
        self.leaving = threading.Event()
        self.web = _Quiet(("127.0.0.1", port), _Handler, self)
        self.port = self.web.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"

    def begin(self) -> str:
        self.begun.append(f"s{next(_NUMBERS)}")
        if self.fault != "forgets":
            self.known.add(self.begun[-1])
        return self.begun[-1]

    def close(self) -> None:
        self.leaving.set()
        self.web.shutdown()
        self.web.server_close()


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler], of: WebServer) -> None:
        self.of = of
        super().__init__(address, handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of who went away."""


_NUMBERS = itertools.count(1)


@contextmanager
def running(fault: str = "", *, port: int = 0, trace: Path | None = None, elsewhere: str = "") -> Iterator[WebServer]:
    """Run a server and yield it."""
    server = WebServer(fault, port=port, trace=trace, elsewhere=elsewhere)
    thread = threading.Thread(target=server.web.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def of(self) -> WebServer:
        assert isinstance(self.server, _Quiet)
        return self.server.of

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method = message.get("method")
        self.of.headers.append(dict(self.headers))
        if self.of.fault == f"hang-{method}":
            self.of.leaving.wait()
        if self.of.leaving.is_set():  # who keeps a connection open is not answered by a server that has ended
            self.close_connection = True
        elif self.of.fault in ODD:
            self.plain(*ODD[self.of.fault](self.of))
        elif method == "initialize":
            self.whole(message, {"Mcp-Session-Id": self.of.begin()})
        else:
            self.go_on(message)

    def go_on(self, message: dict[str, Any]) -> None:
        if self.of.fault == "errors-of-none" and message.get("method") == "server/discover":
            error = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "no session"}}
            self.plain(400, {"Content-Type": JSON}, json.dumps(error).encode())
        elif self.headers["Mcp-Session-Id"] not in {None, *self.of.known}:
            self.plain(404, {}, b"")
        elif message.get("method") == "tools/call" and self.of.fault != "late-whole":
            self.stream(message)
        else:
            self.whole(message, {})

    def do_GET(self) -> None:
        self.of.headers.append(dict(self.headers))
        if self.of.fault != "spins":
            self.plain(404 if self.of.fault == "no-stream" else 405, {}, b"")
            return
        self.plain(200, {"Content-Type": "text/event-stream"}, b"retry: 0\ndata:\n\n")

    def do_DELETE(self) -> None:
        if self.of.fault == "hang-close":
            self.of.leaving.wait()
        self.plain(200, {}, b"")

    def plain(self, status: int, fields: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**fields, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def whole(self, message: dict[str, Any], fields: dict[str, str]) -> None:
        if self.of.fault == "late-whole" and message.get("method") == "tools/call":
            self.of.server.fault = "late"
        told = next((json.dumps(answer).encode() for answer in self.of.server.answers(message)), b"")
        self.plain(200 if told else 202, {"Content-Type": JSON, **fields}, told)

    def stream(self, message: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for answer in self.of.server.answers(message):
            self.wfile.write(f"event: message\ndata: {json.dumps(answer)}\n\n".encode())


JSON = "application/json"
HTML = {"Content-Type": "text/html"}
ODD: dict[str, Callable[[WebServer], tuple[int, dict[str, str], bytes]]] = {
    "redirects": lambda server: (307, {"Location": server.elsewhere}, b""),
    "redirects-here": lambda _: (307, {"Location": "/again"}, b""),
    "denies": lambda _: (401, {}, b""),
    "breaks": lambda _: (503, HTML, b"<html>"),
    "html": lambda _: (200, HTML, b"<html>"),
    "zipped": lambda _: (200, {"Content-Encoding": "gzip", "Content-Type": JSON}, gzip.compress(b" " * 5_000_000)),
}
"""What a server says to every POST, whatever it is."""
