from __future__ import annotations

import re

from dream.guards.statements.moods import Mood
from tests.conftest import ROOT

MODULES = ("canary", "entailment", "evidence", "gates", "judging", "quotes", "shapes")
TABLE = (ROOT / "docs" / "formats.md").read_text("utf-8").partition("# Why a statement is not written")[2]
EXPLAINED = set(re.findall(r"`([a-z]+(?:-[a-z]+)+|secret|withdrawn)`", TABLE))
GIVEN_BY_THE_SCREEN = {"unsafe-link", "exfiltrating-link", "encoded-payload", "hides-or-leaks", "agent-instruction"}
GIVEN_BY_THE_TASKS = {"malformed-statement", "malformed-resource", "already-written", "no-room"}
GIVEN_BY_THE_MODELS = {"judge-invalid", "judge-refused", "judge-outage"}


def given() -> set[str]:
    """Every reason that stands in the gates' modules as a literal, and those of the moods."""
    source = "\n".join(
        (ROOT / "dream" / "guards" / "statements" / f"{module}.py").read_text("utf-8") for module in MODULES
    )
    named = re.findall(
        r"(?:Refusal\(|Unfit\(score, |NoJudge\(|return |else |: |\()\"([a-z]+(?:-[a-z]+)+|secret|withdrawn)\"", source
    )
    moods = {f"{mood.value}-as-fact" for mood in Mood if mood is not Mood.FACT}
    return {*named, *moods} - {"judge-no-model"}


def test_every_reason_that_a_gate_gives_is_explained() -> None:
    assert given() - EXPLAINED == set()
    assert len(given()) > 40


def test_every_reason_that_is_explained_is_given() -> None:
    elsewhere = GIVEN_BY_THE_SCREEN | GIVEN_BY_THE_MODELS | GIVEN_BY_THE_TASKS
    assert EXPLAINED - given() - elsewhere == set()


def test_the_tasks_give_what_is_theirs() -> None:
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "tasks").glob("*.py"))
    assert {reason for reason in GIVEN_BY_THE_TASKS if f'"{reason}"' not in source} == set()
