"""A loopback server that sends what a test tells it to, byte for byte: also what no honest server would.

with web_server(lambda request: answer(b'{"replicas": 7}')) as server:
    Web(server.url, internal=True).get("/services/orders-api")
"""

from __future__ import annotations

import socket
import ssl
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_LONGEST_REQUEST = 100_000
_TLS_HELLO = b"\x16"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """What a client sent: names of headers in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Wait:
    """Seconds for which nothing is sent; they end early with the server."""

    seconds: float = 60


@dataclass(frozen=True, slots=True)
class Reset:
    """The connection breaks off, what was sent may not arrive."""


Sent = Iterable[bytes | Wait | Reset]
Answer = Callable[[WebRequest], Sent]


class WebServer:
    """A server that is running: its address, and every request in the order of arrival."""

    def __init__(self, host: str, port: int, *, scheme: str) -> None:
        """Say where it is."""
        self.host, self.port = host, port
        self.url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"
        self.requests: list[WebRequest] = []
        self.broken: list[Exception] = []


def answer(
    body: bytes = b"",
    *,
    status: int = 200,
    kind: str = "application/json",
    headers: Mapping[str, str] | None = None,
    length: int | None = None,
) -> Sent:
    """Return a whole answer, as a decent server sends it; `length` is what it says of the body, if not the truth."""
    said = {
        "Content-Type": kind,
        "Content-Length": str(len(body) if length is None else length),
        "Connection": "close",
        **(headers or {}),
    }
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in said.items()), "", ""]
    return ["\r\n".join(lines).encode("latin-1"), body]


@contextmanager
def web_server(say: Answer, *, host: str = "127.0.0.1", tls: ssl.SSLContext | None = None) -> Iterator[WebServer]:
    """Send what `say` gives for each request, in a thread for each; an exception in it is raised here at the end."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    closing = threading.Event()
    with socket.socket(family) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, 0))
        listening.listen(32)
        server = WebServer(host, listening.getsockname()[1], scheme="https" if tls else "http")
        threads: list[threading.Thread] = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                thread = threading.Thread(target=_serve, args=(server, connection, say, tls, closing), daemon=True)
                threads.append(thread)
                thread.start()

        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield server
        finally:
            closing.set()
            listening.shutdown(socket.SHUT_RDWR)
            accepting.join()
            for thread in threads:
                thread.join()
    if server.broken:
        raise server.broken[0]


def own_certificate(folder: Path, *, name: str = "127.0.0.1") -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return what a server needs that signed its own certificate for `name`, and what trusts just that."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    try:
        meant: x509.GeneralName = x509.IPAddress(ip_address(name))
    except ValueError:
        meant = x509.DNSName(name)
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([meant]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    both = folder / "own.pem"
    both.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(both)
    return serving, ssl.create_default_context(cadata=certificate.public_bytes(serialization.Encoding.PEM).decode())


def _serve(
    server: WebServer, connection: socket.socket, say: Answer, tls: ssl.SSLContext | None, closing: threading.Event
) -> None:
    with connection, suppress(OSError):  # the client may have given up
        connection.settimeout(60)
        with tls.wrap_socket(connection, server_side=True) if tls else connection as talking:
            request = _read(talking)
            server.requests.append(request)
            try:
                sent = iter(say(request))
            except Exception as broken:  # noqa: BLE001  # the test is told at the end
                server.broken.append(broken)
                return
            for part in sent:
                if closing.is_set():
                    return
                match part:
                    case Wait(seconds):
                        closing.wait(seconds)
                    case Reset():
                        talking.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        return
                    case bytes():
                        talking.sendall(part)


def _read(talking: socket.socket) -> WebRequest:
    received = b""
    while b"\r\n\r\n" not in received and len(received) < _LONGEST_REQUEST and (more := talking.recv(65_536)):
        received += more
        if received.startswith(_TLS_HELLO):
            break
    first, *lines = received.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, target, _ = (first + "  ").split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    return WebRequest(method=method, target=target, headers={n.strip().lower(): v.strip() for n, _, v in pairs})
