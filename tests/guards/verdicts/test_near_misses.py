"""What is almost evidence, and is none."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.corrections import check_correction
from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.truths import check_true
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import cite, output, record, sample, target

TITLE = "# orders-api\n\n"
PLAIN = output(record("services.orders-api", replicas=7, timeout_seconds=60, region="eu-2"))


def one(line: OutputLine, asked: str = "/services", *names: str) -> Output:
    return output(line, asked=asked, names=names)


# Each: what the note says, what is proposed, the answer, and why not.
CASES: tuple[tuple[str, str, Output, str], ...] = (
    # another thing
    ("- orders-api runs 5 replicas.", "5|7", one(record("services.orders-api-canary", replicas=7)), "other-resource"),
    ("- orders-api runs 5 replicas.", "5|7", one(record("services.orders", replicas=7)), "other-resource"),
    ("- orders-api-canary runs 5 replicas.", "5|7", PLAIN, "other-resource"),
    ("- `db1` runs 5 replicas.", "5|7", one(record("databases.db10", replicas=7)), "other-resource"),
    ("- `db10` runs 5 replicas.", "5|7", one(record("databases.db1", replicas=7)), "other-resource"),
    ("- `Orders-API` runs 5 replicas.", "5|7", one(record("services.ORDERS-API", replicas=7)), "other-resource"),
    ("- Runs 5 replicas.", "5|7", one(record("services.billing", calls="orders-api", replicas=7)), "other-resource"),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("services.billing.dependencies.orders-api", replicas=7)),
        "other-resource",
    ),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("ops.services", name="billing", replicas=7), "x", "orders-api"),
        "other-resource",
    ),
    ("- Runs 5 replicas.", "5|7", one(record("databases.orders-api", replicas=7)), "other-resource"),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("[3]", replicas=7), "/services/orders-api", "services", "orders-api"),
        "other-resource",
    ),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("", replicas=7), "SELECT replicas FROM services WHERE calls = 'orders-api'", "orders-api"),
        "other-resource",
    ),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("", replicas=7), "SELECT replicas FROM services -- orders-api"),
        "other-resource",
    ),
    ("- orders-api and billing-worker run 5 replicas.", "5|7", PLAIN, "other-resource"),
    # another place
    ("- orders-api runs 5 replicas in staging.", "5|7", PLAIN, "other-resource"),
    ("- orders-api runs 5 replicas in eu-1.", "5|7", PLAIN, "other-resource"),
    ("- Runs 5 replicas.", "5|7", one(record("staging.services.orders-api", replicas=7)), "other-resource"),
    ("- Runs 5 replicas.", "5|7", one(record("services.orders-api", env="dev", replicas=7)), "other-resource"),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(sample("kube_deployment_spec_replicas", 7, deployment="orders-api", namespace="shop-staging")),
        "other-resource",
    ),
    ("## Staging\n\n- Runs 5 replicas.", "5|7", PLAIN, "other-resource"),
    ("In staging:\n\n- Runs 5 replicas.", "5|7", PLAIN, "other-resource"),
    ("## billing-worker\n\n- Runs 5 replicas.", "5|7", PLAIN, "other-resource"),
    ("## Worker\n\n- Runs 5 replicas.", "5|7", PLAIN, "other-attribute"),
    (
        "- `orders-api-canary` runs 5 replicas.",
        "5|7",
        one(record("canary", replicas=7), "/services/orders-api-canary", "services", "orders-api-canary"),
        "other-attribute",
    ),
    # only some of what there is
    (
        "- Runs 5 replicas.",
        "5|7",
        one(
            record("", replicas=7),
            "SELECT replicas FROM services WHERE name = 'orders-api' AND shard = 2",
            "orders-api",
        ),
        "narrowed",
    ),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("services.orders-api", replicas=7), "/services $.services[?@.replicas>5]"),
        "narrowed",
    ),
    ("- Runs 5 replicas.", "5|7", output(record("services.orders-api", replicas=7), cut=True), "cut-off"),
    (
        "- Runs 5 replicas.",
        "5|7",
        output(record("services.orders-api", replicas=7), record("services.orders-api", replicas=4)),
        "conflict",
    ),
    # another attribute
    ("- Runs 5 replicas.", "5|10", one(record("services.orders-api", max_replicas=10)), "other-attribute"),
    ("- At most 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- Runs 5 replicas.", "5|10", one(record("services.orders-api", unavailable_replicas=10)), "other-attribute"),
    ("- Runs 5 replicas.", "5|10", one(record("services.orders-api", replicas_last_week=10)), "other-attribute"),
    ("- Runs 5 replicas.", "5|60", PLAIN, "no-such-value"),
    ("- 5 replicas, 30 s timeout", "30|7", PLAIN, "no-such-value"),
    ("- The read timeout is 30 s.", "30|60", PLAIN, "other-attribute"),
    ("- The client timeout is 30 s.", "30|60", PLAIN, "other-attribute"),
    ("- The worker runs 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- The worker listens on port 80 and runs 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- The gateway is next to it. It runs 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- Runs 5 replicas per zone.", "5|7", PLAIN, "other-attribute"),
    ("- Runs 5 replicas during the sale.", "5|7", PLAIN, "other-attribute"),
    ("- Runs 5 replicas on weekends.", "5|7", PLAIN, "other-attribute"),
    ("- If the queue is long, it runs 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- Does not run 5 replicas.", "5|7", PLAIN, "other-attribute"),
    ("- More than 5 replicas run.", "5|7", PLAIN, "other-attribute"),
    ("- Runs about 5 replicas.", "5|7", PLAIN, "other-attribute"),
    # another unit
    ("- The timeout is 30 ms.", "30|60", PLAIN, "no-such-value"),
    ("- The timeout is 30.", "30|60", PLAIN, "other-unit"),
    ("- The timeout is 30 s.", "30|60", one(record("services.orders-api", timeout=60)), "other-unit"),
    ("- The timeout is 30 s.", "30|60000", PLAIN, "no-such-value"),
    # still true
    ("- The timeout is 1 minute.", "1|2", PLAIN, "still-true"),
    ("- Runs seven replicas.", "seven|7", PLAIN, "still-true"),
    ("- Memory is 512 MB.", "512|536", one(record("services.orders-api", memory_bytes=536870912)), "still-true"),
    # more than a value
    ("- Runs 5 replicas.", "5 replicas|7 replicas and 2 canaries", PLAIN, "says-more"),
    ("- Runs 5 replicas.", "Runs 5|Does not run 7", PLAIN, "says-more"),
    ("- Runs 5 replicas.", "5 replicas|7 pods", PLAIN, "other-attribute"),
    ("- Runs 5 replicas.", "5|5", PLAIN, "no-change"),
    ("- TLS in orders-api is enabled.", "in|enabled", one(record("services.orders-api", tls="enabled")), "says-more"),
    # an echo
    (
        "- Runs 5 replicas.",
        "5|7",
        one(record("ops.services", name="orders-api", replicas=7), "/services/orders-api?replicas=7", "orders-api"),
        "narrowed",
    ),
    ("- Runs 5 replicas.", "5|7", one(record("services.orders-api", replicas=7), "/services/7"), "echoed"),
    # not of now
    ("- Runs 5 replicas.", "5|7", one(record("services.orders-api", replicas=7, status="planned")), "not-current"),
    ("- Runs 5 replicas.", "5|7", one(record("services.orders-api", replicas=7, valid_to="2026-01-01")), "not-current"),
    ("- Runs 5 replicas.", "5|7", one(record("services_history.orders-api", replicas=7)), "other-resource"),
    (
        "- Runs 5 replicas.",
        "5|7",
        one(
            OutputLine(text="deploy/orders-api.yaml:3: # replicas: 7"), "deploy/orders-api.yaml replicas", "orders-api"
        ),
        "other-resource",
    ),
    # no plain fact
    ("- orders-api ran 5 replicas until 2025.", "5|7", PLAIN, "not-checkable"),
    ("- It was raised to 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- We plan to run 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- It should run 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- Use 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- Never run more than 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- Does it run 5 replicas?", "5|7", PLAIN, "not-checkable"),
    ("- I think it runs 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- [ ] Runs 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- ~~Runs 5 replicas.~~", "5|7", PLAIN, "not-checkable"),
    ("| replicas | 5 |\n|---|---|\n| x | 5 |", "5|7", PLAIN, "not-checkable"),
    ("> Runs 5 replicas.", "5|7", PLAIN, "not-checkable"),
    ("- As of March it runs 5 replicas.", "5|7", PLAIN, "not-checkable"),
)


@pytest.mark.parametrize(("text", "change", "answer", "reason"), CASES)
def test_what_is_almost_evidence_changes_nothing(text: str, change: str, answer: Output, reason: str) -> None:
    old, _, new = change.partition("|")
    notes = [target(f"{TITLE}{text}\n", place=place) for place in range(2 if ":\n\n" in text else 1)]
    chosen = next(note for note in notes if old in note.entry.key)
    ruling = check_correction(chosen, chosen.entry.key.replace(old, new, 1), cite(answer.lines[0]), (answer,))
    assert isinstance(ruling, Refusal)
    assert ruling.reason == reason


@pytest.mark.parametrize("path", ["preferences/ada.md", "learnings/x.md", "daily/2026-11-01.md", "decisions/adr-3.md"])
def test_in_notes_of_people_and_in_records_nothing_is_corrected_or_confirmed(path: str) -> None:
    note = target(f"{TITLE}- Runs 5 replicas.\n", path=path)
    for ruling in (
        check_correction(note, "Runs 7 replicas.", cite(PLAIN.lines[0]), (PLAIN,)),
        check_true(note, cite(PLAIN.lines[0]), (PLAIN,)),
    ):
        assert isinstance(ruling, Refusal)
        assert ruling.reason == "not-checkable"
