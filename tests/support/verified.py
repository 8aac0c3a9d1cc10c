"""A memory of two services, what a system answers about them, and a model that checks it honestly."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tasks.verification.model_verdicts import EntryVerdict
from tasks.verification.plans import PlannedCheck
from tests.support.probes import TableProbe, found
from tests.support.repositories import git
from tests.support.stage import NIGHT, Stage
from tests.support.verifiers import Shown, about, line_of, says

ORDERS = "services/orders-api.md"
BILLING = "services/billing-api.md"
CHECK = "  check: metrics get `orders-api` is `5`"
TASK = "production_verification"

MEMORY = {
    "MEMORY.md": "# Memory\n\n- [orders-api](services/orders-api.md)\n- [billing-api](services/billing-api.md)\n",
    ORDERS: (
        "# orders-api\n\n"
        "- 2026-10-01: orders-api runs with 5 replicas. [thread_0001, 2026-10-01]\n"
        "- 2026-10-02: orders-api runs in the region eu-1. [person:ana@thread_0002, 2026-10-02]\n"
        "- 2026-10-03: We ask ana before orders-api is deployed. [thread_0003, 2026-10-03]\n"
    ),
    BILLING: "# billing-api\n\n- 2026-10-04: billing-api runs with 3 replicas. [thread_0004, 2026-10-04]\n",
}
ANSWERS = {
    ("get", "orders-api"): found("orders-api", replicas="7", region="eu-1"),
    ("get", "billing-api"): found("billing-api", replicas="3", region="eu-2"),
}
PINNED = {**MEMORY, ORDERS: MEMORY[ORDERS].replace("2026-10-01]\n", f"2026-10-01]\n{CHECK}\n")}


def text(stage: Stage, path: str) -> str:
    return stage.files()[path].decode()


def metrics(**told: Any) -> TableProbe:
    return TableProbe(**{"answers": ANSWERS, **told})


def plan(title: str, entries: dict[int, str]) -> Sequence[PlannedCheck]:
    """Ask about the service of a note, for every entry."""
    name = title.partition(".md")[0].rpartition("/")[2]
    return [about(number, name) for number in entries]


def honest(shown: Shown) -> Sequence[EntryVerdict]:
    """Say of replicas and regions what the outputs say."""
    verdicts = []
    for number, entry in shown.entries.items():
        name = shown.title.partition(".md")[0].rpartition("/")[2]
        quote = line_of(shown.outputs, f"{name}: replicas=")
        replicas = quote[1].partition("replicas=")[2].split(" ")[0]
        if "replicas" in entry and f" {replicas} " not in entry:
            old = next(word for word in entry.split() if word.isdigit())
            verdicts.append(says(number, "false", quote, statement=entry.replace(old, replicas)))
        elif "replicas" in entry or "eu-1" in entry:
            verdicts.append(says(number, "true", quote))
        else:
            verdicts.append(says(number, "unsure"))
    return verdicts


def message(stage: Stage, task: str = TASK, nights: int = 0) -> str:
    commit = stage.commit_of(task, NIGHT + timedelta(days=nights))
    return git(stage.hosted.path, "show", "-s", "--format=%B", commit)


def findings(stage: Stage, nights: int = 0) -> tuple[str, ...]:
    return stage.record(NIGHT + timedelta(days=nights)).tasks[TASK].findings
