"""Honest verdicts: an entry, what a system says, and what the entry says once it is put right."""

from __future__ import annotations

from dataclasses import dataclass

from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.rulings import Target
from tests.guards.verdicts.heard import output, record, sample, target


@dataclass(frozen=True, slots=True, kw_only=True)
class Honest:
    """A verdict that should pass."""

    target: Target
    statement: str
    line: OutputLine
    output: Output


_ORDERS = "# Orders API\n\n"
_JSON = record(
    "services.orders-api",
    replicas=7,
    region="eu-2",
    timeout_seconds=60,
    port=9090,
    memory_mb=1024,
    max_connections=200,
    version="2.1.0",
    owner="checkout",
    caching_enabled=True,
    retries=5,
    log_retention_days=14,
    schedule="0 3 * * *",
    queue="orders-events-v2",
    cpu_limit_percent=80,
    health_path="/healthz",
    tls="disabled",
    min_replicas=3,
    max_replicas=12,
)
_ROW = record(
    "ops.services",
    name="orders-api",
    replicas=7,
    region="eu-2",
    timeout_ms=60000,
    port=9090,
    memory_bytes=1073741824,
    max_connections=200,
    version="2.1.0",
    owner="checkout",
    status="paused",
    backup_interval_hours=12,
    plan="large",
)
_ROWS = output(
    _ROW, asked="SELECT name, replicas FROM services WHERE name = 'orders-api' LIMIT 10", names=("orders-api",)
)
_GOT = output(_JSON, asked="/services", names=("services",))
_SAMPLE = sample(
    "kube_deployment_spec_replicas", 7, deployment="orders-api", namespace="shop", job="kube-state-metrics"
)
_SAMPLES = output(
    _SAMPLE,
    asked='kube_deployment_spec_replicas{deployment="orders-api",namespace="shop"}',
    names=("orders-api", "shop"),
)
_FILE = OutputLine(text="deploy/orders-api.yaml:12: replicas: 7")
_FILES = output(
    _FILE,
    asked="deploy/orders-api.yaml replicas",
    names=("deploy/orders-api.yaml", "deploy", "orders-api.yaml", "orders-api"),
)
_DETAIL = record("", replicas=7, timeout="60s", image="registry.acme.io/orders:2.1.0", team="checkout")
_DETAILS = output(_DETAIL, asked="/services/orders-api", names=("services", "orders-api"))

# Each: the lines of the note, which entry, what is proposed instead of what, and which answer is cited.
_PAIRS: tuple[tuple[str, str, str, Output], ...] = (
    (_ORDERS + "- `orders-api` runs 5 replicas.\n", "5", "7", _GOT),
    (_ORDERS + "- Runs 5 replicas.\n", "5", "7", _GOT),
    (_ORDERS + "- **Replicas:** 5\n", "5", "7", _GOT),
    (_ORDERS + "- replicas: 5\n", "5", "7", _ROWS),
    (_ORDERS + "- Replicas: `5`\n", "5", "7", _SAMPLES),
    (_ORDERS + "- 2026-10-14: orders-api runs 5 replicas. [thread_7c2e, 2026-10-14]\n", "5", "7", _SAMPLES),
    (_ORDERS + "orders-api has five replicas in production.\n", "five", "seven", _GOT),
    (_ORDERS + "The service runs with 5 instances.\n", "5", "7", _ROWS),
    (_ORDERS + "- orders-api: 5 replicas, port 8080, timeout 30 s\n", "5", "7", _GOT),
    (_ORDERS + "- orders-api: 5 replicas, port 8080, timeout 30 s\n", "8080", "9090", _GOT),
    (_ORDERS + "- orders-api: 5 replicas, port 8080, timeout 30 s\n", "30", "60", _GOT),
    (
        _ORDERS + "- The request timeout of orders-api is 30 s.\n",
        "30",
        "60",
        output(record("services.orders-api", request_timeout_seconds=60)),
    ),
    (_ORDERS + "- The timeout is 30 seconds.\n", "30", "60", _GOT),
    (_ORDERS + "- The timeout is 30 seconds.\n", "30", "60", _ROWS),
    (_ORDERS + "- Timeout: 30s\n", "30s", "60s", _DETAILS),
    (_ORDERS + "- Timeout: 30s\n", "30s", "1min", _GOT),
    (_ORDERS + "- It listens on port 8080.\n", "8080", "9090", _GOT),
    (_ORDERS + "- Listens on 8080.\n", "8080", "9090", _GOT),
    (_ORDERS + "- orders-api listens on :8080\n", "8080", "9090", _ROWS),
    (
        _ORDERS + "- Memory limit is 512 MB.\n",
        "512 MB",
        "1024 MB",
        output(record("services.orders-api", memory_limit_mb=1024)),
    ),
    (_ORDERS + "- Uses 512 MiB of memory.\n", "512 MiB", "1 GiB", _ROWS),
    (_ORDERS + "- orders-api has a memory of 512 MB\n", "512", "1024", _GOT),
    (_ORDERS + "- At most 100 connections.\n", "100", "200", _GOT),
    (_ORDERS + "- The maximum number of connections is 100.\n", "100", "200", _ROWS),
    (_ORDERS + "- max_connections is 100\n", "100", "200", _ROWS),
    (_ORDERS + "- max_connections = 100\n", "100", "200", _GOT),
    (_ORDERS + "- orders-api runs version 1.4.2.\n", "1.4.2", "2.1.0", _GOT),
    (_ORDERS + "- orders-api is deployed at v1.4.2\n", "v1.4.2", "v2.1.0", _ROWS),
    (_ORDERS + "- Version: 1.4.2\n", "1.4.2", "2.1.0", _ROWS),
    (_ORDERS + "- orders-api runs in eu-1.\n", "eu-1", "eu-2", _GOT),
    (_ORDERS + "- Region: `eu-1`\n", "eu-1", "eu-2", _ROWS),
    (_ORDERS + "- It is hosted in region eu-1.\n", "eu-1", "eu-2", _ROWS),
    (_ORDERS + "- Owner: payments\n", "payments", "checkout", _GOT),
    (_ORDERS + "- orders-api is owned by `payments`.\n", "payments", "checkout", _ROWS),
    (_ORDERS + "- Owned by payments.\n", "payments", "checkout", _GOT),
    (_ORDERS + "- Caching is disabled.\n", "disabled", "enabled", _GOT),
    (_ORDERS + "- Caching in orders-api: disabled\n", "disabled", "enabled", _GOT),
    (_ORDERS + "- TLS is enabled.\n", "enabled", "disabled", _GOT),
    (_ORDERS + "- Retries: 3\n", "3", "5", _GOT),
    (_ORDERS + "- It retries 3 times.\n", "3", "5", _GOT),
    (_ORDERS + "- Logs are kept for 30 days.\n", "30", "14", _GOT),
    (_ORDERS + "- Log retention is 30 days.\n", "30 days", "2 weeks", _GOT),
    (_ORDERS + "- Log retention: 30 d\n", "30", "14", _GOT),
    (_ORDERS + "- Reads from the queue `orders-events`.\n", "orders-events", "orders-events-v2", _GOT),
    (_ORDERS + "- Queue: orders-events\n", "orders-events", "orders-events-v2", _GOT),
    (_ORDERS + "- CPU limit is 50 %.\n", "50", "80", _GOT),
    (_ORDERS + "- The health path is `/health`.\n", "/health", "/healthz", _GOT),
    (_ORDERS + "- The minimum is 2 replicas.\n", "2", "3", _GOT),
    (_ORDERS + "- At most 10 replicas.\n", "10", "12", _GOT),
    (
        _ORDERS + "- A backup runs every 24 hours.\n",
        "24",
        "12",
        output(record("services.orders-api", backup_interval_hours=12)),
    ),
    (_ORDERS + "- Backup interval: 24 h\n", "24", "12", _ROWS),
    (_ORDERS + "- orders-api is active.\n", "active", "paused", _ROWS),
    (_ORDERS + "- Status: active\n", "active", "paused", _ROWS),
    (_ORDERS + "- Plan: small\n", "small", "large", _ROWS),
    (_ORDERS + "- Replicas: 5\n", "5", "7", _FILES),
    (_ORDERS + "- `deploy/orders-api.yaml` sets 5 replicas.\n", "5", "7", _FILES),
    (_ORDERS + "- orders-api ist mit 5 Replicas deployed.\n", "5", "7", _GOT),
    (_ORDERS + "- Läuft auf Port 8080.\n", "8080", "9090", _GOT),
    (_ORDERS + "- Der Timeout beträgt 30 Sekunden.\n", "30", "60", _GOT),
    (_ORDERS + "## Capacity\n\n- 5 replicas\n- 1 GB memory\n", "5", "7", _GOT),
    (_ORDERS + "Capacity:\n\n- 5 replicas\n", "5", "7", _GOT),
    (
        "---\nname: orders-api\ndescription: How the orders API is deployed.\n---\n\norders-api runs 5 replicas.\n",
        "5",
        "7",
        _GOT,
    ),
    (
        (
            "---\nname: orders-api\ndescription: d\n---\n\n"
            "The orders API is the checkout backend. It runs 5 replicas on port 8080.\n"
        ),
        "5",
        "7",
        _GOT,
    ),
    (
        "---\nname: orders-api\ndescription: d\n---\n\n- Runs 5 replicas.\n- Listens on port 8080.\n",
        "8080",
        "9090",
        _GOT,
    ),
    (_ORDERS + "- **orders-api** has 1 replica.\n", "1 replica", "7 replicas", _GOT),
    (_ORDERS + "- There are 5 replicas of orders-api.\n", "5", "7", _ROWS),
    (_ORDERS + "- orders-api is configured with `replicas=5`.\n", "5", "7", _ROWS),
    (_ORDERS + "- orders-api runs 5 replicas because checkout depends on it.\n", "5", "7", _GOT),
    (_ORDERS + "- orders-api runs 5 replicas (one of them is a spare).\n", "5", "7", _GOT),
    (_ORDERS + "- orders-api currently runs 5 replicas, which handles the load well.\n", "5", "7", _GOT),
    (_ORDERS + "- The team is payments.\n", "payments", "checkout", _DETAILS),
    (_ORDERS + "- Team: payments\n", "payments", "checkout", _DETAILS),
)


def honest_cases() -> list[Honest]:
    """Return the cases, each with the first entry that holds the old value."""
    return [honest_case(*pair) for pair in _PAIRS]


def honest_case(
    text: str, old: str, new: str, answer: Output, *, path: str = "services/orders-api.md", line: int = 0
) -> Honest:
    """Return the correction of the first entry of a note that holds `old`, by one line of an answer."""
    places = [target(text, path=path, place=place) for place in range(len(target(text).note.entries))]
    chosen = next(one for one in places if old in one.entry.key)
    statement = _swap(chosen.entry.key, old, new)
    return Honest(target=chosen, statement=statement, line=answer.lines[line], output=answer)


def _swap(text: str, old: str, new: str) -> str:
    before, _, after = text.rpartition(old)
    return f"{before}{new}{after}"
