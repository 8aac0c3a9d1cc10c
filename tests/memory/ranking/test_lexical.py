"""How well notes answer a question."""

from __future__ import annotations

from dream.memory.notes import NoteCache
from dream.memory.ranking.lexical import match_notes
from dream.memory.tree import MappingTree

NOTES = {
    "services/checkout-api.md": "# Checkout\n\n- 2026-10-01: It listens on port 8443. [thread_1, 2026-10-01]\n",
    "services/cart.md": "# Cart\n\n- 2026-10-01: It calls checkout for a price. [thread_1, 2026-10-01]\n",
    "alerts/lag.md": "---\nname: lag\ndescription: When invoices are late\ntype: project\n---\nWait an hour.\n",
}


def scores(question: str, files: dict[str, str] = NOTES) -> dict[str, float]:
    tree = MappingTree({path: text.encode() for path, text in files.items()})
    return match_notes(tree, NoteCache(), tree.paths(), question)


def best(question: str, files: dict[str, str] = NOTES) -> list[str]:
    found = scores(question, files)
    return sorted(found, key=lambda path: -found[path])


def test_a_word_in_the_title_counts_more_than_one_in_an_entry() -> None:
    assert best("checkout") == ["services/checkout-api.md", "services/cart.md"]


def test_names_and_descriptions_of_frontmatter_are_found() -> None:
    assert best("late invoices") == ["alerts/lag.md"]


def test_a_rare_word_counts_more_than_one_that_every_note_has() -> None:
    assert best("services price")[0] == "services/cart.md"


def test_a_word_in_the_middle_of_another_is_not_that_word() -> None:
    assert best("listen art lat") == []


def test_what_shares_no_word_has_no_score_and_no_question_finds_nothing() -> None:
    assert scores("kubernetes") == {}
    assert scores(" ") == {}
    assert scores("checkout", {}) == {}


def test_among_many_notes_what_half_of_them_say_is_left_out_unless_nothing_else_is_asked() -> None:
    many = {f"n/{number}.md": "# The note\n\nThe port.\n" for number in range(40)} | NOTES
    assert best("the late invoices", many) == ["alerts/lag.md"]
    assert len(best("the", many)) == 40


def test_a_file_that_cannot_be_read_is_found_by_its_path() -> None:
    tree = MappingTree({"services/checkout.md": b"\0", "b.md": b"b"})
    assert list(match_notes(tree, NoteCache(), tree.paths(), "checkout")) == ["services/checkout.md"]
