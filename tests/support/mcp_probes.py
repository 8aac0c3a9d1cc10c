"""Probes of the MCP servers of tests, and which of the programs that they start still run."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from dream.sources.production.limits import ProbeLimits
from dream.sources.production.mcp.limits import SessionLimits
from dream.sources.production.mcp.probe import McpProbe
from dream.sources.production.mcp.source import McpSource
from dream.sources.production.port import Found, Line

CURRENT, PREVIOUS = (str(Path(__file__).parent / name) for name in ("mcp_server.py", "mcp_server_previous.py"))
ORDERS, HANGS = '{"name": "orders-api"}', '{"name": "hangs"}'
REPLICAS = Found(
    lines=(Line(text='name="orders-api" replicas=7', fields=(("name", "orders-api"), ("replicas", "7"))),),
    names=("orders-api",),
)
PATIENT, SHORT, HURRIED = ProbeLimits(seconds=60), ProbeLimits(seconds=3), ProbeLimits(seconds=0.4)
FEW_BYTES = ProbeLimits(seconds=60, output_bytes=1_000)
QUICK = SessionLimits(leaving_seconds=0.1, grace_seconds=1.0)


@contextmanager
def by_command(
    trace: Path,
    *arguments: str,
    script: str = PREVIOUS,
    tools: Sequence[str] = ("replicas",),
    limits: ProbeLimits = PATIENT,
    sessions: SessionLimits = QUICK,
) -> Iterator[McpProbe]:
    """Yield a probe of a program, which ends with it."""
    flags = ("-IS",) if script == PREVIOUS else ()
    source = McpSource(
        name="inventory",
        command=(sys.executable, *flags, script, *(() if flags else ("stdio",)), *arguments),
        credential_variable="INVENTORY_TOKEN",
        environment=("TRACE",),
        tools=tuple(tools),
    )
    environment = {"TRACE": str(trace), "SECRET_OF_THIS_PROCESS": "x", "HOME": "/root"}
    probe = McpProbe(source, secret="s3cret-canary", environment=environment, limits=limits, sessions=sessions)
    try:
        yield probe
    finally:
        probe.close()


@contextmanager
def by_url(url: str, *, tools: Sequence[str] = ("replicas",), limits: ProbeLimits = PATIENT) -> Iterator[McpProbe]:
    """Yield a probe of a web server."""
    source = McpSource(name="inventory", url=url, tools=tuple(tools), internal=True)
    probe = McpProbe(source, secret="s3cret-canary", limits=limits, sessions=SessionLimits(grace_seconds=0.3))
    try:
        yield probe
    finally:
        probe.close()


def started(trace: Path) -> list[int]:
    """Return the processes that a program noted, in the order in which they began."""
    noted = [json.loads(line) for line in trace.read_text().splitlines()] if trace.exists() else []
    return [message["started"] for message in noted if "started" in message]


def still_running(numbers: Sequence[int]) -> list[int]:
    """Return the processes that still run when those that are ending have had a while for it."""
    for _ in range(500):
        if not any(map(_runs, numbers)):
            break
        time.sleep(0.01)
    return [number for number in numbers if _runs(number)]


def _runs(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}
