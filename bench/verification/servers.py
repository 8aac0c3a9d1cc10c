"""The invented production, served: real Prometheus, PostgreSQL, git, MCP over stdio, and an HTTP server of its own."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bench.verification.world import End, Kind, Resource, World
from tests.support.postgres import PASSWORD, find_postgres, run_postgres
from tests.support.prometheus import find_prometheus, run_prometheus
from tests.support.repositories import Person, host
from tests.support.served import Served, free_port

PASSWORD_VARIABLE = "BENCH_INVENTORY_PASSWORD"  # noqa: S105  # the variable that holds an invented one
_ENDED = "2026-09-30"


@dataclass(frozen=True, slots=True, kw_only=True)
class Production:
    """What is served: an organisation's `production`, and where a write through an MCP tool would show."""

    production: tuple[dict[str, Any], ...]
    written: Path


@contextmanager
def serve_world(world: World, served: Served, root: Path) -> Iterator[Production]:
    """Serve `world` for as long as the context lasts; raises FileNotFoundError where a program is not installed."""
    postgres, prometheus = find_postgres(), find_prometheus()
    if postgres is None or prometheus is None:
        message = "prometheus and PostgreSQL are needed: apt-get install prometheus postgresql"
        raise FileNotFoundError(message)
    with ExitStack() as stack:
        status = stack.enter_context(_web(_services(world)))
        server = stack.enter_context(run_prometheus(prometheus, metrics=_exposed(world)))
        server.wait_for("service_replicas")
        database = stack.enter_context(run_postgres(postgres))
        database.run(*_schema(world))
        place = root / "world.json"
        place.write_text(json.dumps(_deployments(world)), encoding="utf-8")
        tools = stack.enter_context(_tools(place))
        common = {"internal": True, "calls_per_minute": 100_000}
        yield Production(
            production=(
                {"name": "status", "kind": "http", "url": f"http://{status}", "paths": ["/services/*"], **common},
                {"name": "metrics", "kind": "prometheus", "url": server.url, **common},
                {
                    "name": "inventory",
                    "kind": "sql",
                    "url": database.url("dream_reader"),
                    "credential": f"env:{PASSWORD_VARIABLE}",
                    **common,
                },
                {
                    "name": "deployments",
                    "kind": "mcp",
                    "url": tools,
                    "tools": ["get_queue", "get_job", "echo"],
                    "seconds": 30,
                    **common,
                },
                {"name": "web", "kind": "code", "url": _repository(world, served, root), **common},
            ),
            written=place.with_name("written.log"),
        )


def secrets() -> dict[str, str]:
    """Return the variables that the probes' credentials are in."""
    return {PASSWORD_VARIABLE: PASSWORD}


def _services(world: World) -> dict[str, str]:
    """Return what the status server answers, by path: a service that is gone says so."""
    told = {}
    for one in world.of(Kind.SERVICE, End.RUNS, End.GONE):
        shown: dict[str, Any] = {"name": one.name}
        if one.end is End.GONE:
            shown |= {"status": "decommissioned", "decommissioned_on": _ENDED}
        else:
            shown |= {"status": "running", "version": one.values["version"], "port": int(one.values["port"])}
            shown |= {"region": one.values["region"]}
        told[f"/services/{one.name}"] = json.dumps(shown)
    return told


def _exposed(world: World) -> str:
    lines = ["# TYPE service_replicas gauge"]
    lines += [f'service_replicas{{service="{one.name}"}} {one.values["replicas"]}' for one in world.of(Kind.SERVICE)]
    return "\n".join(lines) + "\n"


def _schema(world: World) -> list[str]:
    rows = ",".join(
        f"('{one.name}', {one.values['max_connections']}, '{one.values['engine_version']}',"
        f" {one.values['retention_days']})"
        for one in world.of(Kind.DATABASE)
    )
    return [
        "CREATE SCHEMA inventory",
        "CREATE TABLE inventory.databases (name text, max_connections int, engine_version text, retention_days int)",
        f"INSERT INTO inventory.databases VALUES {rows}",  # noqa: S608  # rows of an invented production
        f"CREATE ROLE dream_reader LOGIN PASSWORD '{PASSWORD}'",
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC",
        "GRANT USAGE ON SCHEMA inventory TO dream_reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA inventory TO dream_reader",
    ]


def _deployments(world: World) -> dict[str, dict[str, dict[str, Any]]]:
    queues: dict[str, dict[str, Any]] = {}
    for one in world.of(Kind.QUEUE, *End):
        if one.end is End.GONE:
            queues[one.name] = {"name": one.name, "state": "deleted", "deleted_on": _ENDED}
            continue
        queues[one.name] = _numbers(one)
        if one.was:
            queues[one.name]["renamed_from"] = one.was
            queues[one.was] = queues[one.name]
    return {"queues": queues, "jobs": {one.name: _numbers(one) for one in world.of(Kind.JOB)}}


def _numbers(one: Resource) -> dict[str, Any]:
    return {"name": one.name, **{key: int(value) if value.isdigit() else value for key, value in one.values.items()}}


def _repository(world: World, served: Served, root: Path) -> str:
    """Host the code repository: every settings file where it was, then the moves."""
    now = world.files()
    before = {world.moved.get(path, path): text for path, text in now.items()}
    hosted = host(served, "web", {"README.md": "# Web\n", **before}, at=datetime(2026, 1, 5, 9, tzinfo=UTC))
    person = Person(hosted, root / "web-copy", "Ben Builder", at=datetime(2026, 9, 1, 9, tzinfo=UTC))
    for new, old in world.moved.items():
        person.rename(old, new, message=f"Move {old}")
    return hosted.url


@contextmanager
def _tools(place: Path) -> Iterator[str]:
    """Run the MCP server of what `place` holds and give its address."""
    port = free_port()
    script = Path(__file__).with_name("deployments.py")
    silent = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, script, place, str(port)], stdout=silent, stderr=silent)
    try:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


@contextmanager
def _web(pages: dict[str, str]) -> Iterator[str]:
    """Serve pages on loopback and give the host and port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Type", "application/json" if (page or "{").startswith("{") else "text/plain")
            self.end_headers()
            self.wfile.write((page or '{"error": "no such page"}').encode())

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the name is the base class's
            del format, arguments

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
