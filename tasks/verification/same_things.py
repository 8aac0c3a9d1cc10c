"""Entries that may state the same value of the same thing, told by their words: for people to look at, not for code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dream.guards.verdicts.outputs import Output
from dream.guards.verdicts.readings import is_generic, read_line
from dream.guards.verdicts.rulings import Target
from dream.guards.verdicts.subjects import subjects_of
from dream.guards.verdicts.words import ATTRIBUTES, concepts_of, is_neutral, parts_of
from dream.memory.notes import Entry
from tasks.verification.corrected_values import stated_places
from tasks.verification.leaving import why_no_fact

_SHORTEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What was put right in the entry of `target`: which value for which, by a quoted line of `output`."""

    target: Target
    old: str
    new: str
    output: Output
    quote: str


def same_thing(told: Told, other: Target) -> str:
    """Return the name of the thing of which `other` may state the old value still, empty where it does not.

    It names the thing as a whole word, or its heading or its note does where it names none; it has the old value, and
    a word for its attribute. Wishes, plans and the past are none: what they say stays right.
    """
    if not stated_places(other.entry, other.entry.raw, told.old):
        return ""
    if not _attributes(told) & concepts_of([other.entry.key]):
        return ""
    name = next((name for name in _names(told) if _is_named(name, other)), "")
    if not name or why_no_fact(other.path, other.note, other.entry, told.old, told.new):
        return ""
    return name


def _names(told: Told) -> tuple[str, ...]:
    """Return the names by which the evidence and the entry that was put right, or its note, call the thing."""
    line = next((line for line in told.output.lines if told.quote in line.text), None)
    identity = read_line(line, told.output).identity if line else ""
    said = (identity,) if identity else told.output.names
    return tuple(
        name
        for name in dict.fromkeys(said)
        if len(name) >= _SHORTEST and not is_generic(name) and _is_named(name, told.target)
    )


def _is_named(name: str, target: Target) -> bool:
    if _stands_in(name, target.entry.key):
        return True
    subjects = subjects_of(target)
    above = subjects.stated or subjects.own
    return any(parts_of(name) == parts_of(one) for one in above) or (
        not subjects.stated and any(_stands_in(name, text) for text in subjects.context)
    )


def _stands_in(name: str, text: str) -> bool:
    return re.search(rf"(?<![\w./-]){re.escape(name)}(?![\w-]|[./]\w)", text, re.IGNORECASE) is not None


def _attributes(told: Told) -> frozenset[str]:
    """Return the words of the entry that say which of a thing's values it states, as the evidence has them."""
    words = concepts_of([_without_names(told.target.entry)])
    line = next((line for line in told.output.lines if told.quote in line.text), None)
    keys = [key for key, value in line.fields if value == told.new] if line else []
    shared = words & concepts_of([*keys, told.output.asked])
    telling = {word for word in shared if not is_neutral(word) and not is_generic(word) and not word.isdigit()}
    for name in _names(told):
        telling -= concepts_of([name])
    return frozenset(telling) or words & ATTRIBUTES


def _without_names(entry: Entry) -> str:
    return re.sub(r"`[^`]*`", " ", entry.key)
