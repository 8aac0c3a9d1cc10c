"""What notes are about by their words, as the checker and tidy tell it."""

from __future__ import annotations

from dream.memory.notes import Note, parse_note
from dream.memory.topics import Told, TopicLimits, are_apart, likeness, telling_words, told_by

LIMITS = TopicLimits()


def told(title: str, start: int, end: int) -> Told:
    return Told(telling_words(title), frozenset(f"word{number}" for number in range(start, end)))


def test_like_texts_are_about_one_thing_and_under_like_titles_less_like_ones() -> None:
    one = told("Orders database", 0, 40)
    assert likeness(one, told("Carts", 0, 40), LIMITS) == 1.0
    assert likeness(one, told("Carts", 20, 60), LIMITS) == 0.0
    assert likeness(one, told("Orders database", 20, 60), LIMITS) == 20 / 60
    assert likeness(one, told("Orders database", 20, 60), TopicLimits(titled_text=0.4)) == 0.0


def test_a_text_of_few_words_tells_nothing() -> None:
    few = told("Orders", 0, 24)
    assert likeness(few, few, LIMITS) == 0.0
    assert likeness(few, few, TopicLimits(telling=24)) == 1.0


def test_parts_are_apart_where_no_two_share_more_than_next_to_nothing() -> None:
    parts = [telling_words(text) for text in ("oven bread flour", "lorry parcel gate", "lorry parcel dawn")]
    assert are_apart(parts[:2], LIMITS)
    assert not are_apart(parts, LIMITS)
    assert not are_apart(parts[:1], LIMITS)


def test_short_words_and_the_frontmatter_tell_nothing_and_pairs_of_characters_do() -> None:
    note = parse_note("---\nname: front\n---\n# Ab cde\n\n支払い of it all\n".encode())
    assert isinstance(note, Note)
    assert told_by(note).text == {"cde", "all", "支払", "払い"}
