"""What a repository's conventions say already of what a pull request teaches: the same, or its opposite. Pure."""

from __future__ import annotations

from dream.guards.duplicates import relation
from dream.memory.notes import Entry, entries_in
from tasks.lessons.candidates import Candidate, is_taught_in
from tasks.lessons.telling import tells_change, words_of
from tasks.lessons.words import matter_of


def is_told(entry: Entry, one: Candidate, *, alike: float) -> bool:
    """Whether an entry says already what a candidate says, by letter or, from `alike` on, in other words."""
    if is_same(entry, one):
        return True
    is_others = bool(words_of(entry.key)[0] and words_of(one.statement)[0])
    if is_others or not is_taught_in(one.repository, entry.sources) or contradicts(entry, one):
        return False
    return any(relation(told, entry, same=alike)[0] == "already-written" for told in entries_in(f"- {one.statement}"))


def is_same(entry: Entry, one: Candidate) -> bool:
    """Whether an entry says just what a candidate says, so that the pull request bears it out as well."""
    if not is_taught_in(one.repository, entry.sources):
        return False
    if one.old and tells_change(entry.key, old=one.old, new=one.new):
        return True
    (who, words), (other, others) = words_of(entry.key), words_of(one.statement)
    if who and other:
        return who.casefold() == other.casefold() and matter_of(words) == matter_of(others)
    return entry.key.rstrip(".").casefold() == one.statement.rstrip(".").casefold()


def contradicts(entry: Entry, one: Candidate) -> bool:
    """Whether an entry wants what the candidate's people took out."""
    if not one.new or not is_taught_in(one.repository, entry.sources):
        return False
    is_reversed = tells_change(entry.key, old=one.new, new=one.old)
    return is_reversed and not tells_change(entry.key, old=one.old, new=one.new)
