"""A removal needs a line that states the end of just the thing that the entry is about."""

from __future__ import annotations

import pytest

from dream.guards.verdicts.falsehoods import check_falsehood
from dream.guards.verdicts.outputs import Output, OutputLine
from dream.guards.verdicts.rulings import Falsehood
from dream.memory.operations import Refusal
from tests.guards.verdicts.heard import Value, cite, output, record, target

NOTE = "# orders-canary\n\n"
PATH = "services/orders-canary.md"


def gone(prefix: str = "services.orders-canary", /, **fields: Value) -> Output:
    return output(record(prefix, **fields))


ENDED = gone(status="deleted", deleted_on="2026-06-01")


@pytest.mark.parametrize(
    "answer",
    [
        ENDED,
        gone(state="decommissioned"),
        gone(phase="Terminated"),
        gone(retired_at="2026-06-01T00:00:00Z"),
        gone(deleted=True),
        gone("ops.services", name="orders-canary", lifecycle_state="retired"),
        output(
            record("ops.services", deleted_on="2026-06-01"),
            asked="SELECT deleted_on FROM ops.services WHERE name = 'orders-canary'",
            names=("orders-canary",),
        ),
    ],
)
@pytest.mark.parametrize(
    "entry",
    [
        "- `orders-canary` runs 2 replicas.",
        "- Runs 2 replicas.",
        "- The service listens on port 8080.",
        "- Owner: payments",
        "- It is owned by payments. [person:ada@thread_1, 2026-01-01]",
    ],
)
def test_what_an_entry_says_of_a_thing_that_has_ended_is_false(entry: str, answer: Output) -> None:
    ruling = check_falsehood(target(f"{NOTE}{entry}\n", path=PATH), cite(answer.lines[0]), (answer,))
    assert isinstance(ruling, Falsehood)
    assert ruling.by_person == ("person:" in entry)


@pytest.mark.parametrize(
    "answer",
    [
        gone(status="active"),
        gone(status="stopped"),
        gone(status="deleting"),
        gone(deleted=False),
        gone(deleted_on="null"),
        gone(deleted_on=""),
        gone(deleted_on="2027-06-01"),
        gone(deleted_rows=4),
        gone(deletion_protection=True),
        gone(delete_after_days=30),
        gone(backup_status="deleted"),
        gone(replicas=0),
        gone("services.orders-canary.backup", status="deleted"),
        gone("services.orders", status="deleted"),
        gone("services.orders-canary-2", status="deleted"),
        gone("staging.services.orders-canary", status="deleted"),
        gone("queues.orders-canary", status="deleted"),
        gone("services.billing", status="deleted", replaced_by="orders-canary"),
        gone("events[2]", service="orders-canary", text="orders-canary was deleted"),
        output(OutputLine(text="orders-canary was deleted on 2026-06-01")),
        output(
            record("docs/orders-canary.md", deleted_in="a1b2c3", deleted_on="2026-06-01"),
            asked="docs/orders-canary.md",
            names=("docs/orders-canary.md", "docs", "orders-canary.md", "orders-canary"),
        ),
        output(*ENDED.lines, record("services.orders-canary", status="active")),
        output(*ENDED.lines, cut=True),
    ],
)
def test_nothing_else_shows_that_it_has_ended(answer: Output) -> None:
    ruling = check_falsehood(target(f"{NOTE}- Runs 2 replicas.\n", path=PATH), cite(answer.lines[0]), (answer,))
    assert isinstance(ruling, Refusal)


@pytest.mark.parametrize(
    "entry",
    [
        "- `orders-canary` was deleted in June.",
        "- `orders-canary` was replaced by `orders-api`.",
        "- `orders-api` took over from `orders-canary`.",
        "- Unlike `orders-canary`, it runs 2 replicas.",
        "- Alerts of `orders-canary` went to #shop.",
        "- Never restart `orders-canary`.",
        "- Use port 8080.",
        "- `orders-api` runs 2 replicas.",
        "- `orders-canary` and `orders-api` share a queue.",
        "- Ada knows the most about this.",
        "- The on-call rota is in PagerDuty.",
        "- Is it still running?",
        "- We plan to run 2 replicas.",
        "## Staging\n\n- Runs 2 replicas.",
        "## orders-api\n\n- Runs 2 replicas.",
    ],
)
def test_what_survives_its_end_or_is_about_more_stays(entry: str) -> None:
    ruling = check_falsehood(target(f"{NOTE}{entry}\n", path=PATH), cite(ENDED.lines[0]), (ENDED,))
    assert isinstance(ruling, Refusal)


def test_a_file_that_is_gone_makes_false_only_what_names_the_file() -> None:
    path = "deploy/orders-canary.yaml"
    ended = OutputLine(text=f"{path}: absent presence=absent deleted_in=a1b2c3 deleted_on=2026-06-01")
    before = OutputLine(text=f"{path}: commit=99aa00 date=2025-03-01")
    answer = output(ended, before, asked=path, names=(path, "deploy", "orders-canary.yaml", "orders-canary"))
    named = target(f"{NOTE}- `{path}` sets 2 replicas.\n", path=PATH)
    assert isinstance(check_falsehood(named, cite(answer.lines[0]), (answer,)), Falsehood)
    for other in ("- `orders-canary` runs 2 replicas.", "- Runs 2 replicas."):
        ruling = check_falsehood(target(f"{NOTE}{other}\n", path=PATH), cite(answer.lines[0]), (answer,))
        assert isinstance(ruling, Refusal)


@pytest.mark.parametrize("name", ["orders_canary", "orders-canary"])
def test_a_name_that_is_gone_from_code_makes_nothing_false_of_a_service(name: str) -> None:
    answer = output(
        OutputLine(text=f"{name}: absent deleted_in=a1b2c3 deleted_on=2026-06-01"), asked=name, names=(name,)
    )
    ruling = check_falsehood(target(f"{NOTE}- Runs 2 replicas.\n", path=PATH), cite(answer.lines[0]), (answer,))
    assert isinstance(ruling, Refusal)
