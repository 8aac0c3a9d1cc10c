from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dream.guards.sameness.covering import cut, uncovered

TOGGLES = [
    ("The cache is enabled.", "The cache is disabled."),
    ("The primary takes the writes.", "The secondary takes the writes."),
    ("The backup runs weekly.", "The backup runs daily."),
    ("The backup runs every week.", "The backup runs daily."),
    ("It waits at least 30 s.", "It waits at most 30 s."),
    ("It waits 30 seconds.", "It waits 30 minutes."),
    ("orders-api calls billing-api.", "billing-api calls orders-api."),
    ("Workers poll the broker.", "The broker polls workers."),
    ("The job copies files from Ceph to the vault.", "The job copies files from the vault to Ceph."),
    ("The api uses 5 replicas in production.", "The api uses 5 replicas in staging."),
    ("The api uses 5 replicas.", "The api uses 5 replicas in staging."),
    ("Deploys go to eu-west-1.", "Deploys go to us-east-1."),
    ("All workers retry.", "Some workers retry."),
    ("All workers retry.", "Only workers retry."),
    ("The worker retries.", "The worker no longer retries."),
    ("The worker retries.", "The worker never retries."),
    ("The worker starts.", "The worker starts without a lock."),
    ("The worker retries.", "The worker retries, except on Sundays."),
    ("The worker retries.", "The worker retries unless the queue is full."),
    ("The worker retries.", "The worker retries if the queue is full."),
    ("The job runs on node-three.", "The job used to run on node-three."),
    ("The job must run at night.", "The job may run at night."),
    ("The queue has 5 workers.", "The invoice queue has 5 workers."),
    ("Ana Lind approves releases.", "Ben Lind approves releases."),
    ("Restart the pool before the cache.", "Restart the pool after the cache."),
    ("Use the blue button or the key.", "Use the blue button and the key."),
    ("The flag is on.", "The flag is off."),
    ("The first step locks the table.", "The second step locks the table."),
    ("The pool is slow because the worker retries.", "The worker retries because the pool is slow."),
    ("Run `git add`.", "Run `git add -A`."),
    ("Reads go up at night.", "Reads go down at night."),
    ("orders-api has 20 readers and 5 writers.", "orders-api has 5 readers and 20 writers."),
    ("orders-api calls the gateway 5 times.", "The gateway calls orders-api 5 times."),
    ("orders-api has a timeout of 30 s.", "orders-api has a connection timeout of 30 s."),
    ("orders-api keeps at least 20 connections.", "orders-api keeps 20 connections."),
    ("orders-api runs 5 replicas on blue.", "orders-api runs 5 replicas on green."),
    ("Der Dienst ist aktiv.", "Der Dienst ist inaktiv."),
]


@pytest.mark.parametrize(("one", "other"), TOGGLES)
def test_one_word_that_says_another_thing_keeps_both(one: str, other: str) -> None:
    assert uncovered(one, other)
    assert uncovered(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The pool holds 20 connections.", "The pool keeps 20 connections."),
        ("The backup runs weekly.", "The backup runs every week."),
        ("It waits at least 30 s.", "It waits a minimum of 30 seconds."),
        ("orders-api needs redis.", "`orders-api` requires Redis!"),
        ("In staging, the api uses 5 replicas.", "The api uses 5 replicas in staging."),
        ("Because the pool is slow, the worker retries.", "The worker retries due to the pool being slow."),
        ("The port of search-api is 8080.", "search-api: port 8080"),
        ("The limit is 1,000 rows.", "The limit is 1000 rows."),
        ("Retries are set to three.", "retries: 3"),
        ("search-api listens on port 8080.", "8080 is the port of search-api."),
        ("The pool of orders-api holds 20 connections.", "orders-api has 20 connections in its pool."),
    ],
)
def test_two_wordings_of_one_statement_cover_each_other(one: str, other: str) -> None:
    assert (uncovered(one, other), uncovered(other, one)) == ("", "")


@pytest.mark.parametrize(
    "detail", [" because backups run", ", see the runbook", " with `pool_size`", "; Ana Lind knows more"]
)
def test_a_detail_behind_a_statement_covers_it_and_is_not_covered(detail: str) -> None:
    plain, more = "The pool is slow at night.", f"The pool is slow at night{detail}."
    assert uncovered(more, plain) == ""
    assert uncovered(plain, more)


@pytest.mark.parametrize(
    ("old", "new", "against"),
    [
        ("The pool of orders-db always holds 20 connections.", "The orders-db pool always holds 20.", ""),
        ("The worker retries only on timeouts.", "The worker retries on timeouts.", "only"),
        ("The worker may retry on timeouts.", "The worker retries on timeouts.", "may"),
        ("Workers poll the broker.", "The broker polls workers.", "workers"),
        ("It waits, if the queue is full, for a while.", "It waits, if the queue is full.", "while"),
    ],
)
def test_a_shorter_statement_takes_words_away_and_turns_nothing(old: str, new: str, against: str) -> None:
    assert bool(cut(old, new)) == bool(against)


WORDS = st.sampled_from(["pool", "worker", "the", "is", "not", "only", "if", "20", "30", "primary", "staging", "a-b"])


@given(st.lists(WORDS, min_size=1, max_size=8), st.lists(WORDS, min_size=1, max_size=8))
def test_what_covers_a_statement_holds_every_word_of_it_that_is_not_free(one: list[str], other: list[str]) -> None:
    free = {"the", "is"}
    if uncovered(" ".join(one), " ".join(other)) == "":
        assert {*other} - free <= {*one}
