from __future__ import annotations

from dream.guards.heirs import Heirs
from dream.memory.notes import Entry, entries_in

ENTRIES = entries_in("- orders-api holds 20 connections.\n- cart-api waits for the proxy.\n- cart-api rests.\n")


def entry(text: str) -> Entry:
    (found,) = entries_in(f"- {text}\n")
    return found


def test_the_heir_has_most_of_the_words_and_is_the_first_of_several() -> None:
    heirs = Heirs(ENTRIES)
    assert heirs.of(entry("The proxy makes cart-api wait.")) == ENTRIES[1]
    assert heirs.of(entry("cart-api sleeps.")) == ENTRIES[1]
    assert heirs.of(entry("Nothing of this stands there at all, whatever.")) == ENTRIES[0]
    assert Heirs(()).of(entry("cart-api rests.")) is None


def test_the_nearest_are_as_many_as_are_asked_for() -> None:
    assert list(Heirs(ENTRIES).nearest(entry("cart-api rests."), most=2)) == [ENTRIES[2], ENTRIES[1]]
    assert len(list(Heirs(ENTRIES).nearest(entry("Nothing of this."), most=20))) == 3
