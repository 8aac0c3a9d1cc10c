"""Honest corrections in words that no rule was made for, written before the rules were looked at again, and left so."""

from __future__ import annotations

from dream.guards.verdicts.outputs import Output, OutputLine
from tests.guards.verdicts.heard import output, record, sample
from tests.guards.verdicts.honest import Honest, honest_case

_WEB = "services/invoice-service.md"
_INVOICE = "# Invoice service\n\n"
_DETAIL = output(
    record(
        "",
        name="invoice-service",
        replicas=6,
        port=8443,
        version="3.4.0",
        region="eu-west-1",
        owner="billing-core",
        team="ledger",
        tier="gold",
        timeout_seconds=45,
        request_timeout_seconds=45,
        queue="invoice-events-v2",
        database="invoices-db-2",
        image="ghcr.io/acme/invoice-service:3.4.0",
        max_retries=4,
        rate_limit_per_minute=900,
        log_level="warning",
        tracing_enabled=False,
        base_url="https://invoices.internal.acme.io",
        health_check_path="/livez",
        slack_channel="#ledger-oncall",
        language="kotlin",
        connection_pool_max=80,
        batch_size=250,
        cache_ttl_seconds=600,
        schedule="15 2 * * *",
        upload_limit_mb=50,
        status="running",
    ),
    record("resources.limits", cpu="750m", memory="768Mi"),
    record("autoscaling", min_replicas=4, max_replicas=18),
    asked="/services/invoice-service",
    names=("services", "invoice-service"),
)
_TABLE = "SELECT * FROM inventory.databases WHERE "
_ROW = output(
    record(
        "inventory.databases",
        name="ledger-db",
        environment="production",
        engine="postgres",
        engine_version="16.4",
        max_connections=350,
        storage_gb=500,
        retention_days=21,
        instance_class="db.r6g.xlarge",
        owner="ledger",
        region="eu-west-1",
        pooler_enabled=True,
        statement_timeout_ms=20000,
    ),
    asked=_TABLE + "name = 'ledger-db'",
    names=("ledger-db",),
)
_ROW_OF_TWO = output(
    *_ROW.lines,
    asked=_TABLE + "name = 'ledger-db' AND environment = 'production'",
    names=("ledger-db", "production"),
)
_ROW_ALONE = output(*_ROW.lines, asked=_TABLE + "name = 'ledger-db' LIMIT 1", names=("ledger-db",))
_DB = "databases/ledger-db.md"
_LEDGER = "# ledger-db\n\n"
_QUEUE = output(
    record(
        "",
        name="parcel-events",
        max_length=40000,
        consumer="shipping-worker",
        visibility_seconds=120,
        max_receive_count=7,
        dead_letter_queue="parcel-events-dlq-2",
        message_retention_days=9,
        encrypted=True,
        partitions=24,
    ),
    asked='{"name": "parcel-events"}',
    names=("parcel-events",),
)
_PARCEL = "# parcel-events\n\n"
_Q = "queues/parcel-events.md"
_REPLICAS = output(
    sample(
        "kube_deployment_spec_replicas",
        6,
        deployment="invoice-service",
        namespace="billing",
        job="kube-state-metrics",
        instance="10.4.0.7:8080",
    ),
    asked='kube_deployment_spec_replicas{deployment="invoice-service"}',
    names=("invoice-service",),
)
_SERVED = output(
    sample(
        "http_request_timeout_seconds", 45, service="invoice-service", job="invoice-service", instance="10.1.2.3:80"
    ),
    asked='http_request_timeout_seconds{service="invoice-service"}',
    names=("invoice-service",),
)
_JOBBED = output(
    sample("pool_max_connections", 80, job="invoice-service", instance="10.1.2.3:80", namespace="billing"),
    asked='pool_max_connections{job="invoice-service"}',
    names=("invoice-service",),
)
_PATH = "deploy/production/invoice-service/values.yaml"
_NAMES = (_PATH, "deploy", "production", "invoice-service", "values.yaml", "values")
_CONFIG = output(
    record(_PATH, replicaCount=6, timeoutSeconds=45),
    record(f"{_PATH} image", tag="3.4.0", repository="ghcr.io/acme/invoice-service"),
    record(f"{_PATH} service", port=8443),
    asked=_PATH,
    names=_NAMES,
)
_LINE = output(
    OutputLine(text=f"{_PATH}:14: replicaCount: 6", fields=(("replicaCount", "6"),)),
    asked=f"{_PATH} replicaCount",
    names=_NAMES,
)
_ENV_PATH = "apps/invoice-service/.env.production"
_ENV = output(
    OutputLine(text=f"{_ENV_PATH}:3: REQUEST_TIMEOUT_SECONDS=45", fields=(("REQUEST_TIMEOUT_SECONDS", "45"),)),
    asked=f"{_ENV_PATH} REQUEST_TIMEOUT_SECONDS",
    names=(_ENV_PATH, "apps", "invoice-service", ".env.production", ".env"),
)
_LISTED = output(
    record("services[0]", name="billing", replicas=2, port=8001),
    record("services[1]", name="invoice-service", replicas=6, port=8443, owner="billing-core", version="v3.4.0"),
    asked="/services",
    names=("services",),
)
_JOB = output(
    record("", name="nightly-export", start_minute=25, timeout_minutes=90, schedule="25 3 * * *", concurrency=3),
    asked='{"name": "nightly-export"}',
    names=("nightly-export",),
)
_EXPORT = "# nightly-export\n\n"
_J = "jobs/nightly-export.md"

# Each: the note's path and text, what is proposed instead of what, the answer and which of its lines is cited.
_CASES: tuple[tuple[str, str, str, str, Output, int], ...] = (
    (_WEB, _INVOICE + "- **Replicas**: 4 (production)\n", "4", "6", _DETAIL, 0),
    (_WEB, _INVOICE + "- **Port:** `8080` \u2013 plain HTTP inside the mesh\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- Currently on v3.1.2\n", "v3.1.2", "v3.4.0", _DETAIL, 0),
    (_WEB, _INVOICE + "- Image tag: `3.1.2`\n", "3.1.2", "3.4.0", _CONFIG, 1),
    (_WEB, _INVOICE + "- Requests time out after 30 s.\n", "30", "45", _DETAIL, 0),
    (_WEB, _INVOICE + "- Request timeout: 30s\n", "30s", "45s", _SERVED, 0),
    (_WEB, _INVOICE + "- invoice-service times out after 30 seconds\n", "30", "45", _DETAIL, 0),
    (_WEB, _INVOICE + "- Connection pool: up to 50\n", "50", "80", _DETAIL, 0),
    (_WEB, _INVOICE + "- Connection pool max is 50\n", "50", "80", _DETAIL, 0),
    (_WEB, _INVOICE + "- Owned by the payments team.\n", "payments", "ledger", _DETAIL, 0),
    (_WEB, _INVOICE + "- Owner: platform-core\n", "platform-core", "billing-core", _DETAIL, 0),
    (_WEB, _INVOICE + "- `timeout_seconds: 30`\n", "30", "45", _DETAIL, 0),
    (_WEB, _INVOICE + "- timeout_seconds = 30\n", "30", "45", _DETAIL, 0),
    (_WEB, _INVOICE + "- Reads from `invoice-events`.\n", "invoice-events", "invoice-events-v2", _DETAIL, 0),
    (_WEB, _INVOICE + "- Writes to invoices-db-1\n", "invoices-db-1", "invoices-db-2", _DETAIL, 0),
    (_WEB, _INVOICE + "- Consumes the queue invoice-events\n", "invoice-events", "invoice-events-v2", _DETAIL, 0),
    (_WEB, _INVOICE + "- Retries are limited to 3.\n", "3", "4", _DETAIL, 0),
    (_WEB, _INVOICE + "- Max retries: 3\n", "3", "4", _DETAIL, 0),
    (_WEB, _INVOICE + "- Up to 3 retries\n", "3", "4", _DETAIL, 0),
    (_WEB, _INVOICE + "- It retries up to three times.\n", "three", "four", _DETAIL, 0),
    (_WEB, _INVOICE + "- Rate limit: 600 requests/minute\n", "600", "900", _DETAIL, 0),
    (_WEB, _INVOICE + "- Rate limited to 600 per minute\n", "600", "900", _DETAIL, 0),
    (_WEB, _INVOICE + "- Log level: info\n", "info", "warning", _DETAIL, 0),
    (_WEB, _INVOICE + "- Logs at level `info`\n", "info", "warning", _DETAIL, 0),
    (_WEB, _INVOICE + "- Tracing is on.\n", "on", "off", _DETAIL, 0),
    (_WEB, _INVOICE + "- Tracing: enabled\n", "enabled", "disabled", _DETAIL, 0),
    (
        _WEB,
        _INVOICE + "- Base URL: https://invoices.acme.io\n",
        "https://invoices.acme.io",
        "https://invoices.internal.acme.io",
        _DETAIL,
        0,
    ),
    (_WEB, _INVOICE + "- Health check at `/healthz`\n", "/healthz", "/livez", _DETAIL, 0),
    (_WEB, _INVOICE + "- Slack: #billing-oncall\n", "#billing-oncall", "#ledger-oncall", _DETAIL, 0),
    (_WEB, _INVOICE + "- Written in `java`\n", "java", "kotlin", _DETAIL, 0),
    (_WEB, _INVOICE + "- Language: java\n", "java", "kotlin", _DETAIL, 0),
    (_WEB, _INVOICE + "- Batch size is 100 by default.\n", "100", "250", _DETAIL, 0),
    (_WEB, _INVOICE + "- Processes invoices in batches of 100\n", "100", "250", _DETAIL, 0),
    (_WEB, _INVOICE + "- Cache TTL: 5 min\n", "5 min", "10 min", _DETAIL, 0),
    (_WEB, _INVOICE + "- Cached for 300 seconds\n", "300", "600", _DETAIL, 0),
    (_WEB, _INVOICE + "- Runs on a schedule of `0 2 * * *`\n", "0 2", "15 2", _DETAIL, 0),
    (_WEB, _INVOICE + "- Uploads are limited to 20 MB\n", "20", "50", _DETAIL, 0),
    (_WEB, _INVOICE + "- Upload limit: 20 MB per file\n", "20", "50", _DETAIL, 0),
    (_WEB, _INVOICE + "- Status: paused\n", "paused", "running", _DETAIL, 0),
    (_WEB, _INVOICE + "- Tier: silver\n", "silver", "gold", _DETAIL, 0),
    (_WEB, _INVOICE + "- Memory limit: 512Mi\n", "512Mi", "768Mi", _DETAIL, 1),
    (_WEB, _INVOICE + "- CPU limit: 500m\n", "500m", "750m", _DETAIL, 1),
    (_WEB, _INVOICE + "- Limits: 512 MiB memory, 750m CPU\n", "512 MiB", "768 MiB", _DETAIL, 1),
    (_WEB, _INVOICE + "- Autoscales between 2 and 18 replicas\n", "2", "4", _DETAIL, 2),
    (_WEB, _INVOICE + "- Autoscaling: min 2, max 18 replicas\n", "2", "4", _DETAIL, 2),
    (_WEB, _INVOICE + "- Autoscaling: min 4, max 12 replicas\n", "12", "18", _DETAIL, 2),
    (_WEB, _INVOICE + "- Max replicas: 12\n", "12", "18", _DETAIL, 2),
    (_WEB, _INVOICE + "- Deployed to eu-central-1 (4 replicas)\n", "4", "6", _LINE, 0),
    (_WEB, _INVOICE + "- Region: eu-central-1\n", "eu-central-1", "eu-west-1", _DETAIL, 0),
    (_WEB, _INVOICE + "- Runs in `eu-central-1`, owned by billing-core\n", "eu-central-1", "eu-west-1", _DETAIL, 0),
    (_WEB, _INVOICE + "- invoice-service (6 replicas, port 8080)\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- 4 replicas, each with 768Mi of memory\n", "4", "6", _DETAIL, 0),
    (_WEB, _INVOICE + "- Läuft derzeit mit 4 Replicas\n", "4", "6", _DETAIL, 0),
    (_WEB, _INVOICE + "- Port ist 8080\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- Anfragen laufen nach 30 Sekunden in einen Timeout\n", "30", "45", _DETAIL, 0),
    (_WEB, _INVOICE + "- Le port est 8080\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- El puerto es 8080\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- Escucha en el puerto 8080\n", "8080", "8443", _DETAIL, 0),
    (_WEB, _INVOICE + "- Replicas = 4 in production\n", "4", "6", _REPLICAS, 0),
    (_WEB, _INVOICE + "- We run 4 replicas of invoice-service in the billing namespace.\n", "4", "6", _REPLICAS, 0),
    (_WEB, _INVOICE + "- Four pods\n", "Four", "Six", _REPLICAS, 0),
    (_WEB, _INVOICE + "- Pool: max 50 connections\n", "50", "80", _JOBBED, 0),
    (_WEB, _INVOICE + "- `replicaCount` is 4 in `values.yaml`\n", "4", "6", _LINE, 0),
    (_WEB, _INVOICE + "- Helm values set replicaCount: 4\n", "4", "6", _CONFIG, 0),
    (_WEB, _INVOICE + "- The service port is 8080\n", "8080", "8443", _CONFIG, 2),
    (_WEB, _INVOICE + "- REQUEST_TIMEOUT_SECONDS=30\n", "30", "45", _ENV, 0),
    (_WEB, _INVOICE + "- `REQUEST_TIMEOUT_SECONDS` is set to 30\n", "30", "45", _ENV, 0),
    ("infra.md", "# Infrastructure\n\n- **invoice-service** \u2013 port 8080\n", "8080", "8443", _LISTED, 1),
    ("infra.md", "# Infrastructure\n\n- invoice-service: port 8080, 6 replicas\n", "8080", "8443", _LISTED, 1),
    ("infra.md", "# Infrastructure\n\n- invoice-service is on v3.1.2\n", "v3.1.2", "v3.4.0", _LISTED, 1),
    (
        "infra.md",
        "# Infrastructure\n\n- `invoice-service` (owner: platform-core)\n",
        "platform-core",
        "billing-core",
        _LISTED,
        1,
    ),
    (_DB, _LEDGER + "- PostgreSQL 15.2\n", "15.2", "16.4", _ROW, 0),
    (_DB, _LEDGER + "- Engine version: 15.2\n", "15.2", "16.4", _ROW, 0),
    (_DB, _LEDGER + "- Max connections: 200\n", "200", "350", _ROW_OF_TWO, 0),
    (_DB, _LEDGER + "- Production allows up to 200 connections.\n", "200", "350", _ROW_OF_TWO, 0),
    (_DB, _LEDGER + "- `max_connections: 200` (default is 100)\n", "200", "350", _ROW, 0),
    (_DB, _LEDGER + "- Storage: 250 GB\n", "250", "500", _ROW_ALONE, 0),
    (_DB, _LEDGER + "- 250 GB of storage on a db.r6g.xlarge\n", "250", "500", _ROW, 0),
    (_DB, _LEDGER + "- Backups are kept for 14 days\n", "14", "21", _ROW, 0),
    (_DB, _LEDGER + "- Backup retention: 14 days\n", "14", "21", _ROW, 0),
    (_DB, _LEDGER + "- Instance class `db.r6g.large`\n", "db.r6g.large", "db.r6g.xlarge", _ROW, 0),
    (_DB, _LEDGER + "- Statement timeout: 10 s\n", "10", "20", _ROW, 0),
    (_DB, _LEDGER + "- The pooler is disabled\n", "disabled", "enabled", _ROW, 0),
    (_Q, _PARCEL + "- Consumed by `billing-worker`\n", "billing-worker", "shipping-worker", _QUEUE, 0),
    (_Q, _PARCEL + "- Consumer: billing-worker\n", "billing-worker", "shipping-worker", _QUEUE, 0),
    (_Q, _PARCEL + "- Visibility timeout is 60s\n", "60s", "120s", _QUEUE, 0),
    (_Q, _PARCEL + "- Holds up to 20000 messages\n", "20000", "40000", _QUEUE, 0),
    (_Q, _PARCEL + "- DLQ: `parcel-events-dlq`\n", "parcel-events-dlq", "parcel-events-dlq-2", _QUEUE, 0),
    (_Q, _PARCEL + "- Messages are retained for 4 days\n", "4", "9", _QUEUE, 0),
    (_Q, _PARCEL + "- 12 partitions, consumed by shipping-worker\n", "12", "24", _QUEUE, 0),
    (_Q, _PARCEL + "- Max receive count 5\n", "5", "7", _QUEUE, 0),
    (_J, _EXPORT + "- Timeout 60 minutes\n", "60", "90", _JOB, 0),
    (_J, _EXPORT + "- Concurrency is limited to 2\n", "2", "3", _JOB, 0),
    (_J, _EXPORT + "- Starts at minute 10\n", "10", "25", _JOB, 0),
)


def unseen_cases() -> list[Honest]:
    """Return the cases, each with the first entry that holds the old value."""
    return [honest_case(text, old, new, answer, path=path, line=line) for path, text, old, new, answer, line in _CASES]
