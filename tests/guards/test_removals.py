from __future__ import annotations

from datetime import date

import pytest

from dream.guards.removals import RemovalGuard
from dream.memory.allowance import Charge
from dream.memory.operations import Basis, Operation, Proposal, Refusal, Remove, Revise, Span
from tests.guards.proposals import propose

FILES = {"services/api.md": "# API\n\n- It listens on port 8443.\n- It is old.\n", "daily/2026-10-21.md": "- Old.\n"}
OLD = Span(path="services/api.md", text="- It is old.")


def judge(operation: Operation, *, task: str, statements: int = 0) -> Refusal | None:
    def takes(proposal: Proposal) -> Charge:
        return Charge(night=date(2026, 10, 22), task=proposal.task, notes=0, statements=statements)

    return RemovalGuard(takes)(propose(operation, FILES, task=task))


@pytest.mark.parametrize(("evidence", "passes"), [(("HTTP 404",), True), ((), False), (("", " "), False)])
def test_a_check_removes_what_it_has_evidence_against(evidence: tuple[str, ...], *, passes: bool) -> None:
    answer = judge(Remove(span=OLD, basis=Basis(evidence=evidence)), task="production_verification", statements=1)
    assert answer == (None if passes else Refusal("no-evidence", "services/api.md"))


def test_any_other_task_removes_only_what_is_said_elsewhere() -> None:
    removal = Remove(span=OLD, basis=Basis(evidence=("it is old",)))
    assert judge(removal, task="tidy", statements=1) == Refusal("unique-line", "services/api.md alone says it")
    assert judge(removal, task="tidy", statements=0) is None


def test_edits_and_other_places_are_not_its_matter() -> None:
    assert judge(Revise(span=OLD, new="- It is new."), task="tidy", statements=1) is None
    assert judge(Remove(span=Span(path="daily/2026-10-21.md", text="- Old.")), task="tidy", statements=1) is None
