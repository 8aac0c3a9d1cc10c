"""Bare repositories served over `git http-backend` or `git daemon` on loopback, with faults to order."""

from __future__ import annotations

import base64
import gzip
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import cast

_LONGEST_HANG_SECONDS = 60


class Step(StrEnum):
    """The four requests that git makes of an http server."""

    READ_REFS = "read-refs"
    FETCH = "fetch"
    PUSH_REFS = "push-refs"
    PUSH = "push"


class Fault(StrEnum):
    """What a server can do instead of serving."""

    REFUSE = "refuse"
    """Answer 503."""
    FORBID = "forbid"
    """Answer 403."""
    MISSING = "missing"
    """Answer 404."""
    HANG = "hang"
    """Say nothing until the server is closed."""
    DROP = "drop"
    """Close the connection without having done anything."""
    CUT_ANSWER = "cut-answer"
    """Do what was asked, then close the connection without a word."""


_STATUS = {Fault.REFUSE: 503, Fault.FORBID: 403, Fault.MISSING: 404}
_SOMEBODY = {"GIT_COMMITTER_NAME": "somebody", "GIT_COMMITTER_EMAIL": "somebody@http.127.0.0.1"}
_SERVICES = frozenset({"git-upload-pack", "git-receive-pack"})
ANY_STEP = frozenset(Step)


@dataclass
class _Order:
    fault: Fault
    steps: frozenset[Step]
    times: int | None


class Served:
    """A folder of bare repositories behind an http address."""

    def __init__(self, folder: Path, *, login: tuple[str, str] | None = None, direct: bool = True) -> None:
        """Serve `folder`; with a `login`, only to requests that carry its name and secret.

        `direct` starts git's own ends of fetch and push here and not by `git http-backend`, and keeps what they say of
        themselves before they say anything of a repository: the same bytes from a third of the programs.
        """
        self.folder = folder
        self.login = login
        self.direct = direct
        self.delay_seconds = 0.0
        self.redirect_to: str | None = None
        """Where every request is sent instead, if anywhere."""
        self.before_push: Callable[[], None] | None = None
        """Called once before the next push is handed to git, in the server's thread."""
        self.before_step = Step.PUSH
        """The request that `before_push` waits for: PUSH_REFS comes before git has told where the branch stands."""
        self.requests: list[Step] = []
        self.closing = threading.Event()
        self.capabilities: dict[bytes, bytes] = {}
        """What git offers in a repository of these settings, which is all that it says at first."""
        self._orders: list[_Order] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.served = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def origin(self) -> str:
        """The address of the folder, without a final slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def url(self, name: str) -> str:
        """The address of the repository `<name>.git`."""
        return f"{self.origin}/{name}.git"

    def fail(self, fault: Fault, *, on: frozenset[Step] | Step = Step.PUSH, times: int | None = 1) -> None:
        """Order a fault for the next `times` requests of a kind; None: until `recover`."""
        steps = frozenset({on}) if isinstance(on, Step) else on
        with self._lock:
            self._orders.append(_Order(fault, steps, times))

    def recover(self) -> None:
        """Forget every fault that was ordered."""
        with self._lock:
            self._orders.clear()

    def fault_for(self, step: Step) -> Fault | None:
        """Return, and use up, what was ordered for a request."""
        with self._lock:
            self.requests.append(step)
            order = next((order for order in self._orders if step in order.steps), None)
            if order is None:
                return None
            if order.times is not None:
                order.times -= 1
                if order.times == 0:
                    self._orders.remove(order)
            return order.fault

    def take_before_push(self) -> Callable[[], None] | None:
        """Return, and forget, what is to happen before the push at hand."""
        with self._lock:
            action, self.before_push = self.before_push, None
            return action

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()

    def close(self) -> None:
        """Stop serving and let everything go that hangs."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serve(folder: Path, *, login: tuple[str, str] | None = None, direct: bool = True) -> Iterator[Served]:
    """Serve the bare repositories in `folder` over http for as long as the context lasts."""
    served = Served(folder, login=login, direct=direct)
    served.start()
    try:
        yield served
    finally:
        served.close()


@contextmanager
def serve_by_daemon(folder: Path) -> Iterator[str]:
    """Serve the bare repositories in `folder` over git's own protocol; yields the address of the folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = ["git", "daemon", "--reuseaddr", "--export-all", "--enable=receive-pack", f"--base-path={folder}"]
    with subprocess.Popen(
        [*command, "--listen=127.0.0.1", f"--port={port}", str(folder)], env=_environment(), stderr=subprocess.DEVNULL
    ) as process:
        try:
            _wait_for(port)
            yield f"git://127.0.0.1:{port}"
        finally:
            process.terminate()


def free_port() -> int:
    """Return a loopback port where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int) -> None:
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            time.sleep(0.01)
        else:
            return
    message = f"git daemon does not listen on port {port}"
    raise RuntimeError(message)


def _environment() -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "LC_ALL": "C",
    }


def _run(service: str, repository: Path, protocol: str, body: bytes, *, asks: bool) -> bytes:
    command = ["git", service.removeprefix("git-"), "--stateless-rpc", *(["--advertise-refs"] if asks else [])]
    environment = {**_environment(), "GIT_PROTOCOL": protocol, **_SOMEBODY}
    return subprocess.run([*command, repository], input=body, env=environment, capture_output=True, check=False).stdout


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    served: Served

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that goes away is part of the game."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing on standard error."""

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self._body())

    def _answer(self, body: bytes) -> None:
        served = self.server.served
        self.close_connection = True
        if not self._may_enter():
            self._plain(401, {"WWW-Authenticate": 'Basic realm="memory"'})
            return
        if served.redirect_to is not None:
            self._plain(302, {"Location": served.redirect_to + "/info/refs?service=git-upload-pack"})
            return
        step = self._step()
        fault = served.fault_for(step)
        if fault is Fault.DROP:
            return
        if fault is Fault.HANG:
            served.closing.wait(_LONGEST_HANG_SECONDS)
            return
        if fault in _STATUS:
            self._plain(_STATUS[fault], {})
            return
        time.sleep(served.delay_seconds)
        if step is served.before_step and (action := served.take_before_push()) is not None:
            action()
        answer = (self._direct(body) if served.direct else None) or self._backend(body)
        if fault is not Fault.CUT_ANSWER:
            self._pass_on(answer)

    def _step(self) -> Step:
        path, _, query = self.path.partition("?")
        pushes = path.endswith("/git-receive-pack") or "service=git-receive-pack" in query
        if path.endswith("/info/refs"):
            return Step.PUSH_REFS if pushes else Step.READ_REFS
        return Step.PUSH if pushes else Step.FETCH

    def _may_enter(self) -> bool:
        login = self.server.served.login
        if login is None:
            return True
        expected = base64.b64encode(":".join(login).encode()).decode()
        return self.headers.get("Authorization") == f"Basic {expected}"

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", "0")))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _backend(self, body: bytes) -> bytes:
        path, _, query = self.path.partition("?")
        environment = {
            **_environment(),
            "GIT_PROJECT_ROOT": str(self.server.served.folder),
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "somebody",
            "REMOTE_ADDR": "127.0.0.1",
        }
        return subprocess.run(
            ["git", "http-backend"], input=body, env=environment, capture_output=True, check=False
        ).stdout

    def _direct(self, body: bytes) -> bytes | None:
        """Answer as `git http-backend` would, whose part is written here; None for what is left to it."""
        path, _, query = self.path.partition("?")
        asks = path.endswith("/info/refs")
        service = query.removeprefix("service=") if asks else path.rpartition("/")[2]
        repository = self.server.served.folder / path.removesuffix("/info/refs" if asks else f"/{service}").lstrip("/")
        protocol = self.headers.get("Git-Protocol", "")
        if service not in _SERVICES or asks is not (self.command == "GET") or not (repository / "HEAD").is_file():
            return None
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if asks and (service, protocol) == ("git-upload-pack", "version=2"):
            answer = self._capabilities(repository)
        else:
            answer = _run(service, repository, protocol, body, asks=asks)
            if asks and protocol != "version=2":
                named = f"# service={service}\n"
                answer = f"{len(named) + 4:04x}{named}0000".encode() + answer
        kind = "advertisement" if asks else "result"
        return f"Content-Type: application/x-{service}-{kind}\r\nCache-Control: no-cache\r\n\r\n".encode() + answer

    def _capabilities(self, repository: Path) -> bytes:
        kept = self.server.served.capabilities
        settings = (repository / "config").read_bytes()
        if settings not in kept:
            kept[settings] = _run("git-upload-pack", repository, "version=2", b"", asks=True)
        return kept[settings]

    def _pass_on(self, answer: bytes) -> None:
        head, _, body = answer.partition(b"\r\n\r\n")
        fields = dict(
            cast("tuple[str, str]", line.split(": ", 1)) for line in head.decode().split("\r\n") if ": " in line
        )
        status = int(fields.pop("Status", "200 OK").split(" ", 1)[0])
        self._plain(status, fields, body)

    def _plain(self, status: int, fields: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {**fields, "Content-Length": str(len(body)), "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
