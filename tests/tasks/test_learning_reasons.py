"""Why a learning is not written, as the code says it and as the page explains it."""

from __future__ import annotations

import re

from tests.conftest import ROOT

MODULES = ("observations", "observing", "sayings", "drafting", "reviewing", "teaching")
TRIGGERS = ROOT / "dream" / "guards" / "triggers.py"
PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
TABLES = PAGE.partition("# Why a learning is not written")[2].partition("# Why a statement is not written")[0]
EXPLAINED = {
    reason
    for row in TABLES.split("\n")
    if row.startswith("| `")
    for reason in re.findall(r"`([a-z]+(?:-[a-z]+)*)`", row.split(" | ")[0])
}
EXPLAINED_ELSEWHERE = {"secret"}
GIVEN_BY_THE_MODELS = {"reviewer-outage", "model-outage"}
EXPLAINED_BELOW = {"rejected-before"}
NO_REASONS = {"quote-not-found", "learnings", "approved", "create", "update", "merge", "delete", "add"}


def given() -> set[str]:
    """Every reason that stands in the modules as a literal."""
    found: set[str] = set()
    for path in (*(ROOT / "tasks" / f"{module}.py" for module in MODULES), TRIGGERS):
        source = path.read_text("utf-8")
        found |= {*re.findall(r"(?:Refusal\(|return |else |ends\[|== )\"([a-z]+(?:-[a-z]+)*)\"", source)}
        found |= {*re.findall(r"^[A-Z_]+ = \"([a-z]+(?:-[a-z]+)+)\"", source, re.MULTILINE)}
    return found - NO_REASONS - EXPLAINED_ELSEWHERE


def test_every_reason_is_explained() -> None:
    assert given() - EXPLAINED - EXPLAINED_BELOW == set()
    assert len(given()) > 25


def test_every_reason_that_is_explained_is_given() -> None:
    assert EXPLAINED - given() - GIVEN_BY_THE_MODELS == set()
