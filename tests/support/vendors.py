"""A loopback server that speaks the protocols of both vendors of models, and says what a test tells it to.

with vendor_server(lambda request: said(request, '{"word": "yes"}')) as server:
    OpenAIModel(model="m", key="k", secret=b"s", base_url=server.openai)
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

_LONGEST_WAIT_SECONDS = 60


class Drop(StrEnum):
    """Where a connection is cut."""

    BEFORE_HEADERS = "before-headers"
    BEFORE_BODY = "before-body"
    IN_BODY = "in-body"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a client sent: names of headers in lower case, the body decoded where there is one."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any = None

    @property
    def system(self) -> str:
        """The fixed words of the question, under any protocol."""
        match self.body:
            case {"instructions": str(words)}:
                return words
            case {"system": [{"text": str(words)}, *_]}:
                return words
            case {"messages": [{"role": "system", "content": str(words)}, *_]}:
                return words
            case _:
                return ""

    @property
    def text(self) -> str:
        """The rest of the question, under any protocol."""
        match self.body:
            case {"input": str(words)}:
                return words
            case {"messages": [*_, {"role": "user", "content": str(words)}]}:
                return words
            case _:
                return ""

    @property
    def schema(self) -> Any:
        """The schema of the reply that is asked for, under any protocol."""
        match self.body:
            case {"text": {"format": {"schema": schema}}}:
                return schema
            case {"response_format": {"json_schema": {"schema": schema}}}:
                return schema
            case {"output_config": {"format": {"schema": schema}}}:
                return schema
            case _:
                return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What the server sends; with `pause_seconds` one byte at a time, with `drop` not to the end."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/json"})
    pause_seconds: float = 0.0
    first_pause_seconds: float = 0.0
    drop: Drop | None = None


Answer = Callable[[Request], Response]


def openai_text(
    text: str,
    *,
    status: str = "completed",
    incomplete: str | None = None,
    failed: str | None = None,
    refusal: str = "",
    usage: Mapping[str, Any] | None = None,
    is_counted: bool = True,
) -> Response:
    """Return a *response* of OpenAI; by default 100 tokens in (20 cached, 30 written to the cache), 10 out."""
    part = (
        {"type": "refusal", "refusal": refusal} if refusal else {"type": "output_text", "text": text, "annotations": []}
    )
    counted = usage or {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 30},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 110,
    }
    return of_json(
        {
            "id": "resp_1",
            "object": "response",
            "created_at": 1_790_000_000,
            "model": "m",
            "status": status,
            "incomplete_details": {"reason": incomplete} if incomplete else None,
            "error": {"code": failed, "message": "it failed"} if failed else None,
            "output": [
                {"type": "reasoning", "id": "rs_1", "summary": []},
                {"type": "message", "id": "msg_1", "role": "assistant", "status": status, "content": [part]},
            ],
            **({"usage": counted} if is_counted else {}),
        }
    )


def chat_text(
    text: str,
    *,
    finish_reason: str | None = "stop",
    refusal: str | None = None,
    usage: Mapping[str, Any] | None = None,
    is_counted: bool = True,
) -> Response:
    """Return a *chat completion*; by default 100 tokens in, 20 of them cached, 10 out."""
    counted = usage or {
        "prompt_tokens": 100,
        "prompt_tokens_details": {"cached_tokens": 20},
        "completion_tokens": 10,
        "total_tokens": 110,
    }
    message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
    return of_json(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_790_000_000,
            "model": "m",
            "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
            **({"usage": counted} if is_counted else {}),
        }
    )


def anthropic_text(
    text: str,
    *,
    stop_reason: str | None = "end_turn",
    category: str | None = None,
    usage: Mapping[str, Any] | None = None,
    is_counted: bool = True,
) -> Response:
    """Return a *message* of Anthropic; by default 50 tokens in, 20 more cached and 30 written to the cache, 10 out."""
    counted = usage or {
        "input_tokens": 50,
        "cache_read_input_tokens": 20,
        "cache_creation_input_tokens": 30,
        "output_tokens": 10,
    }
    return of_json(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": text}],
            "stop_reason": stop_reason,
            "stop_details": {"type": "refusal", "category": category} if category else None,
            **({"usage": counted} if is_counted else {}),
        }
    )


def said(request: Request, text: str) -> Response:
    """Return `text` as the answer to `request`, under the protocol that it is in."""
    for suffix, build in (("/responses", openai_text), ("/chat/completions", chat_text), ("/messages", anthropic_text)):
        if request.path.endswith(suffix):
            return build(text)
    return error(404, kind="not_found_error")


def error(
    status: int,
    *,
    kind: str | None = None,
    code: str | None = None,
    param: str | None = None,
    message: str = "it went wrong",
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return an error in a body that is right for both vendors; `headers` are added (`Retry-After`)."""
    body = {"type": "error", "error": {"type": kind, "code": code, "param": param, "message": message}}
    response = of_json(body)
    return replace(response, status=status, headers={**response.headers, **(headers or {})})


def of_json(body: object) -> Response:
    """Return `body` as JSON."""
    return Response(body=json.dumps(body).encode())


def html(status: int = 200, *, content_type: str = "text/html") -> Response:
    """Return a page, as gateways answer with."""
    return Response(
        body=b"<!doctype html><title>Sign in</title>", status=status, headers={"Content-Type": content_type}
    )


def slowly(response: Response, *, pause_seconds: float = 0.05) -> Response:
    """Return `response` sent one byte at a time."""
    return replace(response, pause_seconds=pause_seconds)


def dropped(where: Drop, response: Response | None = None) -> Response:
    """Return `response` cut off at `where`."""
    return replace(response or openai_text("{}"), drop=where)


def in_turn(responses: Sequence[Response]) -> Answer:
    """Return an answer that gives `responses` one after the other."""
    left = list(responses)
    return lambda _request: left.pop(0)


def has_model(_request: Request) -> Response:
    """Return what a vendor says of a model that it has."""
    return of_json({"id": "m", "object": "model", "type": "model", "created": 1, "owned_by": "v", "display_name": "M"})


class VendorServer:
    """A server that is running: its addresses, and every request in the order of arrival."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.openai = f"{self.url}/v1"
        self.anthropic = self.url
        self.requests: list[Request] = []
        self.broken: list[Exception] = []

    @property
    def questions(self) -> list[Request]:
        """The requests that a vendor charges for."""
        return [request for request in self.requests if request.method == "POST"]


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    # Many clients at once would else be refused, or wait a second.
    request_queue_size = 128
    answer: Answer
    card: Answer
    seen: VendorServer
    closing: threading.Event


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 the name is given
        pass

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def _serve(self) -> None:
        self.close_connection = True
        server = cast("_Http", self.server)
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        request = Request(
            method=self.command,
            path=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=json.loads(raw) if raw else None,
        )
        server.seen.requests.append(request)
        try:
            response = server.answer(request) if self.command == "POST" else server.card(request)
        except Exception as broken:  # noqa: BLE001 the test that gave the answer is told at the end
            server.seen.broken.append(broken)
            response = error(500)
        with suppress(ConnectionError):  # the client may have given up
            self._send(response, server.closing)

    def _send(self, response: Response, closing: threading.Event) -> None:
        if response.drop is Drop.BEFORE_HEADERS:
            self._cut()
            return
        if response.first_pause_seconds:
            closing.wait(min(response.first_pause_seconds, _LONGEST_WAIT_SECONDS))
        if "Date" in response.headers:
            self.send_response_only(response.status)
        else:
            self.send_response(response.status)
        for name, value in {
            **response.headers,
            "Content-Length": str(len(response.body)),
            "Connection": "close",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        sent = {Drop.BEFORE_BODY: 0, Drop.IN_BODY: len(response.body) // 2}.get(response.drop, len(response.body))  # type: ignore[arg-type]
        if response.pause_seconds:
            for place in range(sent):
                if closing.wait(response.pause_seconds):
                    return
                self.wfile.write(response.body[place : place + 1])
        else:
            self.wfile.write(response.body[:sent])
        if response.drop is not None:
            self._cut()

    def _cut(self) -> None:
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def vendor_server(answer: Answer, *, card: Answer = has_model) -> Iterator[VendorServer]:
    """Serve `answer` to every question and `card` to whoever asks what models there are.

    Both are called in a thread for each request. An exception in them is an error 500 to the client and is raised here
    at the end.
    """
    http = _Http(("127.0.0.1", 0), _Handler)
    http.answer, http.card, http.closing = answer, card, threading.Event()
    http.seen = server = VendorServer(http.server_address[1])
    thread = threading.Thread(target=lambda: http.serve_forever(poll_interval=0.02), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.closing.set()
        http.shutdown()
        http.server_close()
        thread.join()
    if server.broken:
        raise server.broken[0]
