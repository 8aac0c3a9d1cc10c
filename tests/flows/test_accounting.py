from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from dream.memory.operations import Add
from dream.memory.outcomes import Changed, Failed, Item, Outcome, Skipped, Unchanged
from dream.memory.records import RoleSpend
from dream.models.ledger import Row
from dream.models.port import Reason, Role, Unanswered, Usage
from dream.models.prices import Price, PriceTable
from dream.night.steps import PlannedTask, SettledItem
from flows.accounting import account_for_models

PRICES = PriceTable(
    dated=date(2026, 11, 1),
    prices={
        "openai/large": Price(input=Decimal(2), cached=Decimal("0.5"), cache_written=Decimal(2), output=Decimal(10))
    },
)
WAITS = SettledItem(item=Item(id="thread_1", reason="outage", pending=True))
WRITTEN = SettledItem(item=Item(id="thread_1"), operations=(Add(path="a.md", text="- x"),))


def planned(outcome: Outcome | None = None, *items: SettledItem) -> PlannedTask:
    return PlannedTask(name="distil", outcome=outcome or Unchanged("1 pending"), items=items or (WAITS,))


def row(role: Role = Role.DREAMER, model: str = "openai/large", *, answered: int = 0, **unanswered: int) -> Row:
    reasons = {Reason(name.replace("_", "-")): count for name, count in unanswered.items()}
    return Row(
        task="distil",
        role=role,
        model=model,
        questions=answered + sum(reasons.values()),
        usage=Usage(input=1_000, cached=400, output=100, calls=1),
        unanswered=reasons,
    )


def accounted(task: PlannedTask, *rows: Row, stopped_by: Unanswered | None = None) -> PlannedTask:
    return account_for_models(task, rows, prices=PRICES, stopped_by=stopped_by)


def test_a_task_that_asked_nobody_is_left_as_it_is() -> None:
    assert accounted(planned()) == planned()


def test_what_each_role_took_is_told_with_its_price() -> None:
    told = accounted(planned(), row(answered=3, refused=1), row(Role.JUDGE, "openai/local", answered=1))
    assert told.spend == {
        "dreamer": RoleSpend(
            model="openai/large",
            questions=4,
            unanswered={"refused": 1},
            calls=1,
            input=1_000,
            cached=400,
            output=100,
            dollars="0.0024",
            priced=date(2026, 11, 1),
        ),
        "judge": RoleSpend(model="openai/local", questions=1, calls=1, input=1_000, cached=400, output=100),
    }
    assert told.findings == ("1 question was asked and not answered: 1 refused",)
    assert told.models == "openai/large, openai/local"
    assert told.outcome == Unchanged("1 pending")


@pytest.mark.parametrize("reason", ["unauthorised", "misconfigured", "quota", "outage", "rate-limited"])
def test_a_task_that_could_ask_nobody_has_failed_and_its_inputs_wait(reason: str) -> None:
    told = accounted(planned(), row(Role.DREAMER, "openai/large", answered=0, **{reason.replace("-", "_"): 2}))
    assert told.outcome == Failed(f"its model could not be asked: {reason}")
    assert told.tally.pending == 1
    assert told.models == ""


def test_a_role_in_which_nobody_answered_fails_a_task_that_wrote_nothing() -> None:
    told = accounted(planned(), row(answered=2), row(Role.JUDGE, outage=5))
    assert told.outcome == Failed("its model could not be asked: outage")


def test_what_was_answered_before_and_kept_was_not_asked_now() -> None:
    stopped = Unanswered(reason=Reason.QUOTA)
    examined = replace(row(Role.JUDGE, answered=8, stopped=1), kept=8)
    assert accounted(planned(), examined, stopped_by=stopped).outcome == Failed("its model could not be asked: quota")
    asked_once = replace(examined, kept=7)
    assert accounted(planned(), asked_once, stopped_by=stopped).outcome == Unchanged("1 pending")
    assert accounted(planned(), replace(row(answered=3), kept=3)).outcome == Unchanged("1 pending")


def test_a_question_that_was_stopped_counts_for_what_stopped_the_night() -> None:
    stopped = Unanswered(reason=Reason.QUOTA, detail="status 429 (insufficient_quota)")
    told = accounted(planned(), row(stopped=3), stopped_by=stopped)
    assert told.outcome == Failed("its model could not be asked: quota")
    assert told.findings == ("3 questions were not asked: quota",)


def test_what_a_ceiling_left_out_is_named_and_no_failure() -> None:
    ceiling = Unanswered(reason=Reason.OVER_BUDGET, detail="the ceiling of 500 calls a night leaves no room")
    told = accounted(planned(), row(over_budget=1, stopped=2), stopped_by=ceiling)
    assert told.outcome == Unchanged("1 pending")
    assert told.findings == ("3 questions were not asked: the ceiling of 500 calls a night leaves no room",)


@pytest.mark.parametrize(
    ("task", "rows"),
    [
        (planned(Changed("1 of 1 inputs, 1 edit"), WRITTEN), [row(outage=1)]),
        (planned(), [row(answered=1, outage=9)]),
        (planned(), [row(refused=1, outage=1)]),
        (planned(), [row(invalid=3)]),
        (planned(Failed("broken")), [row(outage=1)]),
        (planned(Skipped("quiet")), [row(outage=1)]),
    ],
    ids=["something is written", "one answered", "one was refused", "it talks nonsense", "it failed", "it was skipped"],
)
def test_what_else_goes_wrong_with_a_model_is_no_failure_of_its_own(task: PlannedTask, rows: list[Row]) -> None:
    assert accounted(task, *rows).outcome == task.outcome
