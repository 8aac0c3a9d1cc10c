"""What an attested merge may do and what it may not: the guard looks at both texts again, and asks nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dream.guards.sameness.attesting import attestation
from dream.guards.specifics import guard_specifics
from dream.memory.notes import entries_in
from dream.memory.operations import Basis, Merge, Span
from tests.guards.proposals import propose

KEPT = "- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, 2026-09-01]"
AGAIN = "- 2026-10-01: orders-api cuts a stalled caller loose after 30 s. [thread_b, 2026-10-01]"
BOTH = "- 2026-09-01: The timeout of orders-api is 30 s. [thread_a, thread_b, 2026-09-01]"


def refused(kept: str, again: str, new: str, *evidence: str, task: str = "tidy") -> str:
    """The reason for which the guard refuses a merge of `again` into `kept`, which then reads `new`."""
    files = {"services/orders-api.md": f"# orders-api\n\n{kept}\n{again}\n"}
    merge = Merge(
        into=Span(path="services/orders-api.md", text=kept),
        new=new,
        absorbed=(Span(path="services/orders-api.md", text=again),),
        basis=Basis(evidence=evidence),
    )
    refusal = guard_specifics(propose(merge, files, task=task))
    return refusal.reason if refusal else ""


def said(line: str) -> str:
    (entry,) = entries_in(line)
    return entry.key


LINE = attestation(said(KEPT), said(AGAIN), judge="scripted/judge")


def test_an_attested_restatement_goes_into_the_wording_that_stands() -> None:
    assert LINE.startswith("attested ")
    assert LINE.endswith(", scripted/judge")
    assert refused(KEPT, AGAIN, BOTH, LINE) == ""


@pytest.mark.parametrize(
    "evidence",
    [
        "",
        "attested",
        "the judge said so",
        attestation(said(AGAIN), said(KEPT), judge="scripted/judge"),
        attestation(said(KEPT), "orders-api rests.", judge="scripted/judge"),
        "attested " + said(AGAIN),
    ],
)
def test_nothing_but_the_line_about_these_two_statements_attests_anything(evidence: str) -> None:
    assert refused(KEPT, AGAIN, BOTH, evidence) == "unique-line"


def test_no_other_task_may_attest() -> None:
    assert refused(KEPT, AGAIN, BOTH, LINE, task="distil") == "unique-line"


def test_what_is_closed_is_held_against_a_judge_that_says_yes_to_everything() -> None:
    for other in (
        AGAIN.replace("30 s", "40 s"),
        AGAIN.replace("cuts", "never cuts"),
        AGAIN.replace("after 30 s", "after 30 s in staging"),
        AGAIN.replace("orders-api", "cart-api"),
        AGAIN.replace("cuts a", "only cuts a"),
    ):
        assert refused(KEPT, other, BOTH, attestation(said(KEPT), said(other), judge="yes")) != ""


def test_no_new_wording_is_attested_and_the_line_lends_it_no_word() -> None:
    new = BOTH.replace("is 30 s", "is 30 s for a stalled caller")
    assert refused(KEPT, AGAIN, new, attestation(said(new), said(AGAIN), judge="judge")) != ""
    added = BOTH.replace("is 30 s", "attested is 30 s")
    assert refused(KEPT, AGAIN, added, LINE) != ""


def test_a_wording_of_the_words_of_both_is_attested_by_nobody() -> None:
    """A judge is shown what stands; a wording that is made of it is one more statement that nobody has looked at."""
    new = BOTH.replace("orders-api is", "orders-api for a stalled caller is")
    lines = [attestation(said(new), said(one), judge="judge") for one in (KEPT, AGAIN)]
    assert refused(KEPT, AGAIN, new, *lines, LINE) == "differing-word"


def test_sources_and_dates_of_what_is_attested_are_kept_as_of_anything_else() -> None:
    assert refused(KEPT, AGAIN, KEPT, LINE) == "lost-source"
    assert refused(KEPT, AGAIN, BOTH.replace("2026-09-01", "2026-10-01"), LINE) == "date-not-oldest"


def test_the_name_of_a_judge_cannot_end_the_line() -> None:
    line = attestation(said(KEPT), said(AGAIN), judge="a\nattested b c, d")
    assert "\n" not in line
    assert replace(Basis(), evidence=(line,)).evidence == (line,)
