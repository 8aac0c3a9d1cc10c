"""Wordings that are understood, and beside each the one that only sounds like it."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.outputs import Output
from dream.guards.verdicts.rulings import Correction
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite, output, record, sample, target

TITLE = "# orders-api\n\n- "
PLAIN = output(
    record(
        "services.orders-api",
        replicas=7,
        timeout_seconds=60,
        request_timeout_seconds=45,
        rate_limit_per_minute=900,
        owner="checkout",
        queue="jobs-v2",
        health_check_path="/livez",
        schedule="15 2 * * *",
        dead_letter_queue="dead-v2",
        namespace="shop",
        start_minute=25,
    )
)
LIMITS = output(record("services.orders-api.resources.limits", memory="768Mi"))
SCALING = output(record("services.orders-api.autoscaling", max_replicas=18), record("services.orders-api", replicas=7))
PATH = "deploy/orders-api/values.yaml"
NAMES = (PATH, "deploy", "orders-api", "values.yaml")
IMAGE = output(record(f"{PATH} image", tag="3.4.0", repository="ghcr.io/acme/shop"), asked=PATH, names=NAMES)
SIDECAR = output(record(f"{PATH} sidecar.image", tag="3.4.0", repository="ghcr.io/acme/shop"), asked=PATH, names=NAMES)
SERIES = output(
    sample("service_replicas", 7, service="orders-api", namespace="shop", job="x", instance="10.0.0.1:80"),
    asked='service_replicas{service="orders-api"}',
    names=("orders-api",),
)
QUEUE = output(record("queues.orders-api", visibility_seconds=90), asked="/queues", names=("queues",))
SERVED = output(record("services.orders-api", path="/v2"))
PACKAGE = output(record("packages.orders-api", version="3.4.0"), asked="/packages", names=("packages",))

# Each: what the entry says, what is proposed, and the answer.
UNDERSTOOD = (
    ("Requests time out after 30 s.", "30|45", PLAIN),
    ("orders-api times out after 30 s.", "30|60", PLAIN),
    ("`timeout_seconds: 30`", "30|60", PLAIN),
    ("Timeout in seconds: 30", "30|60", PLAIN),
    ("Starts at minute 10", "10|25", PLAIN),
    ("Rate limited to 600 per minute.", "600|900", PLAIN),
    ("Owned by the payments team.", "payments|checkout", PLAIN),
    ("Reads from `jobs-v1`.", "jobs-v1|jobs-v2", PLAIN),
    ("Health check at `/healthz`.", "/healthz|/livez", PLAIN),
    ("Schedule: `0 2 * * *`", "0 2|15 2", PLAIN),
    ("DLQ: `dead-v1`", "dead-v1|dead-v2", PLAIN),
    ("Visibility timeout: 60 s", "60|90", QUEUE),
    ("5 replicas, each with two zones", "5|7", PLAIN),
    ("Runs 5 replicas in the shop namespace.", "5|7", SERIES),
    ("Memory limit: 512Mi", "512Mi|768Mi", LIMITS),
    ("Max replicas: 12", "12|18", SCALING),
    ("Image tag: `3.1.2`", "3.1.2|3.4.0", IMAGE),
    ("Le port est 5, replicas = 5", "replicas = 5|replicas = 7", PLAIN),
)
NOT_UNDERSTOOD = (
    ("Calls time out after 30 s.", "30|60", PLAIN),
    ("orders-api times out after 30 retries.", "30|60", PLAIN),
    ("orders-api times out after 30 s at night.", "30|60", PLAIN),
    ("`read_timeout_seconds: 30`", "30|60", PLAIN),
    ("`timeout_ms: 30`", "30|60", PLAIN),
    ("`timeout: 30`", "30|60", PLAIN),
    ("Timeout in seconds or minutes: 30", "30|60", PLAIN),
    ("Starts at hour 10", "10|25", PLAIN),
    ("Rate limited to 600 per hour.", "600|900", PLAIN),
    ("The rate limit is 600 minutes.", "600|900", PLAIN),
    ("Owned by the payments team and the search team.", "payments|checkout", PLAIN),
    ("Used by the payments team.", "payments|checkout", PLAIN),
    ("Reads from `jobs`.", "jobs|dead-v2", PLAIN),
    ("Writes to `jobs-v1`.", "jobs-v1|jobs-v2", PLAIN),
    ("The worker reads from `jobs-v1`.", "jobs-v1|jobs-v2", PLAIN),
    ("Reads from `tasks-v1`.", "tasks-v1|jobs-v2", PLAIN),
    ("The metrics page is at `/metrics`.", "/metrics|/livez", PLAIN),
    ("The health dashboard is at `/healthz`.", "/healthz|/livez", PLAIN),
    ("Schedule on weekends: `0 2 * * *`", "0 2|15 2", PLAIN),
    ("Queue: `dead-v1`", "dead-v1|dead-v2", PLAIN),
    ("5 replicas, each zone", "5|7", PLAIN),
    ("5 replicas, sauf la nuit", "5|7", PLAIN),
    ("est. 5 replicas", "5|7", PLAIN),
    ("Runs 5 replicas in the media namespace.", "5|7", SERIES),
    ("Runs 5 replicas in a namespace.", "5|7", SERIES),
    ("Serves `/v1`.", "/v1|/v2", SERVED),
    ("Memory request: 512Mi", "512Mi|768Mi", LIMITS),
    ("Memory: 512Mi", "512Mi|768Mi", LIMITS),
    ("Replicas: 12", "12|18", SCALING),
    ("Image tag: `3.1.2`", "3.1.2|3.4.0", SIDECAR),
    ("Version: 3.1.2", "3.1.2|3.4.0", PACKAGE),
)


def _ruled(text: str, change: str, answer: Output) -> tuple[str, Correction | Refusal]:
    old, _, new = change.partition("|")
    note = target(f"{TITLE}{text}\n", path="orders-api.md" if answer is QUEUE else "services/orders-api.md")
    proposed = note.entry.key.replace(old, new, 1)
    return proposed, check_correction(note, proposed, cite(answer.lines[0]), (answer,))


@pytest.mark.parametrize(("text", "change", "answer"), UNDERSTOOD)
def test_what_people_say_is_understood(text: str, change: str, answer: Output) -> None:
    proposed, ruling = _ruled(text, change, answer)
    assert isinstance(ruling, Correction)
    assert ruling.new_statement == proposed


@pytest.mark.parametrize(("text", "change", "answer"), NOT_UNDERSTOOD)
def test_what_only_sounds_like_it_is_not(text: str, change: str, answer: Output) -> None:
    assert isinstance(_ruled(text, change, answer)[1], Refusal)
