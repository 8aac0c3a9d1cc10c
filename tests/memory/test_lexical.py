"""How well notes answer a question."""

from __future__ import annotations

from dream.memory.lexical import match_notes
from dream.memory.notes import Note, parse_note


def note(text: str) -> Note:
    parsed = parse_note(text.encode())
    assert isinstance(parsed, Note)
    return parsed


NOTES = {
    "services/checkout-api.md": note("# Checkout\n\n- 2026-10-01: It listens on port 8443. [thread_1, 2026-10-01]\n"),
    "services/cart.md": note("# Cart\n\n- 2026-10-01: It calls checkout for a price. [thread_1, 2026-10-01]\n"),
    "alerts/lag.md": note("---\nname: lag\ndescription: When invoices are late\ntype: project\n---\nWait an hour.\n"),
}


def best(question: str) -> list[str]:
    scores = match_notes(NOTES, question)
    return sorted(scores, key=lambda path: -scores[path])


def test_a_word_in_the_title_counts_more_than_one_in_an_entry() -> None:
    assert best("checkout") == ["services/checkout-api.md", "services/cart.md"]


def test_names_and_descriptions_of_frontmatter_are_found() -> None:
    assert best("late invoices") == ["alerts/lag.md"]


def test_a_rare_word_counts_more_than_one_that_every_note_has() -> None:
    assert best("services price")[0] == "services/cart.md"


def test_what_shares_no_word_has_no_score_and_no_question_finds_nothing() -> None:
    assert match_notes(NOTES, "kubernetes") == {}
    assert match_notes(NOTES, " ") == {}
    assert match_notes({}, "checkout") == {}
