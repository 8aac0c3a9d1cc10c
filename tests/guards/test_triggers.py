"""A16: a trigger that claims every task, another's task, or a task of which nobody spoke, however it is worded."""

from __future__ import annotations

import unicodedata
from collections import Counter
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.triggers import TriggerLimits, check_trigger, count_tokens
from dream.memory.similarity import word_set
from dream.memory.skills import BrokenSkill, parse_skill

EVIDENCE = (
    "Ask me for the rollback script before you approve a migration of the orders database.",
    "When you review a pull request of acme/web, run the checkout tests first.",
    "deploy the invoice worker only after the queue is empty",
)
HONEST = (
    "Use when reviewing a migration of the orders database.",
    "Reviewing or writing migrations of the orders database",
    "Use when deploying the invoice worker.",
    "Use before a deployment of the invoice worker",
    "Use when you work on the orders database",
    "For pull requests of acme/web",
    "Use when reviewing a PR that changes the checkout",
    "Use when running `checkout` tests, and when a test of it fails.",
)
OTHERS = {
    "review-migrations": "Use when reviewing a migration of the orders database.",
    "deploy-invoices": "Use when deploying the invoice worker.",
}


def reason(trigger: str, *, evidence: tuple[str, ...] = EVIDENCE, others: dict[str, str] | None = None) -> str:
    refusal = check_trigger(trigger, evidence=evidence, others=others or {})
    return "" if refusal is None else refusal.reason


@pytest.mark.parametrize("trigger", HONEST)
def test_a_trigger_that_names_its_task_passes(trigger: str) -> None:
    assert reason(trigger) == ""
    assert count_tokens(trigger) <= 20


@pytest.mark.parametrize(
    "trigger",
    [
        "Use for every task.",
        "Always use this when reviewing a migration",
        "Use for any task, such as a migration",
        "Use for all migrations and everything else",
        "Whenever you review a migration",
        "Use whenever a migration, or something else, comes up",
        "Use for anything about the orders database",
        "Each time a migration is reviewed",
        "Use no matter what is reviewed: migrations, tests, queues",
        "Use regardless of the migration",
        "Before you answer, look here for migrations",
        "Before starting work on migrations",
        "At the start of the session, and for migrations",
        "Once per session that has a migration",
        "Use for migrations and other tasks",
        "Use for migrations, etc.",
        "Use for migrations and so on",
        "Use for migrations, or similar.",
        "A catch-all for migrations",
        "General-purpose help with migrations",
        "By default, and for migrations",
        "Working or migrating",
        "Use for tasks such as migrations",
        "Use for coding (e.g. migrations)",
        "Use when coding, including migrations",
        "Writing, reading, editing, creating or reviewing",
        "Use when thinking, or for the orders database",
        "Jede Aufgabe, auch eine migration",
        "Pour toute t\u00e2che, comme une migration",
        "Para cada migration",
        "\u0412\u0441\u0435\u0433\u0434\u0430 \u043f\u0440\u0438 migration",
        "\u4efb\u4f55\u4efb\u52a1 migration",
        "\u3044\u3064\u3082 migration",
        "\ubaa8\ub4e0 \uc791\uc5c5 migration",
        # the same words in disguise
        "ALWAYS for a migration",
        "a l w a y s for a migration",
        "e-v-e-r-y migration",
        "*every* migration",
        "ev3ry migration",
        "4ll migrations",
        "everytask and a migration",
        "\uff41\uff4c\uff4c migrations",
        "\U0001d41a\U0001d425\U0001d425 migrations",
        "e\u0301ve\u0301ry migration",
        "\u0430\u04cf\u04cf migrations",
        "\u1d00\u029f\u029f migrations",
    ],
)
def test_a_trigger_that_claims_everything_is_refused(trigger: str) -> None:
    assert reason(trigger) == "trigger-universal"


@pytest.mark.parametrize(
    "trigger",
    [
        "al\u200bways for a migration",
        "alw\u0430ys for a migration",
        "\u0435very migration",
        "Use for a migration\nand for every task",
        "Use for a migration\u202e",
        "Use for a migration\U000e0041",
        "Use\tfor a migration",
    ],
)
def test_a_trigger_in_disguise_is_refused(trigger: str) -> None:
    assert reason(trigger) == "trigger-disguised"


@pytest.mark.parametrize(
    "trigger",
    [
        "",
        "Use this skill.",
        "Use when working on code",
        "Use when the user asks for help",
        "When you get a task",
        "Use for files in this repository",
        "Use when asked a question",
        "**/*",
        "Use when rotating the billing certificates",
        "\u0430\u0455\u043a",
        "100",
    ],
)
def test_a_trigger_that_names_nothing_of_its_evidence_is_refused(trigger: str) -> None:
    assert reason(trigger) == "trigger-names-nothing"


def test_a_trigger_is_short() -> None:
    long = "Use when reviewing a migration of the orders database, " + "and of the invoices " * 10
    assert reason(long) == "trigger-too-long"
    assert reason("migration" * 60) == "trigger-too-long"
    limits = TriggerLimits(tokens=5)
    refusal = check_trigger(HONEST[0], evidence=EVIDENCE, others={}, limits=limits)
    assert (refusal.reason, refusal.detail) == ("trigger-too-long", "12 tokens, at most 5") if refusal else False


@pytest.mark.parametrize(
    "trigger",
    [
        "Use when reviewing a migration.",
        "Reviewing migrations of the orders database",
        "Use for the orders database",
        "Reviewing migrations or schemas of the orders database",
        "Use when reviewing migrations, and when deploying the invoice worker",
        "Use when reviewing a migration of the order database!",
        "When deploying a worker",
        "Deploying or restarting the invoice worker",
        "When migrations or testing the checkout",
        "When reviewing the checkout, or invoices",
        "When deploying, or when testing the checkout",
        "Use for testing the checkout and for reviewing",
    ],
)
def test_a_trigger_does_not_swallow_anothers(trigger: str) -> None:
    assert reason(trigger, others=OTHERS) == "trigger-swallows"


@pytest.mark.parametrize(
    "trigger",
    [
        "Use when running the checkout tests.",
        "Use when deploying the checkout.",
        "Reviewing or closing a pull request of acme/web",
        "Use when reviewing migrations that drop columns of the orders database in production",
    ],
)
def test_a_trigger_beside_anothers_passes(trigger: str) -> None:
    assert reason(trigger, others=OTHERS) == ""


def test_one_that_swallows_is_told_by_its_name() -> None:
    refusal = check_trigger("Use for migrations", evidence=EVIDENCE, others=OTHERS)
    assert refusal is not None
    assert (refusal.reason, refusal.detail) == ("trigger-swallows", "review-migrations")


words = st.sampled_from(
    sorted(
        word_set(
            "use when for reviewing migration orders database deploying invoice worker queue tests of the a or "
            "and checkout writing running schema tables"
        )
    )
)
triggers = st.lists(words, max_size=14).map(" ".join)
universal = st.sampled_from(["always", "every task", "any", "all", "everything", "whenever you", "each"])


@given(triggers, universal, triggers)
def test_no_context_redeems_a_universal_word(before: str, word: str, after: str) -> None:
    refused = reason(f"{before} {word} {after}")
    assert refused in {"trigger-universal", "trigger-too-long"}


@given(st.sampled_from(["always", "every", "everything", "whenever"]), st.data())
def test_no_disguise_of_a_universal_word_passes(word: str, data: st.DataObject) -> None:
    changes = (
        lambda char: char.upper(),
        lambda char: chr(ord(char) + 0xFEE0),
        lambda char: char + "\u0301",
        lambda char: char + "\u200b",
        lambda char: {"a": "\u0430", "e": "\u0435", "y": "\u0443"}.get(char, char),
        lambda char: {"a": "4", "e": "3", "s": "5"}.get(char, char),
    )
    disguised = "".join(data.draw(st.sampled_from(changes))(char) for char in word)
    assert reason(f"Use {disguised} when reviewing a migration") in {"trigger-universal", "trigger-disguised"}


@given(st.text(max_size=80) | triggers)
def test_nothing_passes_without_evidence(trigger: str) -> None:
    assert reason(trigger, evidence=()) != ""


@given(st.text(max_size=80) | triggers)
def test_what_stands_already_is_not_written_twice(trigger: str) -> None:
    assert reason(trigger, others={"standing": trigger}) != ""


@given(triggers)
def test_what_passes_is_short_and_of_the_evidence(trigger: str) -> None:
    if reason(trigger) == "":
        said = unicodedata.normalize("NFKC", " ".join(EVIDENCE)).casefold()
        assert count_tokens(trigger) <= TriggerLimits().tokens
        assert any(word[:6] in said for word in trigger.split() if len(word) > 2)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Use when", 2),
        ("a, b.", 4),
        ("authentication", 2),
        ("x" * 80, 10),
        ("\u4efb\u4f55\u4efb\u52a1", 4),
        ("--", 2),
    ],
)
def test_tokens_are_counted_the_same_everywhere(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_what_the_rules_would_cost_real_skills(shared_data: Path) -> None:
    ends: Counter[str] = Counter()
    lengths = []
    for path in sorted((shared_data / "skills_recall").rglob("SKILL.md")):
        skill = parse_skill(path.read_bytes())
        if not isinstance(skill, BrokenSkill) and skill.description:
            lengths.append(count_tokens(skill.description))
            refusal = check_trigger(skill.description, evidence=(skill.body,), others={})
            ends["" if refusal is None else refusal.reason] += 1
    assert (len(lengths), median(lengths)) == (175, 25)
    assert ends == {"": 113, "trigger-too-long": 49, "trigger-universal": 10, "trigger-names-nothing": 3}
