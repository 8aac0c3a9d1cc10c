"""A Prometheus of its own on loopback, which scrapes itself and an exporter of invented metrics."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

from tests.support.guardian import guard
from tests.support.served import free_port

_PATIENCE_SECONDS = 60
_SETTINGS = """
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: ["{rules}"]
scrape_configs:
  - job_name: shop
    static_configs: [{{targets: ["127.0.0.1:{exporter}"], labels: {{region: eu-1}}}}]
  - job_name: prometheus
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
  - job_name: gone
    static_configs: [{{targets: ["127.0.0.1:9"]}}]
"""


@dataclass
class Exporter:
    """What is scraped: the `text` may change while it runs."""

    text: str
    port: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Prometheus:
    """A running server, with samples of everything that its exporter gave when it began."""

    port: int
    exporter: Exporter
    process: subprocess.Popen[bytes] = field(repr=False)

    @property
    def url(self) -> str:
        """The address that `/api/v1` stands below."""
        return f"http://127.0.0.1:{self.port}"

    def wait_for(self, query: str) -> None:
        """Return once the query has an answer that is not empty."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while not self._result(query):
            if self.process.poll() is not None or time.monotonic() > until:
                message = f"no answer to {query}"
                raise RuntimeError(message)
            time.sleep(0.1)

    def _result(self, query: str) -> bool:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"{self.url}/api/v1/query?{urlencode({'query': query})}", timeout=5) as response:
                return bool(json.load(response)["data"]["result"])
        except OSError:
            return False


def find_prometheus() -> str | None:
    """Return the program, None where there is none."""
    return shutil.which("prometheus")


@contextmanager
def run_prometheus(program: str, *, metrics: str, rules: str = "groups: []") -> Iterator[Prometheus]:
    """Run a server for as long as the context lasts, whose job `shop` is an exporter of `metrics`."""
    folder = Path(tempfile.mkdtemp(prefix="dream-test-prometheus-"))
    try:
        with _export(metrics) as exporter:
            port = free_port()
            (folder / "rules.yml").write_text(rules, encoding="utf-8")
            settings = _SETTINGS.format(rules=folder / "rules.yml", exporter=exporter.port, port=port)
            (folder / "prometheus.yml").write_text(settings, encoding="utf-8")
            command = [
                program,
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ]
            with (folder / "log").open("wb") as log:
                process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder, env={"PATH": "/usr/bin:/bin"})
            try:
                running = Prometheus(port=port, exporter=exporter, process=process)
                with guard(process, folder):
                    for job, up in (("shop", 1), ("prometheus", 1), ("gone", 0)):
                        running.wait_for(f'up{{job="{job}"}} == {up}')
                    yield running
            finally:
                _stop(process)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a Prometheus that is ended, and hangs up on whom it scrapes."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def _export(text: str) -> Iterator[Exporter]:
    exporter = Exporter(text)

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it
            """Say nothing on standard error."""

        def do_GET(self) -> None:
            body = exporter.text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = _Quiet(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    exporter.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield exporter
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
