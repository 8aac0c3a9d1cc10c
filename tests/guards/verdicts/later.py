"""Forty more honest corrections, written when the rules were done, to see what they let through of words unknown.

The address was `thumbs.acme.dev` at first, which reads as another environment, and is one in many a company.
"""

from __future__ import annotations

from tests.guards.verdicts.heard import output, record, sample
from tests.guards.verdicts.honest import Honest, honest_case

_THUMBS = "# thumbnailer\n\n"
_T = "services/thumbnailer.md"
_PAGE = output(
    record(
        "",
        name="thumbnailer",
        instances=9,
        port=7300,
        version="5.2.1",
        region="us-east-2",
        owner="media",
        max_upload_mb=40,
        timeout_ms=12000,
        retries=6,
        queue="thumbs-v3",
        bucket="acme-thumbs-2",
        log_level="error",
        metrics_enabled=True,
        health_path="/ready",
        cache_ttl_seconds=7200,
        max_concurrency=32,
        schedule="30 4 * * 1",
        url="https://thumbs.acme.net",
        runtime="node22",
        status="degraded",
    ),
    record("resources.limits", memory="2Gi", cpu="1500m"),
    asked="/services/thumbnailer",
    names=("services", "thumbnailer"),
)
_CACHE = "# session-cache\n\n"
_C = "caches/session-cache.md"
_NODES = output(
    record(
        "infra.caches",
        name="session-cache",
        engine_version="7.4",
        node_count=5,
        max_memory_mb=4096,
        ttl_seconds=1800,
        eviction_policy="allkeys-lfu",
        port=6390,
        encrypted=True,
        owner="identity",
        region="us-east-2",
    ),
    asked="SELECT * FROM infra.caches WHERE name = 'session-cache'",
    names=("session-cache",),
)
_GAUGE = output(
    sample(
        "kube_deployment_spec_replicas",
        9,
        deployment="thumbnailer",
        namespace="media",
        job="ksm",
        instance="10.0.0.4:80",
    ),
    asked='kube_deployment_spec_replicas{deployment="thumbnailer",namespace="media"}',
    names=("thumbnailer", "media"),
)
_FILE = "charts/thumbnailer/values.yaml"
_VALUES = output(
    record(_FILE, replicaCount=9, logLevel="error"),
    record(f"{_FILE} image", repository="ghcr.io/acme/thumbs", tag="5.2.1"),
    record(f"{_FILE} resources.limits", memory="2Gi"),
    record(f"{_FILE} autoscaling", enabled=True, minReplicas=3, maxReplicas=20),
    asked=_FILE,
    names=(_FILE, "charts", "thumbnailer", "values.yaml", "values"),
)
_TOOL = output(
    record("", name="email-out", max_length=9000, consumer="mailer-2", retention_hours=48, max_attempts=8),
    asked='{"name": "email-out"}',
    names=("email-out",),
)
_MAIL = "# email-out\n\n"
_M = "queues/email-out.md"

# Each: the note's path and text, what is proposed instead of what, the answer and which of its lines is cited.
_CASES = (
    (_T, _THUMBS + "- **Instances:** 6\n", "6", "9", _PAGE, 0),
    (_T, _THUMBS + "- 6 instances in us-east-2\n", "6", "9", _PAGE, 0),
    (_T, _THUMBS + "- thumbnailer is deployed with 6 pods\n", "6", "9", _GAUGE, 0),
    (_T, _THUMBS + "- Exposed on port 7200\n", "7200", "7300", _PAGE, 0),
    (_T, _THUMBS + "- Reachable at port `7200`\n", "7200", "7300", _PAGE, 0),
    (_T, _THUMBS + "- **Version**: v5.1.0 (current)\n", "v5.1.0", "v5.2.1", _PAGE, 0),
    (_T, _THUMBS + "- Current version is 5.1.0\n", "5.1.0", "5.2.1", _PAGE, 0),
    (_T, _THUMBS + "- Hosted in us-west-1\n", "us-west-1", "us-east-2", _PAGE, 0),
    (_T, _THUMBS + "- Maintained by the imaging team\n", "imaging", "media", _PAGE, 0),
    (_T, _THUMBS + "- Owner: imaging\n", "imaging", "media", _PAGE, 0),
    (_T, _THUMBS + "- Max upload size: 25 MB\n", "25", "40", _PAGE, 0),
    (_T, _THUMBS + "- Max upload is 25 MB\n", "25", "40", _PAGE, 0),
    (_T, _THUMBS + "- Times out after 10 s\n", "10", "12", _PAGE, 0),
    (_T, _THUMBS + "- timeout_ms: 10000\n", "10000", "12000", _PAGE, 0),
    (_T, _THUMBS + "- Up to 3 retries, then it gives up\n", "3", "6", _PAGE, 0),
    (_T, _THUMBS + "- 3 retries\n", "3", "6", _PAGE, 0),
    (_T, _THUMBS + "- Consumes `thumbs-v2`\n", "thumbs-v2", "thumbs-v3", _PAGE, 0),
    (_T, _THUMBS + "- Stores images in the bucket `acme-thumbs-1`\n", "acme-thumbs-1", "acme-thumbs-2", _PAGE, 0),
    (_T, _THUMBS + "- Bucket: acme-thumbs-1\n", "acme-thumbs-1", "acme-thumbs-2", _PAGE, 0),
    (_T, _THUMBS + "- Metrics are disabled.\n", "disabled", "enabled", _PAGE, 0),
    (_T, _THUMBS + "- Health endpoint: `/healthz`\n", "/healthz", "/ready", _PAGE, 0),
    (_T, _THUMBS + "- Cache TTL is 1 hour\n", "1 hour", "2 hours", _PAGE, 0),
    (_T, _THUMBS + "- Concurrency is capped at 16\n", "16", "32", _PAGE, 0),
    (_T, _THUMBS + "- Max concurrency: 16\n", "16", "32", _PAGE, 0),
    (_T, _THUMBS + "- Cron: `0 4 * * 1`\n", "0 4", "30 4", _PAGE, 0),
    (_T, _THUMBS + "- URL: https://thumbs.acme.io\n", "https://thumbs.acme.io", "https://thumbs.acme.net", _PAGE, 0),
    (_T, _THUMBS + "- Runtime: node20\n", "node20", "node22", _PAGE, 0),
    (_T, _THUMBS + "- Memory limit is 1Gi\n", "1Gi", "2Gi", _VALUES, 2),
    (_T, _THUMBS + "- Scales up to 12 replicas\n", "12", "20", _VALUES, 3),
    (_T, _THUMBS + "- The `logLevel` in the chart is `info`\n", "info", "error", _VALUES, 0),
    (_C, _CACHE + "- 3 nodes\n", "3", "5", _NODES, 0),
    (_C, _CACHE + "- Node count: 3\n", "3", "5", _NODES, 0),
    (_C, _CACHE + "- Max memory: 2048 MB\n", "2048", "4096", _NODES, 0),
    (_C, _CACHE + "- Sessions expire after 15 minutes\n", "15", "30", _NODES, 0),
    (_C, _CACHE + "- TTL: 15 min\n", "15", "30", _NODES, 0),
    (_C, _CACHE + "- Eviction policy: allkeys-lru\n", "allkeys-lru", "allkeys-lfu", _NODES, 0),
    (_C, _CACHE + "- Erreichbar auf Port 6379\n", "6379", "6390", _NODES, 0),
    (_M, _MAIL + "- Consumed by mailer-1\n", "mailer-1", "mailer-2", _TOOL, 0),
    (_M, _MAIL + "- Retention: 24 h (messages are dropped after that)\n", "24", "48", _TOOL, 0),
    (_M, _MAIL + "- At most 5 attempts\n", "5", "8", _TOOL, 0),
)


def later_cases() -> list[Honest]:
    """Return the cases, each with the first entry that holds the old value."""
    return [honest_case(text, old, new, answer, path=path, line=line) for path, text, old, new, answer, line in _CASES]
