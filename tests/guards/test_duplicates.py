from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.duplicates import DuplicateGuard, StatementIndex, _words, differs_in_value_alone
from dream.memory.notes import NoteCache, entries_in
from dream.memory.operations import Add, Basis, Operation, Refusal, Remove, Revise, Span
from dream.memory.similarity import word_set
from dream.memory.tree import MappingTree, Tree
from tests.guards.proposals import propose, tree_of

FILES = {
    "queues/invoices.md": "# Invoice queue\n\n- 2026-10-01: The invoice queue holds 500 messages. [thread_a]\n",
    "services/checkout.md": "# Checkout\n\n- 2026-10-02: The checkout API retries three times, then gives up.\n",
    "daily/2026-10-20.md": "# 2026-10-20\n\n- The payment gateway was down for an hour.\n",
}
BASIS = Basis(sources=("thread_x",), dated=date(2026, 10, 14))


def judge(text: str, *, path: str = "services/other.md", files: Mapping[str, str] = FILES) -> Refusal | None:
    add = Add(path=path, text=text, opening="# Other", basis=BASIS)
    return DuplicateGuard(NoteCache())(propose(add, files))


def test_a_new_statement_passes() -> None:
    assert judge("- 2026-10-14: The mailer uses port 2525 in staging. [thread_x, 2026-10-14]") is None


@pytest.mark.parametrize(
    "text",
    [
        "- 2026-10-14: The invoice queue holds 500 messages. [thread_x, 2026-10-14]",
        "- The invoice queue holds 500 messages.",
        "- 2026-10-14: The invoice queue holds  500 messages. (tentative) [thread_x]",
        "The invoice queue holds 500 messages",
        "- Messages: the invoice queue holds 500.",
    ],
)
def test_the_same_statement_is_not_written_twice_anywhere(text: str) -> None:
    assert judge(text) == Refusal("already-written", "queues/invoices.md:3")


def test_a_strong_match_with_another_value_is_to_become_a_revision() -> None:
    assert judge("- 2026-10-14: The invoice queue holds 900 messages. [thread_x, 2026-10-14]") == Refusal(
        "near-duplicate", "queues/invoices.md:3"
    )
    assert judge("- The checkout API never retries three times, then gives up.") == Refusal(
        "near-duplicate", "services/checkout.md:3"
    )


def test_every_entry_of_an_add_counts() -> None:
    text = "- 2026-10-14: Something new. [thread_x]\n- 2026-10-14: The invoice queue holds 500 messages. [thread_x]"
    assert judge(text) == Refusal("already-written", "queues/invoices.md:3")


def test_daily_notes_are_not_asked_about_topic_notes_but_say_nothing_twice_themselves() -> None:
    assert judge("- The invoice queue holds 500 messages.", path="daily/2026-10-21.md") is None
    assert judge("- The payment gateway was down for an hour.", path="daily/2026-10-20.md") == Refusal(
        "already-written", "daily/2026-10-20.md:3"
    )
    assert judge("- The payment gateway was down for an hour.") is None


def test_lines_of_a_day_about_different_threads_may_read_alike() -> None:
    line = '- 2026-10-20: ana asked "review PR {}"; 1 message by people. [{}, 2026-10-20]'
    files = {"daily/2026-10-20.md": f"# 2026-10-20\n\n{line.format(12, 'thread_a')}\n"}
    assert judge(line.format(13, "thread_b"), path="daily/2026-10-20.md", files=files) is None
    assert judge(line.format(13, "thread_a"), path="daily/2026-10-20.md", files=files) == Refusal(
        "near-duplicate", "daily/2026-10-20.md:3"
    )


def test_the_index_follows_what_tonight_has_changed() -> None:
    guard = DuplicateGuard(NoteCache())
    add = Add(path="services/other.md", text="- The mailer uses port 2525.", opening="# Other", basis=BASIS)
    first = propose(add, FILES)
    assert guard(first) is None
    again = Add(path="services/third.md", text="- The mailer uses port 2525.", opening="# Third", basis=BASIS)
    assert guard(propose(again, first.after)) == Refusal("already-written", "services/other.md:3")
    removed = propose(
        Remove(span=Span(path="queues/invoices.md", text=FILES["queues/invoices.md"].split("\n")[2])), first.after
    )
    assert guard(removed) is None
    back = Add(path="services/other.md", text="- The invoice queue holds 500 messages.", basis=BASIS)
    assert guard(propose(back, removed.after)) is None


def test_what_a_failed_task_had_written_is_forgotten() -> None:
    guard = DuplicateGuard(NoteCache())
    add = Add(path="services/other.md", text="- The mailer uses port 2525.", opening="# Other", basis=BASIS)
    tree = tree_of(FILES)
    first = propose(add, tree)
    assert guard(first) is None
    assert guard(propose(Add(path="queues/invoices.md", text="- More to say.", basis=BASIS), first.after)) is None
    assert guard(propose(add, tree)) is None


def test_a_statement_is_found_among_thousands() -> None:
    words = ["alpha", "bravo", "carol", "delta", "echo", "fox", "golf", "hotel"]
    many = {
        f"n/{number}.md": f"- The {words[number % 8]} service of {number} serves {words[number % 7]} on {number}.\n"
        for number in range(3_000)
    }
    assert judge("- The bravo service of 17 serves delta on 17.", files=many) == Refusal("already-written", "n/17.md:1")


@pytest.mark.parametrize(
    ("standing", "new"),
    [
        ("The checkout API retries three times, then gives up.", "The billing API retries three times, then gives up."),
        ("Of 3 pull requests in acme/web: 2 were merged.", "Of 3 pull requests in acme/api: 2 were merged."),
        ("The db-1 host runs version 15.2 of Postgres.", "The db-2 host runs version 15.3 of Postgres."),
        ("Deploys of `web` need two approvals from owners.", "Deploys of `api` need two approvals from owners."),
    ],
)
def test_the_same_words_about_another_thing_are_another_statement(standing: str, new: str) -> None:
    assert judge(f"- {new}", files={"a.md": f"- {standing}\n"}) is None


@pytest.mark.parametrize(
    ("standing", "new", "reason"),
    [
        ("The worker retries failed jobs 5 times.", "The workers retry failed jobs 5 times.", "already-written"),
        (
            "The worker retries failed invoice jobs 5 times.",
            "The worker retries failed jobs 5 times.",
            "already-written",
        ),
        (
            "The worker retries failed jobs 5 times.",
            "The worker retries failed invoice jobs 5 times.",
            "near-duplicate",
        ),
        ("The worker does not retry failed jobs.", "The worker does retry failed jobs.", "near-duplicate"),
        ("The worker retries after 30 seconds.", "The worker retries after 45 seconds.", "near-duplicate"),
        ("The dashboard of orders is enabled.", "The dashboard of orders is disabled.", "near-duplicate"),
    ],
)
def test_rewordings_say_nothing_new_and_new_values_are_revisions(standing: str, new: str, reason: str) -> None:
    assert judge(f"- {new}", files={"a.md": f"- {standing}\n"}) == Refusal(reason, "a.md:1")


class CountingTree:
    """A tree that counts how many files are read."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.reads = 0
        self.paths, self.blob, self.size, self.oddities = tree.paths, tree.blob, tree.size, tree.oddities

    def read(self, path: str) -> bytes | None:
        self.reads += 1
        return self._tree.read(path)


def test_each_note_is_read_once_a_night_however_many_statements_are_added() -> None:
    tree = CountingTree(tree_of({f"n/{number}.md": f"- Fact number {number} of many.\n" for number in range(200)}))
    guard = DuplicateGuard(NoteCache())
    for number in range(20):
        add = Add(path="new.md", text=f"- Another statement, the {number}th.", opening="# New", basis=BASIS)
        guard(propose(add, tree))
    assert tree.reads <= 200


@given(st.text())
def test_the_index_reads_words_as_everybody_else_does(text: str) -> None:
    assert set(_words(text)) == word_set(text)


def judge_revise(old: str, new: str, *, path: str = "a.md") -> str | None:
    operation: Operation = Revise(span=Span(path=path, text=old), new=new)
    refusal = DuplicateGuard(NoteCache())(propose(operation, {path: f"{old}\n"}))
    return refusal.reason if refusal else None


def test_nothing_is_written_for_a_timestamp_alone() -> None:
    old = "- 2026-10-01: The pool holds 20. [thread_a, 2026-10-01]"
    assert judge_revise(old, "- 2026-10-14: The pool holds 20. [thread_a, 2026-10-14]") == "timestamp-only"
    assert judge_revise(old, "* 2026-10-14:  The pool holds 20. [thread_a]") == "timestamp-only"
    assert judge_revise("**Updated:** 2026-10-01\n\nBody.", "**Updated:** 2026-10-14\n\nBody.") == "timestamp-only"


def test_another_source_another_status_and_another_word_are_something_to_write() -> None:
    old = "- 2026-10-01: The pool holds 20. [thread_a, 2026-10-01]"
    assert judge_revise(old, "- 2026-10-01: The pool holds 20. [thread_a, thread_b, 2026-10-01]") is None
    assert judge_revise(old, "- 2026-10-01: The pool holds 20. (tentative) [thread_a, 2026-10-01]") is None
    assert judge_revise(old, "- 2026-10-14: The pool holds 30. [thread_a, 2026-10-14]") is None
    assert judge_revise("see [x](old.md)", "see [x](new.md)") is None


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("The checkout API listens on port 9443.", True),
        ("The checkout API does not listen on port 8443.", True),
        ("The staging checkout API listens on port 9443.", False),
        ("The search API listens on port 8443.", False),
    ],
)
def test_two_statements_are_about_one_thing_where_they_differ_in_values_alone(other: str, *, same: bool) -> None:
    (entry,), (beside,) = entries_in("- The checkout API listens on port 8443."), entries_in(f"- {other}")
    assert differs_in_value_alone(entry, beside) is same


def test_notes_are_scored_by_how_many_rare_words_they_share() -> None:
    tree = MappingTree(
        {
            "a.md": b"# A\n\n- The ledger closes at noon.\n",
            "b.md": b"# B\n\n- The ledger opens.\n",
            "c.md": b"# C\n\n- Search is slow.\n",
        }
    )
    index = StatementIndex(NoteCache())
    index.refresh(tree, tree.paths())
    scores = index.scores(frozenset({"ledger", "closes", "noon", "unheard"}), most=10)
    assert sorted(scores, key=lambda path: -scores[path]) == ["a.md", "b.md"]
