"""Answers that have almost the words of an entry, and are about another thing, another attribute or a part of it."""

from __future__ import annotations

from collections.abc import Iterator

from dream.guards.verdicts.outputs import Output, OutputLine
from tests.guards.verdicts.heard import Value, output, record, sample

_BAD: dict[str, Value] = {
    "replicas": 88,
    "timeout_seconds": 88,
    "request_timeout_seconds": 88,
    "queue": "jobs-v88",
    "health_check_path": "/health/88",
    "rate_limit_per_minute": 88,
    "schedule": "8 8 * * *",
    "language": "cobol",
    "start_minute": 48,
    "owner": "nobody",
    "upload_quota_mb": 88,
    "memory_mb": 88,
}


def temptations(n: str, b: str) -> Iterator[Output]:
    """Yield answers to tempt a judge of entries about `n`; what is wrong says 88, and `b` is another thing."""
    select = "SELECT * FROM ops.services WHERE "
    for below in ("database", "queue", "cache", "worker", "dependencies", "node"):
        yield output(record("", **_BAD), asked=f"/services/{n}/{below}", names=("services", n, below))
        path = f"deploy/{n}/{below}/values.yaml"
        yield output(record(path, **_BAD), asked=path, names=(path, "deploy", n, below, "values.yaml", "values"))
    for condition in (
        f"depends_on          = '{n}'",
        f"'{n}' = depends_on",
        f"queue =\t\t\t\t\t\t'{n}'",
        f"name = '{n}' AND tenant = 'acme'",
        f"name = '{n}' LIMIT 1",
        f"name = '{n}' OR name = '{b}'",
    ):
        yield output(record("ops.services", **_BAD), asked=select + condition, names=(n,))
    yield output(
        record("", **{n: 88, b: 88, "replicas": 88}), asked=f"/services/{n}/dependencies", names=("services", n)
    )
    yield output(record("replicas", **{n: 88, b: 87}), asked=f"/services/{n}", names=("services", n))
    yield output(
        record(
            f"services.{n}",
            timeout=88,
            connect_timeout_seconds=88,
            request_timeout=88,
            output_queue="jobs-v88",
            dead_letter_queue="jobs-v88",
            metrics_path="/health/88",
            rate_limit_per_hour=88,
            backup_schedule="8 8 * * *",
            test_language="cobol",
            start_hour=8,
            memory_request_mb=88,
            previous_owner="nobody",
            upload_quota_used_mb=88,
            co_owner="nobody",
        ),
        asked="/services",
        names=("services",),
    )
    yield output(record(f"services.{n}.resources.requests", memory_mb=88), asked="/services", names=("services",))
    yield output(record(f"services.{n}.autoscaling", max_replicas=88), asked="/services")
    yield output(record(f"services.{n}.worker", **_BAD), asked="/services", names=("services",))
    yield output(record(f"services.{b}.resources.limits", memory_mb=88), asked="/services", names=("services",))
    yield output(record(f"packages.{n}", version="88.0", language="cobol"), asked="/packages", names=("packages",))
    path = f"deploy/{n}/values.yaml"
    names = (path, "deploy", n, "values.yaml", "values")
    yield output(record(f"{path} sidecar.image", tag="88.0", repository=b), asked=path, names=names)
    yield output(record(f"{path} worker", **_BAD), asked=path, names=names)
    yield output(
        OutputLine(text=f"deploy/{n}/worker.yaml:3: replicas: 88", fields=(("replicas", "88"),)),
        asked=f"deploy/{n}/worker.yaml replicas",
        names=(f"deploy/{n}/worker.yaml", "deploy", n, "worker.yaml", "worker"),
    )
    yield output(
        sample("kube_deployment_spec_replicas", 88, deployment=b, namespace=n),
        asked=f'kube_deployment_spec_replicas{{namespace="{n}"}}',
        names=(n,),
    )
    yield output(record("", name=b, depends_on=n, **_BAD), asked=f'{{"depends_on": "{n}"}}', names=(n,))
    yield output(record("", **_BAD), asked=f'{{"caller":      "{n}"}}', names=(n,))
