from __future__ import annotations

from dataclasses import replace

import pytest

from dream.guards.specifics import guard_specifics, superseded
from dream.memory.operations import Add, Basis, Merge, Operation, Refusal, Revise, Shorten, Span
from tests.guards.proposals import propose, whole

POOL = "- 2026-10-14: The orders-db pool holds 20 connections, see `db.yml`. [thread_a, 2026-10-14]"


def judge(operation: Operation, **files: str) -> str | None:
    refusal = guard_specifics(propose(operation, {f"{name}.md": f"{text}\n" for name, text in files.items()}))
    return refusal.reason if refusal else None


def merge(a: str, b: str, new: str | None, *, basis: Basis | None = None) -> str | None:
    operation = Merge(
        into=Span(path="a.md", text=a), new=new, absorbed=(Span(path="b.md", text=b),), basis=basis or Basis()
    )
    return judge(operation, a=a, b=f"# B\n\n{b}")


def test_the_same_statement_twice_comes_to_one_with_both_sources_and_the_older_date() -> None:
    a = "- 2026-10-14: The pool holds 20. [thread_a, 2026-10-14]"
    b = "- 2026-10-01: The pool holds 20. [thread_b, 2026-10-01]"
    assert merge(a, b, "- 2026-10-01: The pool holds 20. [thread_a, thread_b, 2026-10-01]") is None


@pytest.mark.parametrize(
    ("new", "reason"),
    [
        ("- 2026-10-01: The pool holds 20. [thread_a, 2026-10-01]", "lost-source"),
        ("- 2026-10-01: The pool holds 20. [thread_b, 2026-10-01]", "lost-source"),
        ("- 2026-10-14: The pool holds 20. [thread_a, thread_b, 2026-10-14]", "date-not-oldest"),
        ("- 2025-01-01: The pool holds 20. [thread_a, thread_b, 2025-01-01]", "date-not-oldest"),
        ("- 2026-10-01: The pool holds many. [thread_a, thread_b, 2026-10-01]", "lost-specific"),
        ("- 2026-10-01: The big pool holds 20. [thread_a, thread_b, 2026-10-01]", "status-laundering"),
        ("- 2026-10-01: The pool holds 20. [thread_a, thread_b, thread_c, 2026-10-01]", "status-laundering"),
        (None, "lost-source"),
    ],
)
def test_a_merge_keeps_the_union_of_sources_the_oldest_date_and_every_specific(new: str | None, reason: str) -> None:
    a = "- 2026-10-14: The pool holds 20. [thread_a, 2026-10-14]"
    b = "- 2026-10-01: The pool holds 20. [thread_b, 2026-10-01]"
    assert merge(a, b, new) == reason


@pytest.mark.parametrize(
    "specific", ["30 seconds", "`make deploy`", "src/orders/pool.py", "[guide](guide.md)", "v2.4.1", "ORDERS_DB_URL"]
)
def test_every_kind_of_specific_survives_or_the_merge_is_refused(specific: str) -> None:
    a, b = "- The orders worker reads the queue.", f"- The orders worker reads the queue with {specific}."
    assert merge(a, b, None) == "lost-specific"
    assert merge(a, b, b) is None


def test_a_differing_value_vetoes_a_merge_even_if_both_are_kept() -> None:
    a, b = "- The pool holds 20 connections.", "- The pool holds 30 connections."
    assert merge(a, b, "- The pool holds 20 connections, 30 connections.") == "differing-value"


def test_a_negation_vetoes_a_merge() -> None:
    a, b = "- The worker retries on timeouts.", "- The worker does not retry on timeouts."
    assert merge(a, b, b) == "negation"


def test_a_value_named_superseded_with_evidence_may_go() -> None:
    a, b = "- The pool holds 20 connections.", "- The pool holds 30 connections."
    basis = Basis(evidence=("supersedes 20: probe:orders-db answered 30 connections",))
    assert merge(a, b, b, basis=basis) is None
    assert merge(a, b, b, basis=Basis(evidence=("supersedes 20: ",))) == "differing-value"


def test_superseded_needs_a_name_and_evidence() -> None:
    basis = Basis(evidence=("supersedes 20: now 30", "supersedes x", "supersedes y:  ", "about supersedes z: q"))
    assert superseded(basis) == {"20"}


def test_a_unique_line_is_not_removed_by_calling_it_a_merge() -> None:
    a = "- The orders worker reads the queue."
    b = "- Important customers are called back within the day."
    assert merge(a, b, None) == "unique-line"


def test_a_line_that_takes_in_itself_would_be_gone() -> None:
    span = Span(path="a.md", text="- The orders worker reads the queue.")
    assert judge(Merge(into=span, new=None, absorbed=(span,)), a=span.text or "") == "unique-line"


def test_tentative_stays_tentative() -> None:
    a = "- 2026-10-14: The pool is slow at night. [thread_a, 2026-10-14]"
    b = "- 2026-10-14: The pool is slow at night. (tentative) [thread_b, 2026-10-14]"
    firm = "- 2026-10-14: The pool is slow at night. [thread_a, thread_b, 2026-10-14]"
    assert merge(a, b, firm) == "status-laundering"
    assert merge(a, b, firm.replace("night. ", "night. (tentative) ")) is None


def test_what_has_no_source_gets_none_by_a_merge() -> None:
    a = "- 2026-10-14: The pool is slow at night. [thread_a, 2026-10-14]"
    b = "- The pool is slow at night because backups run."
    new = "- 2026-10-14: The pool is slow at night because backups run. [thread_a, 2026-10-14]"
    assert merge(a, b, new) == "status-laundering"
    assert merge(a, "- The pool is slow at night.", None) is None


def test_whole_notes_merge_entry_by_entry() -> None:
    slow = "- 2026-10-14: It is slow. [thread_a, 2026-10-14]\n"
    backups = "- 2026-09-01: Backups run at night. [thread_c, 2026-09-01]\n"
    a = f"# Pool\n\n- 2026-10-14: The pool holds 20. [thread_a, 2026-10-14]\n{slow}"
    b = f"# Pool\n\n- 2026-10-01: The pool holds 20. [thread_b, 2026-10-01]\n{backups}"
    both = f"# Pool\n\n- 2026-10-01: The pool holds 20. [thread_a, thread_b, 2026-10-01]\n{slow}{backups}"
    files = {"a.md": a, "b.md": b}
    operation = Merge(into=whole("a.md", files), new=both, absorbed=(whole("b.md", files),))
    assert guard_specifics(propose(operation, files)) is None
    hollow = replace(operation, new=both.replace(backups, ""))
    refusal = guard_specifics(propose(hollow, files))
    assert refusal is not None


def shorten(new: str, *, basis: Basis | None = None) -> str | None:
    return judge(Shorten(span=Span(path="a.md", text=POOL), new=new, basis=basis or Basis()), a=POOL)


def test_a_shortening_keeps_specifics_sources_and_date_and_adds_nothing() -> None:
    assert shorten("- 2026-10-14: orders-db pool 20 connections, `db.yml`. [thread_a, 2026-10-14]") is None
    assert shorten("- 2026-10-14: orders-db pool, `db.yml`. [thread_a, 2026-10-14]") == "lost-specific"
    assert shorten("- 2026-10-14: orders-db pool 20 connections, `db.yml`.") == "lost-source"
    assert shorten("- 2026-10-15: orders-db pool 20 connections, `db.yml`. [thread_a, 2026-10-15]") == "date-not-oldest"
    assert shorten("- 2026-10-14: slow orders-db pool 20 connections, `db.yml`. [thread_a, 2026-10-14]") is not None


def test_a_rewrite_uses_only_words_of_its_input_and_its_evidence() -> None:
    line = "see [the guide](old/guide.md) for the pool"
    moved = "see [the guide](new/guide.md) for the pool"
    span = Span(path="a.md", text=line)
    assert judge(Revise(span=span, new=moved), a=line) == "adds-words"
    assert judge(Revise(span=span, new=moved, basis=Basis(evidence=("new/guide.md",))), a=line) is None


@pytest.mark.parametrize(
    ("told", "evidence", "reason"),
    [
        ("466 days", "inventory.databases: retention_days=466", None),
        ("466 days", "inventory.databases: retention_days=465", "adds-words"),
        ("466 hours", "inventory.databases: retention_days=466", "adds-words"),
        ("466 seconds", "kept for seconds: retention_days=466", "adds-value"),
        ("466 days", "", "adds-words"),
    ],
)
def test_a_number_of_the_evidence_keeps_the_unit_that_was_stated(told: str, evidence: str, reason: str | None) -> None:
    line = "- 2026-10-14: Backups of orders-db are kept for 496 days. [thread_a, 2026-10-14]"
    new = line.replace("496 days", told)
    assert (
        judge(Revise(span=Span(path="a.md", text=line), new=new, basis=Basis(evidence=(evidence,))), a=line) == reason
    )


def test_a_plural_and_an_article_are_no_new_words() -> None:
    line = "1 pull request of the agent was merged"
    more = Revise(
        span=Span(path="a.md", text=line), new="2 pull requests of an agent were merged", basis=Basis(evidence=("2",))
    )
    assert judge(more, a=line) is None


def test_words_are_free_where_the_rule_does_not_bind() -> None:
    assert judge(Add(path="a.md", text="- anything new"), a="- old") is None
    files = {"daily/2026-10-21.md": "- old\n"}
    revise = Revise(span=Span(path="daily/2026-10-21.md", text="- old"), new="- new words")
    assert guard_specifics(propose(revise, files, task="daily_note")) is None


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("It is not a queue and never sleeps.", "It is not a queue and never not sleeps.", "negation"),
        ("It waits 2 s on 3 hosts.", "It waits 2 s on 2 hosts.", "lost-specific"),
        ("2 hours: see Pattern 2.", "2 hours: see Pattern.", "lost-specific"),
        ("It waits 2 s, then 3 s, then 3 s.", "It waits 2 s, then 2 s, then 3 s.", "adds-value"),
        ("It is more than most.", "It is not more than most, more.", "adds-words"),
        ("It has not more than 3, and it is more.", "It is not more than 3, and it has not more.", "negation"),
        ("It is more than that, and not less.", "It is not more than that, and less.", "lost-specific"),
        ("It waits 3 s, then 3 s.", "It waits 3 s.", None),
        ("It waits only in the evening.", "It waits in the evening.", "differing-word"),
        ("Deploys wait unless the queue is full.", "Deploys wait while the queue is full.", "differing-word"),
        ("search calls billing every day.", "billing calls search every day.", "differing-word"),
    ],
)
def test_a_shorter_statement_denies_no_more_and_says_no_value_more_often(
    old: str, new: str, reason: str | None
) -> None:
    assert judge(Shorten(span=Span(path="a.md", text=f"- {old}"), new=f"- {new}"), a=f"- {old}") == reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The paper is on arXiv since May.", "The paper is on arbiv since May."),
        ("(1) Abandon, (2) build, (3) wait.", "(2) Abandon, (2) build, (3) wait."),
        ("It takes ~51 MB of space.", "It takes ~51 weeks of space."),
        ("It takes 2-3 days of work.", "It takes 2-3 weeks of work."),
    ],
)
def test_two_statements_with_another_name_or_number_are_not_one(one: str, other: str) -> None:
    a, b = f"- {one}", f"- {other}"
    for first, second in ((a, b), (b, a)):
        merge = Merge(into=Span(path="a.md", text=first), new=None, absorbed=(Span(path="b.md", text=second),))
        assert judge(merge, a=first, b=second) == "differing-value"


def test_the_very_same_note_is_merged_though_lines_of_it_are_alike_and_differ() -> None:
    text = "# Ports\n\n- checkout-api listens on port 8443.\n- checkout-web listens on port 8444."
    for other, refused in ((text, None), (text.replace("8444", "8445"), "differing-value")):
        files = {"a.md": f"{text}\n", "b.md": f"{other}\n"}
        merge = Merge(into=whole("a.md", files), new=None, absorbed=(whole("b.md", files),))
        assert judge(merge, a=text, b=other) == refused


def test_details_name_what_is_lost() -> None:
    a, b = "- The worker reads the queue.", "- The worker reads the queue in 30 s."
    operation = Merge(into=Span(path="a.md", text=a), new=None, absorbed=(Span(path="b.md", text=b),))
    refusal = guard_specifics(propose(operation, {"a.md": f"{a}\n", "b.md": f"{b}\n"}))
    assert refusal == Refusal("lost-specific", "30 s")
