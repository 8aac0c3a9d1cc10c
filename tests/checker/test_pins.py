from __future__ import annotations

import re

import pytest

from dream.checker.finding import Finding
from dream.checker.inspection import check
from dream.checker.pins import Asking
from dream.checker.rules import RULES, Severity
from dream.memory.limits import IndexLimits
from dream.memory.notes import NoteCache
from dream.memory.pinned import Relation, pinned_checks
from tests.conftest import ROOT
from tests.guards.proposals import tree_of

CLEAN = {"MEMORY.md": "# Memory\n\n- [A](services/a.md)\n- [Catalog](CATALOG.md)\n", "CATALOG.md": "# Catalog\n"}
ASKING = Asking(
    probes=("web", "orders-db"),
    objection=lambda probe, operation, text: "" if (probe, operation) == ("web", "get") else f"no {operation} {text}",
)
SAID = "- orders-api runs 5 replicas in eu-1.\n"
FINE = "  check: web get `/orders $.replicas` is `5`\n"


def found(text: str, *, path: str = "services/a.md", asking: Asking | None = None) -> list[Finding]:
    notes = {**CLEAN, "services/a.md": "# A\n", path: f"# A\n\n{text}"}
    findings = check(tree_of(notes), NoteCache(), IndexLimits(), asking=asking)
    return [finding for finding in findings if finding.rule.startswith("check-")]


def rules(text: str, *, path: str = "services/a.md", asking: Asking | None = None) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in found(text, path=path, asking=asking)]


def test_a_sound_check_is_no_finding() -> None:
    assert rules(SAID + FINE) == []
    assert rules(SAID + FINE, asking=ASKING) == []


def test_a_check_that_cannot_be_read_says_how_to_mend_it() -> None:
    assert found(f"{SAID}  check: web get `/x` = `5`\n") == [
        Finding(
            path="services/a.md",
            line=4,
            rule="check-unreadable",
            severity=Severity.ERROR,
            message="it is no check",
            way_out="write one of is, is not, contains, at least, at most before what is expected",
        )
    ]
    assert rules("- check: web get `/x` is `5`\n") == [("check-unreadable", 3)]


def test_a_check_that_belongs_to_no_entry_is_never_passed_over() -> None:
    assert rules(f"- 2026-10-01: Dated, in 5 places.\n{FINE}\nUndated, 5.\n{FINE}") == [("check-unattached", 7)]


def test_a_check_without_its_colon_is_named() -> None:
    assert [(one.rule, one.line, one.way_out) for one in found(f"{SAID}  check web get `/x` is `5`\n")] == [
        ("check-unreadable", 4, "write a colon after `check`")
    ]


@pytest.mark.parametrize(
    ("text", "way_out"),
    [
        (
            f"- 2026-10-01: Dated.\n- Undated, 5.\n\n{FINE}{FINE}",
            "line 4 has no date, and entries of this note have one: begin what it checks with `- YYYY-MM-DD: `",
        ),
        (
            f"Said of 5.\n{FINE}\n## Two\n\n**Updated:** 2026-10-01\n\nSaid.\n",
            (
                "line 3 is in no dated section, and entries of this note are such: write "
                "`**Updated:** YYYY-MM-DD` below its heading"
            ),
        ),
        (
            f"- 2026-10-01: Dated.\n\n## Checks\n\n{FINE}",
            "write it below the entry that it checks, indented by two blanks",
        ),
    ],
)
def test_a_check_below_what_is_no_entry_says_what_it_lacks(text: str, way_out: str) -> None:
    assert {(one.rule, one.way_out) for one in found(text)} == {("check-unattached", way_out)}


def test_a_probe_that_the_organisation_does_not_have_is_found_only_where_its_probes_are_known() -> None:
    text = f"{SAID}  check: webb get `/x` is `5`\n"
    assert rules(text) == []
    (finding,) = found(text, asking=ASKING)
    assert (finding.rule, finding.message) == (
        "check-unknown-probe",
        "webb is none of the systems: orders-db, web",
    )


def test_a_question_that_may_not_be_put_is_told_in_the_words_of_the_probe_made_visible() -> None:
    text = f"{SAID}  check: orders-db drop `\u202etable` is `5`\n"
    assert rules(text) == []
    assert [(one.rule, one.message) for one in found(text, asking=ASKING)] == [
        ("check-refused", "no drop \\u202etable")
    ]


@pytest.mark.parametrize(
    "path",
    ["daily/2026-10-21.md", "preferences/slack/ops.md", "learnings/a/SKILL.md", "archive/a.md"],
)
def test_a_check_on_a_note_that_no_night_verifies_is_not_asked(path: str) -> None:
    assert rules(SAID + FINE, path=path) == [("check-not-asked", 4)]


def test_the_same_question_twice_in_a_note_is_one_too_many() -> None:
    again = FINE.replace("`5`", "`7`")
    assert rules(f"{SAID}{FINE}- Another of 7.\n{again}") == [("check-repeated", 6)]
    assert rules(f"{SAID}{FINE}{FINE.replace('is', 'at least')}") == []


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        ("is `7`", [("check-unstated", 4)]),
        ("is `5.0`", []),
        ("is `EU-1`", []),
        ("is `us-1`", [("check-unstated", 4)]),
        ("is `true`", []),
        ("contains `us-1`", []),
        ("is not `us-1`", []),
        ("at least `3`", []),
        ("at most `many`", [("check-undecidable", 4)]),
    ],
)
def test_what_is_expected_is_to_stand_in_the_entry_and_bounds_are_numbers(
    check: str, expected: list[tuple[str, int]]
) -> None:
    assert rules(f"{SAID}  check: web get `/orders` {check}\n") == expected


def test_every_rule_of_checks_can_be_broken() -> None:
    text = (
        f"- 2026-10-01: Said.\n{FINE}{FINE}  check: x\n  check: web y `z` at most `many`\n  check: web get `/` is 7\n"
        f"  check: z get is `1`\n\nUndated.\n\n  check: web get `/` is `1`\n"
    )
    broken = {rule for rule, _ in rules(text, asking=ASKING)} | {rule for rule, _ in rules(text, path="archive/a.md")}
    assert broken == {rule for rule in RULES if rule.startswith("check-")}


def test_the_page_shows_checks_that_are_sound_and_names_every_rule() -> None:
    page = (ROOT / "docs" / "production.md").read_text(encoding="utf-8")
    section = page.partition("\n## Pinned checks\n")[2].partition("\n## ")[0]
    example = section.partition("```\n")[2].partition("```")[0]
    assert len(pinned_checks(example.rstrip("\n"))) == 2
    assert rules(example) == []
    named = re.findall(r"^\| `(check-[a-z-]+)` \|", section, re.MULTILINE)
    assert sorted(named) == sorted(rule for rule in RULES if rule.startswith("check-"))
    assert all(f"`{relation}`" in section for relation in Relation)


def test_what_a_check_expects_is_not_stated_by_itself() -> None:
    assert rules("- orders-api runs some replicas.\n  check: web get `/orders` is `7`\n") == [("check-unstated", 4)]
