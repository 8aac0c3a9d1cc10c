"""Lines that are meant as checks and are none, and sentences that are not meant so."""

from __future__ import annotations

import pytest

from dream.memory.pinned import BrokenCheck, PinnedCheck, pinned_checks

STATEMENT = "- 2026-10-14: orders-api runs 5 replicas. [thread_a, 2026-10-14]"
CHECK = "check: web get `/services/orders-api $.replicas` is `5`"

NAMES = "name the probe and the operation first: check: PROBE OPERATION `TEXT` RELATION `EXPECTED`"
RELATIONS = "write one of is, is not, contains, at least, at most before what is expected"


def only(line: str) -> PinnedCheck | BrokenCheck | None:
    found = pinned_checks(f"{STATEMENT}\n{line}")
    return found[0] if found else None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("  check: `/services/x` is `5`", NAMES),
        ("  check: web `/services/x` is `5`", NAMES),
        ("  check: Web get `/services/x` is `5`", NAMES),
        ("  check: web get `/services/x is 5", "close the backticks around what is asked, with as many as open them"),
        ("  check: web get `/x` == `5`", RELATIONS),
        ("  check: web get `/x` equals `what is`", RELATIONS),
        ("  check: web get `/x` Is `5`", "write it in small letters: is, is not, contains, at least or at most"),
        ("  check: web get `/x` At Least `5`", "write it in small letters: is, is not, contains, at least or at most"),
        ("  check: web get /x is `5`", "put what is asked in backticks: `/x`"),
        ("  check: web get /x $.replicas at least `5`", "put what is asked in backticks: `/x $.replicas`"),
        ("  check: web get /x is 5", "put what is asked in backticks: `/x`"),
        ("  check web get `/x` is `5`", "write a colon after `check`"),
        ("\tCheck  web get `/x` is not 5\r", "write a colon after `check`"),
        ("  check prom alerts is `OrdersDown`", "write a colon after `check`"),
        ("  check: web get `/x` is 5", "put what is expected in backticks: `5`"),
        ("  check: web get is 5", "put what is expected in backticks: `5`"),
        ("  check: web get `/x` is `5", "put what is expected in backticks: `5`"),
        ("  check: web get `/x` is ` `", "say what is expected: between its backticks there is nothing"),
        (
            "  check: web get `/x` is `5` [thread_a]",
            "take away what stands after the expected value, or write it on a line of its own",
        ),
        (f"  check: web get `{'x' * 4_000}` is `5`", "make it shorter than 4,000 characters"),
        ("  - check: web get `/x` is `5`", "write it without the list marker"),
        ("  **Check:** web get `/x` is `5`", "write `check:` without stars"),
        ("  __check:__ web get `/x` is `5`", "write `check:` without stars"),
        ("check: web get `/x` is `5`", "indent it by two blanks, as part of its entry"),
    ],
)
def test_a_line_that_is_meant_as_a_check_says_how_to_mend_it(line: str, reason: str) -> None:
    assert only(line) == BrokenCheck(reason=reason, line=1)


def test_a_check_in_place_of_an_entry_is_told_to_go_below_one() -> None:
    for raw in (f"- {CHECK}", CHECK, f"  {CHECK}"):
        assert pinned_checks(raw) == (
            BrokenCheck(reason="write it below the entry that it checks, indented by two blanks", line=0),
        )


@pytest.mark.parametrize(
    "line",
    [
        "  Check: whether the pods restart before anything else.",
        "  - check: look at `kubectl get pods` first",
        "check: look at `kubectl get pods` first",
        "  recheck: web get `/x` is `5`",
        "  checks: web get `/x` is `5`",
        "  The check: web get `/x` is `5`",
        "check web get `/x` is `5`",
        "  - check web get `/x` is `5`",
        "  check web get `/x` for what is there",
        "  check that status is `200`",
        "  check whether billing is up",
        "  check the dashboard `orders` before a deploy",
        "  check web get /x is 5",
    ],
)
def test_a_sentence_about_checking_is_no_check(line: str) -> None:
    assert only(line) is None


def test_t14_checks_of_thousands_of_words_without_backticks_take_no_time() -> None:
    line = f"  check: web status {'at ' * 1_300}x\n"
    assert len(pinned_checks("- orders-api answers.\n" + line.replace("x", "`x`") * 300)) == 300


def test_t14_checks_that_end_in_thousands_of_blanks_and_a_word_take_no_time() -> None:
    line = f"  check: web status `/health` is `200`{' ' * 3_900}x\n"
    broken = pinned_checks("- orders-api answers.\n" + line * 1_000)
    reason = "take away what stands after the expected value, or write it on a line of its own"
    assert broken == tuple(BrokenCheck(reason=reason, line=number) for number in range(1, 1_001))
