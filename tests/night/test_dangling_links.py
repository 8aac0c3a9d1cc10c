"""No task of a night writes a link that leads nowhere, or takes away what a link leads to."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dream.memory.operations import Add, Basis, Operation, Refusal, Remove, Span
from tests.support.scripted import draft_over

FILES = {
    "MEMORY.md": "# Memory\n",
    "services/orders.md": (
        "# Orders\n\n## Limits\n\n- 2026-10-01: Ten a second. [thread_7c2e, 2026-10-01] ^ten\n- 2026-10-02: More.\n"
    ),
    "services/shop.md": "# Shop\n\n- 2026-10-01: See [[orders#^ten]] for the limit. [thread_7c2e, 2026-10-01]\n",
}
CITED = "[thread_7c2e, 2026-10-20]"


def added(path: str, statement: str) -> Operation:
    text = f"- 2026-10-20: {statement} {CITED}"
    opening = "" if path in FILES else "# About\n\n"
    return Add(path=path, text=text, opening=opening, basis=Basis(sources=("thread_7c2e",), dated=date(2026, 10, 20)))


@pytest.mark.parametrize(
    ("task", "path"),
    [
        ("distil", "services/shop.md"),
        ("pr_outcomes", "conventions/acme-web.md"),
        ("production_verification", "services/shop.md"),
        ("tidy", "services/shop.md"),
    ],
)
def test_a_line_whose_link_leads_nowhere_is_refused_of_every_task(tmp_path: Path, task: str, path: str) -> None:
    draft = draft_over(tmp_path, FILES, task=task)
    answer = draft.apply(added(path, "The shop is told of in [its plan](plan.md)."))
    assert isinstance(answer, Refusal)
    assert answer.reason == "dangling-link"
    assert not isinstance(draft.apply(added(path, "The shop is told of in [[orders#Limits]].")), Refusal)


def test_what_is_wrong_but_linked_to_is_left_for_a_person(tmp_path: Path) -> None:
    draft = draft_over(tmp_path, FILES, task="production_verification")
    line = FILES["services/orders.md"].split("\n")[4]
    wrong = Remove(span=Span(path="services/orders.md", text=line), basis=Basis(evidence=("probe:web said two",)))
    answer = draft.apply(wrong)
    assert answer == Refusal("dangling-link", "services/shop.md:3 would lead nowhere")
    other = Remove(
        span=Span(path="services/orders.md", text="- 2026-10-02: More."), basis=Basis(evidence=("probe:web said less",))
    )
    assert not isinstance(draft.apply(other), Refusal)
