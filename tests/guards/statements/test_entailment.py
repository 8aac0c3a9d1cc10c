from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from dream.guards.statements.claims import Claim
from dream.guards.statements.entailment import check_claim, coverage
from dream.guards.statements.quotes import Located, Quote, locate
from dream.memory.operations import Refusal
from tests.guards.statements.spoken import RECORD, thread


def claim_of(
    statement: str, *turns: str | tuple[str, str], resource: str = "", tentative: bool = False, cite: int = 1
) -> Claim:
    """Return a claim that cites the whole of the first `cite` turns, which people said where nothing else is told."""
    utterances = thread(*(("person", turn) if isinstance(turn, str) else turn for turn in turns))
    return Claim(
        statement=statement,
        quotes=tuple(Located(one, 0, len(one.text)) for one in utterances[:cite]),
        record=RECORD,
        resource=resource,
        tentative=tentative,
        later=utterances,
    )


def reason_of(claim: Claim) -> str:
    refusal = check_claim(claim)
    return refusal.reason if refusal else ""


SAID = "The checkout API waits 30s for `ledger-db`, then retries 3 times; src/pay/retry.py does that since v2.4.1."


@pytest.mark.parametrize(
    "statement",
    [
        "The checkout API waits 30 seconds for ledger-db",
        "The checkout API retries three times",
        "`src/pay/retry.py` retries for the checkout API since 2.4.1",
        "The checkout API has waited for ledger-db since v2.4.1",
        "On 2026-10-21 the checkout API waited 30s for ledger-db",
        "In acme/web the checkout API waits for ledger-db",
        "The checkout API waits 0.5 minutes for ledger-db",
        "retry.py retries 3 times",
    ],
)
def test_a_paraphrase_with_the_values_and_names_of_its_evidence_passes(statement: str) -> None:
    assert reason_of(claim_of(statement, SAID)) == ""


@pytest.mark.parametrize(
    "statement",
    [
        "The checkout API waits 60 seconds for ledger-db",
        "The checkout API waits 30 ms for ledger-db",
        "The checkout API waits 30 minutes for ledger-db",
        "The checkout API retries four times",
        "The checkout API retries 33 times",
        "`src/pay/retries.py` retries for the checkout API",
        "`src/payment/retry.py` retries for the checkout API",
        "The checkout API waits for ledger-db-2",
        "The checkout API waits for `orders-db`",
        "The checkout API retries since v2.4.2",
        "The checkout API retries since 2.5",
        "On 2026-10-20 the checkout API waited 30s for ledger-db",
        "The checkout API retries 3 times, see https://acme.example/retries",
        "The checkout API retries 3 times in 50 % of cases",
        "The checkout API of acme/mobile retries 3 times",
        "The checkout API retries 3 times with --backoff",
        "The checkout API retries 3 times with -b",
        "The checkout API retries 3 times as .retryrc says",
        'The checkout API retries 3 times and logs "gave up"',
        "The checkout API retries 3 times on Tuesdays",
        "The checkout API retries twice",
        "The checkout API retries at least 3 times",
        "The checkout API retries 3 times, fixed in #412",
        "The checkout API retries 3 times since October 20",
        "The checkout API retries 3 times in CheckoutRetrier",
        "The checkout API retries 3 times under MAX_RETRIES",
        "The checkout API retries 3 times in eu-west-1",
    ],
)
def test_b41_no_value_path_identifier_version_or_link_passes_that_the_evidence_has_not(statement: str) -> None:
    assert reason_of(claim_of(statement, SAID)) == "no-specific"


@pytest.mark.parametrize(
    ("evidence", "statement"),
    [
        ("The cache keeps entries for 1 hour.", "The cache keeps entries for 60 minutes"),
        ("Half of the uploads fail: 50%.", "A share of 0.5 of the uploads fail"),
        ("We keep 1,000 backups of the ledger.", "1000 backups of the ledger are kept"),
        ("The heap of the proxy is capped at 2 GB.", "The heap of the proxy is limited to at most 2000 MB"),
        ("Since Oct 14 the queue is orders-v2.", "The queue is orders-v2 since 2026-10-14"),
        ("Since 14 October 2026 the queue is orders-v2.", "The queue is orders-v2 since 2026-10-14"),
        ("Yesterday the queue became orders-v2.", "On 2026-10-20 the queue became orders-v2"),
        ("The watch keeps a seven-day lookback.", "The watch has a lookback of 7 days"),
        ("Version 3 of the API is live.", "v3 of the API is live"),
        ("It runs twice a day.", "It runs two times a day"),
        ("Deploys freeze on Fridays.", "On Friday deploys are frozen"),
    ],
)
def test_an_amount_or_a_day_may_be_written_otherwise(evidence: str, statement: str) -> None:
    assert reason_of(claim_of(statement, evidence)) == ""


@pytest.mark.parametrize(
    ("evidence", "statement", "reason"),
    [
        ("We run 3 nodes and 5 queues.", "There are 5 nodes", "other-number"),
        ("Use 12 chars instead of 10 for ticket ids of 17.", "The length is to be 17 chars", "other-number"),
        ("Ben told me that ledger is slow.", "Carla said that ledger is slow", "no-speaker"),
        ("The ledger may be dropped, fine with us.", "As the CTO said, the ledger is dropped", "no-speaker"),
        ("The webhooks retry on a timeout.", "The retries of Stripe webhooks follow a timeout", "no-name"),
        ("It logs with mode: print, and to the console.", "It logs with mode: console", "no-specific"),
        ("It calls GetLogPath.", "It calls GetlogPath", "no-specific"),
        ("Move help, version, login and check.", "To move are help, version, resume and check", "no-name"),
        ("npm installs the client.", "The client is installed by pnpm", "no-name"),
        ("The checkout is slow.", "The сheckout is slow", "disguised-name"),  # noqa: RUF001
        ("The checkout is slow.", "The ｃheckout is slow", "disguised-name"),  # noqa: RUF001
    ],
)
def test_a_changed_count_or_name_is_refused(evidence: str, statement: str, reason: str) -> None:
    assert reason_of(claim_of(statement, evidence)) == reason


def test_a_resource_stands_in_the_evidence_or_in_the_record() -> None:
    evidence = "It listens on port 8443 now."
    assert reason_of(claim_of("It listens on port 8443", evidence, resource="acme/web")) == ""
    assert reason_of(claim_of("It listens on port 8443", evidence, resource="billing")) == "no-resource"
    assert reason_of(claim_of("list.go listens on 8443", "list.go listens on port 8443.", resource="List.go")) != ""
    spelled = "checkoutApi listens on port 8443."
    assert reason_of(claim_of("checkoutApi listens on 8443", spelled, resource="checkout-api")) == ""


@pytest.mark.parametrize(
    ("evidence", "statement", "reason"),
    [
        ("The staging database is backed up.", "The staging database is not backed up", "negation-added"),
        ("The proxy logs headers, not cookies.", "The proxy does not log headers", "negation-added"),
        ("The proxy logs headers.", "The proxy never logs headers", "negation-added"),
        ("Don't restart the search cluster.", "The search cluster is to be restarted", "negation-dropped"),
        ("The staging database isn't backed up.", "The staging database is backed up", "negation-dropped"),
        ("The login tests are not important.", "The login tests are of importance", "negation-dropped"),
        ("The proxy logs headers of requests.", "The proxy fails to log headers of requests", "negation-added"),
        ("The proxy logs headers of requests.", "The proxy is unable to log headers", "negation-added"),
        ("The proxy logs headers of requests.", "The proxy no longer logs headers", "negation-added"),
        ("The proxy has a log of headers.", "The proxy lacks a log of headers", "negation-added"),
        ("The proxy logs headers of requests.", "The proxy logs requests without headers", "negation-added"),
        ("The proxy logs headers of requests.", "The proxy logs headers except of requests", "negation-added"),
        ("The proxy fails to log headers.", "The proxy logs headers", "negation-dropped"),
        ("The proxy refused to log headers.", "The proxy logs headers", "negation-dropped"),
        ("The proxy stopped logging headers.", "The proxy is logging headers", "negation-dropped"),
        ("The proxy lacks a log of headers.", "The proxy has a log of headers", "negation-dropped"),
        ("Deploys run daily except on Fridays.", "Deploys run daily and on Fridays", "negation-dropped"),
        ("Deploys run unless the tests fail.", "Deploys run if the tests fail", "negation-dropped"),
        ("It is wrong where a provider is named.", "It is wrong where no provider is named", "negation-added"),
        ("It starts without the flag, a flag is no use.", "It starts where no flag is given", ""),
        ("The proxy fails to log headers.", "The proxy cannot log headers", ""),
        ("The proxy cannot log headers.", "The proxy is unable to log headers", ""),
        ("Deploys run daily; a flag puts them off.", "Deploys run daily unless a flag puts them off", ""),
        ("We don't want this: all of logs ignored.", "Ignoring all of logs is wanted", "negation-dropped"),
        ("The output does not include the URL of the page.", "The output held the URL of the page", "negation-dropped"),
        (
            "It should NOT be in the web client, it should be in the shared library.",
            "It does not belong in the shared library but in the web client",
            "negation-dropped",
        ),
        ("The proxy should not be in main.", "The proxy is put into main, which has no tests", "negation-dropped"),
        ("Don't write statistics.", "It writes no statistics", ""),
        ("It matched no files.", "That pathspec matched no files", ""),
        ("The staging database isn't backed up.", "The staging database is not backed up", ""),
        ("The flag is unused.", "The flag is not used", ""),
        ("Avoid restarts of the cluster.", "The cluster is not to be restarted", ""),
        ("Don't commit to main.", "Committing to main is forbidden", ""),
        ("Don't forget to restart the proxy.", "The proxy is to be restarted", ""),
        ("No, the proxy logs headers.", "The proxy logs headers", ""),
        ("Change the queue from orders to orders-v2.", "The queue is to be orders-v2 and no longer orders", ""),
        ("We log headers instead of cookies.", "Cookies are not logged", ""),
        ("The keybinding theory is wrong.", "The keybinding is not the cause", ""),
    ],
)
def test_a_claim_says_no_where_its_evidence_does(evidence: str, statement: str, reason: str) -> None:
    assert reason_of(claim_of(statement, evidence)) == reason


MOODS: Sequence[tuple[str, str, str]] = (
    ("Does the importer retry uploads?", "The importer retries uploads", "question-as-fact"),
    ("Should we move the store to Redis", "The store is on Redis", "question-as-fact"),
    ("I wonder if the importer retries uploads", "The importer retries uploads", "question-as-fact"),
    ("Check whether the importer retries uploads.", "The importer retries uploads", "question-as-fact"),
    ("What if the store were on Redis.", "The store is on Redis", "supposition-as-fact"),
    ("We should move the store to Redis.", "The store was moved to Redis", "proposal-as-fact"),
    ("Maybe we move the store to Redis.", "It was decided to move the store to Redis", "proposal-as-fact"),
    ("I'd suggest the store goes to Redis.", "The store is on Redis", "proposal-as-fact"),
    ("We're going to move the store to Redis.", "The store is on Redis", "plan-as-fact"),
    ("TODO: the store on Redis.", "The store is on Redis", "plan-as-fact"),
    ("Tomorrow the store is on Redis.", "The store is on Redis", "plan-as-fact"),
    ("I think the proxy leaks memory.", "The proxy leaks memory", "guess-as-fact"),
    ("Probably the proxy leaks memory.", "The proxy leaks memory", "guess-as-fact"),
    ("The proxy seems to leak memory.", "It is confirmed that the proxy leaks memory", "guess-as-fact"),
    ("Fix the gitignore.", "The gitignore is fixed", "order-as-fact"),
    ("Let's rename the queue.", "The queue was renamed", "order-as-fact"),
    ("yes... implement Option A", "Option A is implemented", "order-as-fact"),
    ("Does the importer retry uploads?", "Ana asked whether the importer retries uploads", ""),
    ("We should move the store to Redis.", "It was proposed to move the store to Redis", ""),
    ("We're going to move the store to Redis.", "The store is to move to Redis", ""),
    ("I think the proxy leaks memory.", "Ana suspects that the proxy leaks memory", ""),
    ("Let's rename the queue.", "The queue is to be renamed", ""),
    ("The proxy leaks memory.", "The proxy leaks memory", ""),
    ("Let's use orders-v2 as the queue.", "The queue is called orders-v2", ""),
)


@pytest.mark.parametrize(("evidence", "statement", "reason"), MOODS)
def test_b41_what_is_asked_proposed_planned_guessed_or_ordered_is_not_told_as_a_fact(
    evidence: str, statement: str, reason: str
) -> None:
    assert reason_of(claim_of(statement, evidence)) == reason


def test_a_guess_may_be_kept_as_tentative_but_never_as_confirmed() -> None:
    said = "I think the proxy leaks memory."
    assert reason_of(claim_of("The proxy leaks memory", said, tentative=True)) == ""
    assert reason_of(claim_of("The proxy is confirmed to leak memory", said, tentative=True)) == "guess-as-fact"
    assert reason_of(claim_of("The store is on Redis", "Should we go to Redis for the store?", tentative=True)) != ""


def test_the_mark_that_makes_it_a_question_cannot_be_left_out_of_the_quote() -> None:
    utterances = thread(("person", "Hm. Do we really think the importer retries uploads? Not sure."))
    found = locate(Quote("m1", "the importer retries uploads"), utterances)
    assert isinstance(found, Located)
    claim = Claim(statement="The importer retries uploads", quotes=(found,), record=RECORD)
    assert check_claim(claim) == Refusal("question-as-fact", "m1")


def test_an_answer_that_is_cited_too_leaves_a_question_to_the_judge() -> None:
    turns = ("Does the importer retry uploads?", "Yes, it does so for uploads.")
    assert reason_of(claim_of("The importer retries uploads", *turns, cite=2)) == ""
    agents = ("Does the importer retry uploads?", ("agent", "Yes, for uploads."))
    assert reason_of(claim_of("The importer retries uploads", *agents, cite=2)) == "question-as-fact"


def test_what_tools_print_has_no_mood() -> None:
    assert reason_of(claim_of("The proxy leaks memory", ("tool", "maybe: the proxy leaks memory?"))) == ""


USED = "We use Redis for the session store."


@pytest.mark.parametrize(
    "later",
    [
        "Scratch that.",
        "no, that approach is wrong, revert it",
        "Never mind, that was my mistake.",
        "Undo that please",
    ],
)
def test_what_its_speaker_takes_back_in_the_next_turn_is_withdrawn(later: str) -> None:
    assert reason_of(claim_of("The session store uses Redis", USED, ("agent", "Done."), later)) == "withdrawn"


def test_what_its_speaker_takes_back_by_name_much_later_is_withdrawn() -> None:
    between = ["Fine.", "Now the docs.", "And the tests."]
    later = "We no longer use Redis for the session store."
    assert reason_of(claim_of("The session store uses Redis", USED, *between, later)) == "withdrawn"


@pytest.mark.parametrize(
    "later",
    [
        ("person:ben", "Scratch that."),
        ("agent", "Scratch that, I reverted it."),
        ("tool", "revert that"),
        ("person", "Can you undo the last commit of the docs?"),
        ("person", "Revert the debug logging though."),
        ("person", "No, the docs come first."),
    ],
)
def test_another_speaker_and_another_matter_take_nothing_back(later: tuple[str, str]) -> None:
    assert reason_of(claim_of("The session store uses Redis", USED, later)) == ""


def test_what_was_taken_back_before_it_was_said_again_stands() -> None:
    utterances = thread(("person", "Scratch that."), ("person", USED))
    quote = Located(utterances[1], 0, len(USED))
    claim = Claim(statement="The session store uses Redis", quotes=(quote,), record=RECORD, later=utterances)
    assert check_claim(claim) is None


def test_coverage_is_the_share_of_the_claims_words_that_were_said() -> None:
    assert coverage(claim_of("The checkout API retries", SAID)) == 1.0
    assert coverage(claim_of("Something else entirely happens", SAID)) == 0.0
    assert coverage(claim_of("the of", SAID)) == 0.0


def test_a_statement_that_has_next_to_nothing_in_common_with_its_evidence_is_refused() -> None:
    refusal = check_claim(claim_of("The warehouse answers for requests of the shop", "What is the state of that?"))
    assert refusal == Refusal("little-in-common", "0% of its words")


def test_a_refusal_shows_at_most_three_names_and_escapes_them() -> None:
    refusal = check_claim(claim_of("It is 1 2 3 4 5 \u202e9\x1b[8", "Nothing of the kind was said."))
    assert refusal == Refusal("no-specific", "1, 2, 3, \u2026")


@pytest.mark.parametrize(
    ("day", "reason"),
    [("2026-10-17", ""), ("2026-10-18", ""), ("2026-10-20", "no-specific"), ("2026-10-21", "no-specific")],
)
def test_what_was_said_days_before_a_session_ended_is_dated_from_when_it_was_said(day: str, reason: str) -> None:
    claim = claim_of(
        f"The invoice queue was moved to eu-west on {day}", "The invoice queue was moved to eu-west yesterday."
    )
    (quote,) = claim.quotes
    earlier = replace(quote, utterance=replace(quote.utterance, at=datetime(2026, 10, 18, 9, tzinfo=UTC)))
    assert reason_of(replace(claim, quotes=(earlier,))) == reason
