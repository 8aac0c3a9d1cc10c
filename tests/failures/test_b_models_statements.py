"""B25, B38, B41, B42, B44, B45: nights whose dreamer claims what it likes, and whose judge believes all of it.

The judge passes its examination and then says yes to everything, so that what holds is held by code.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

import pytest

from tests.sources.sessions.transcripts import SESSION, agent, call, jsonl, result, user
from tests.support.sensible import Sensible, converse, statement
from tests.support.served import Served
from tests.support.spoiled import CALM, CHECKOUT, LEDGER, Spoiled
from tests.support.stage import MEMORY, stage_of
from tests.support.town import Town, assert_accounted

CLOSES = "The ledger closes at noon on Fridays"


def bold(marker: str, *items: dict[str, Any]) -> Spoiled:
    """A vendor that proposes `items` of the conversation that holds `marker`, and believes each."""
    return Spoiled(mind=Sensible(also=lambda shown: items if marker in shown else ()))


def claimed(text: str, quote: str, *, message: str = "m1", resource: str = "ledger") -> dict[str, Any]:
    return statement(text, resource, [(message, quote)])


def whole_memory(town: Town) -> str:
    return "\n".join(data.decode() for data in town.stage.files().values())


def topic_notes(town: Town) -> str:
    files = town.stage.files()
    return "\n".join(data.decode() for path, data in files.items() if path.startswith(("services/", "queues/", "p")))


def refused(town: Town) -> str:
    """What distil says of the statements that it was given, and did not write."""
    (account,) = [line for line in town.task().findings if " proposed: " in line]
    return account


@pytest.mark.parametrize(
    ("text", "quote", "message", "reason"),
    [
        ("The ledger closes at three on Mondays", "The ledger closes at three on Mondays.", "m2", "agent-alone"),
        (
            "The ledger closes at three on Mondays",
            "The ledger closes at three on Mondays.",
            "daily/2026-10-21.md",
            "no-such-message",
        ),
        (
            "The ledger closes at three on Mondays",
            "The ledger closes at three on Mondays.",
            "m3",
            "memory-is-no-evidence",
        ),
    ],
    ids=["an-agents-turn", "a-daily-note", "memory-that-was-recalled"],
)
def test_b25_what_an_agent_or_the_night_wrote_is_evidence_of_nothing(
    town: Town, text: str, quote: str, message: str, reason: str
) -> None:
    note = "/home/ana/.claude/projects/web/memory/ledger.md"
    lines = [
        user(0, "How is the ledger closed?"),
        agent(1, "The ledger closes at three on Mondays."),
        call(2, "Read", {"file_path": note}),
        result(3, 2, "The ledger closes at three on Mondays."),
        user(4, "Thanks."),
    ]
    (town.stage.sessions / "claude" / f"{SESSION}.jsonl").write_bytes(jsonl(lines))
    town.dream(bold("How is the ledger closed?", claimed(text, quote, message=message)))
    assert town.note(LEDGER) == ""
    assert "three on Mondays" not in topic_notes(town)
    assert town.task().written == 0
    assert refused(town) == f"distil: 1 statement proposed: 1 {reason}"


@pytest.mark.parametrize(
    "text",
    [
        f"Candidate: {CLOSES}",
        f"{CLOSES} (confidence: high)",
        f"{CLOSES} score=0.93",
        f"{CLOSES}; confidence: 0.9",
    ],
)
def test_b25_no_field_of_a_pipeline_gets_into_the_memory(town: Town, text: str) -> None:
    town.dream(bold(CALM.quote, claimed(text, CALM.quote)))
    assert [word for word in ("score=", "confidence", "andidate") if word in whole_memory(town)] == []


def test_b38_after_a_correction_there_is_one_current_value_wherever_it_stood(served: Served, town: Town) -> None:
    files = {**MEMORY, "platform/ports.md": "# Ports\n\n- The checkout API listens on port 8443.\n"}
    town.stage.hosted = stage_of(served, town.stage.root, files, hosted_as="corrected").hosted
    town.dream()
    assert topic_notes(town).count("8443") == 0
    assert town.note(CHECKOUT).count("9443") == 1
    converse(town.stage, 3, "The checkout API listens on port 9553 since tonight, not on 9443.", "Noted.", day=22)
    quote = "The checkout API listens on port 9553 since tonight"
    town.dream_on(bold(quote, claimed("The checkout API listens on port 9553", quote, resource="checkout API")))
    assert [topic_notes(town).count(port) > 0 for port in ("8443", "9443", "9553")] == [False, False, True]
    values = [line for line in topic_notes(town).split("\n") if "checkout API listens" in line]
    assert all("9553" in line for line in values)


UNSAID = {
    "a-hypothetical": (
        "What if we kept the exports under /srv/exports/v2?",
        "The exports are kept under /srv/exports/v2",
    ),
    "a-question": (
        "Should the exports be kept under /srv/exports/v2?",
        "The exports are kept under /srv/exports/v2",
    ),
    "is-it-so": ("Is it so that the exports are kept for 90 days?", "The exports are kept for 90 days"),
    "a-supposition": ("Suppose the exports are kept for 90 days.", "The exports are kept for 90 days"),
    "an-invented-path": ("The exports are kept on the file server.", "The exports are kept at /srv/exports/v2"),
    "an-invented-id": ("The exports are kept on the file server.", "The exports are kept on the file server fs-0042"),
    "an-invented-number": ("The exports are kept for some days.", "The exports are kept for 90 days"),
    "an-invented-address": ("The exports are kept online.", "The exports are kept at https://exports.acme.example/v2"),
    "an-invented-version": ("The exports are made by exporter.", "The exports are made by exporter 2.4.1"),
}


@pytest.mark.parametrize(("said", "text"), UNSAID.values(), ids=UNSAID)
def test_b41_nobodys_question_and_nothing_invented_becomes_a_fact(town: Town, said: str, text: str) -> None:
    converse(town.stage, 3, said, "I will look.")
    town.dream(bold(said, claimed(text, said, resource="exports")))
    assert "services/exports.md" not in town.stage.files()
    assert town.task().written == 0
    assert text not in whole_memory(town)
    assert_accounted(town)


def test_b41_the_same_said_as_a_fact_is_written(town: Town) -> None:
    said = "The exports are kept for 90 days under /srv/exports/v2."
    converse(town.stage, 3, said, "I will look.")
    text = "The exports are kept for 90 days under /srv/exports/v2"
    town.dream(bold(said, claimed(text, said, resource="exports")))
    assert text in town.note("services/exports.md")


def _changed(quote: str) -> list[str]:
    """Every way of changing one character of `quote` that a reader may not see, at a few places."""
    changed = []
    for place in range(0, len(quote), 4):
        before, one, rest = quote[:place], quote[place], quote[place + 1 :]
        changed += [before + rest, f"{before}x{rest}", f"{before}{one}{one}{rest}", f"{before}{one}\u200b{rest}"]
    changed += [unicodedata.normalize("NFD", quote), quote.replace("o", "\u043e", 1), quote.replace(" ", "\u00a0", 1)]
    return [one for one in changed if one not in quote]


def test_b42_a_quote_with_one_character_changed_is_none(town: Town) -> None:
    said = "The caf\u00e9 ledger closes at noon on Fridays."
    converse(town.stage, 3, said, "Noted.")
    town.stage.extra = {**town.stage.extra, "limits": {"summaries": {"lasting": 200}}}
    changed = _changed(said)
    text = "The caf\u00e9 ledger closes at noon on Fridays"
    town.dream(bold(said, *(claimed(text, one) for one in changed)))
    assert len(changed) > 40
    assert refused(town) == f"distil: {len(changed)} statements proposed: {len(changed)} quote-not-found"
    assert topic_notes(town).count("closes at noon") == 0
    town.dream_on(bold(said, claimed(text, said)))
    assert town.task(nights=1).inputs == 0


MARKED = {
    "backticks": (
        "The ledger is closed by `make close --now` on Fridays.",
        "The ledger is closed by `make close --now`",
    ),
    "a-link": ("The ledger is told in [its book](https://books.acme.example/l).", "The ledger is told in its book"),
    "a-quote-mark": ("> the ledger closes at noon\n\nYes, the ledger closes at noon.", "The ledger closes at noon"),
    "emoji": (
        "\U0001f680 The ledger closes at noon \U0001f469\u200d\U0001f4bb on Fridays.",
        "The ledger closes at noon on Fridays",
    ),
    "bold": ("**Note:** the *ledger* is audited in May.", "The ledger is audited in May"),
    "accents": ("Le ledger ferme \u00e0 midi, d\u00e9cid\u00e9ment.", "Le ledger ferme \u00e0 midi"),
}


def test_b44_a_true_quote_verifies_whatever_marks_it_holds(town: Town) -> None:
    items: dict[str, Sequence[dict[str, Any]]] = {}
    for number, (said, text) in enumerate(MARKED.values(), 10):
        converse(town.stage, number, said, "Noted.")
        items[said] = [claimed(text, said)]
    mind = Sensible(also=lambda shown: [one for said, ones in items.items() if said in shown for one in ones])
    town.dream(Spoiled(mind=mind))
    assert refused(town) == f"distil: {len(MARKED)} statements proposed: {len(MARKED)} admitted"


TENTATIVE = (
    "# Archive\n\n- 2026-10-05: Orders are archived after ninety days by the nightly job. (tentative) "
    "[thread_0005, 2026-10-05]\n- 2026-10-06: The archive is read once a year. [thread_0006, 2026-10-06]\n"
)


def test_b45_what_was_tentative_stays_so_when_it_is_merged_or_said_by_hearsay_again(served: Served, town: Town) -> None:
    files = {
        "MEMORY.md": "# Memory\n",
        "services/orders.md": MEMORY["services/orders.md"]
        + "- 2026-10-07: Orders have numbers. [thread_0007, 2026-10-07]\n",
        "queues/orders.md": TENTATIVE,
    }
    town.stage.hosted = stage_of(served, town.stage.root, files, hosted_as="merged").hosted
    town.stage.summarise({"lasting": "Orders are archived after ninety days by the nightly job."})
    quote = "Orders are archived after ninety days by the nightly job."
    town.dream(bold(quote, claimed(quote.rstrip("."), quote, resource="orders")))
    lines = [line for line in topic_notes(town).split("\n") if "ninety days" in line]
    (line,) = lines
    assert line.startswith("- 2026-10-03: ")
    assert "(tentative)" in line
    assert "thread_0003" in line
    assert "thread_0005" in line
