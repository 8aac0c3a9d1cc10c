"""Specifics: entries of real memories merged and shortened honestly, and with one value, name or negation changed."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.gates.corpus import half_of
from dream.guards.specifics import guard_specifics
from dream.memory.notes import Note, parse_note
from dream.memory.operations import Merge, Operation, Shorten, Span
from tests.guards.proposals import propose

TREES = "memory_trees"
_SHORTEST, _LONGEST = 40, 400
_ENOUGH_OVERLAP = 0.8
_HEAD, _TAIL = "- 2026-10-01: ", " [thread_0001, 2026-10-01]"
_OTHER_HEAD, _OTHER_TAIL = "- 2026-10-03: ", " [thread_0002, 2026-10-03]"
_BOTH = " [thread_0001, thread_0002, 2026-10-01]"
_WORDS = re.compile(r"\w+")
_MEANT = re.compile(
    r"(?<!not )(?<![\w./-])(?:very|really|just|simply|currently|also|basically|actually|quite|now)\s", re.IGNORECASE
)
_ARTICLE = re.compile(r"(?<![\w./`'-])(?:the|a|an)\s(?=[a-z])")

_Change = Callable[[str, random.Random], str]


@dataclass(kw_only=True)
class Changes:
    """What the guard and its baselines let pass of one half: falsified rewordings by kind, and honest ones by kind."""

    tries: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    accepted_by_words: Counter[str] = field(default_factory=Counter)
    accepted_by_subset: Counter[str] = field(default_factory=Counter)
    honest: Counter[str] = field(default_factory=Counter)
    honest_accepted: Counter[str] = field(default_factory=Counter)
    honest_by_words: Counter[str] = field(default_factory=Counter)
    honest_by_subset: Counter[str] = field(default_factory=Counter)
    examples: dict[str, tuple[str, str]] = field(default_factory=dict)


def entries(data: Path) -> tuple[str, ...]:
    """Return the statements of real memories that are one plain line, each once."""
    found: dict[str, None] = {}
    for path in sorted((data / TREES).rglob("*.md")):
        note = parse_note(path.read_bytes()) if path.is_file() else None
        for entry in note.entries if isinstance(note, Note) else ():
            is_plain = "\n" not in entry.raw and not entry.sources and not entry.date and not entry.tentative
            if is_plain and _SHORTEST <= len(entry.key) <= _LONGEST and entry.key.count("`") % 2 == 0:
                found.setdefault(entry.key)
    return tuple(found)


def try_changes(statements: Sequence[str], *, seed: int, count: int) -> Mapping[str, Changes]:
    """Change up to `count` statements drawn by lot in every way, shorten and merge them; returns what came of it."""
    told = {"tune": Changes(), "test": Changes()}
    lot = random.Random(f"{seed}/specifics")  # noqa: S311  # repeatable on purpose
    for statement in lot.sample(statements, min(count, len(statements))):
        changes = told[half_of(statement)]
        for kind, change in _CHANGES.items():
            changed = change(statement, lot)
            if changed != statement:
                _try_change(changes, kind, statement, changed)
        for kind, (operation, text) in _honest(statement):
            changes.honest[kind] += 1
            passed = _passes(operation, statement, statement)
            changes.honest_accepted[kind] += passed
            changes.honest_by_words[kind] += _overlaps(statement, text)
            changes.honest_by_subset[kind] += _adds_no_word(statement, text)
            if not passed:
                changes.examples.setdefault(f"honest: {kind}", (statement, text))
    return told


def _try_change(changes: Changes, kind: str, statement: str, changed: str) -> None:
    into = Span(path="a.md", text=_one(statement))
    ways: list[tuple[str, Operation, str]] = [
        ("shortened", Shorten(span=into, new=_one(changed)), statement),
        ("merged into it", Merge(into=into, new=_both(changed), absorbed=(_absorbed(statement),)), statement),
    ]
    if "dropped" not in kind:
        merge = Merge(into=into, new=_both(statement), absorbed=(_absorbed(changed),))
        ways.append(("merged with it", merge, changed))
    for what, operation, other in ways:
        name = f"{kind}, {what}"
        changes.tries[name] += 1
        if _passes(operation, statement, other):
            changes.accepted[name] += 1
            changes.examples.setdefault(name, (statement, changed))
        changes.accepted_by_words[name] += _overlaps(statement, changed)
        changes.accepted_by_subset[name] += _adds_no_word(statement, changed)


def _honest(statement: str) -> Iterator[tuple[str, tuple[Operation, str]]]:
    """Yield rewordings that lose nothing: the same said twice made one, a filler or an article left out."""
    into = Span(path="a.md", text=_one(statement))
    yield "said twice, merged", (Merge(into=into, new=_both(statement), absorbed=(_absorbed(statement),)), statement)
    for kind, pattern in (("a filler left out", _MEANT), ("an article left out", _ARTICLE)):
        place = next(
            (one for one in pattern.finditer(statement) if statement.count("`", 0, one.start()) % 2 == 0), None
        )
        if place is not None:
            shorter = statement[: place.start()] + statement[place.end() :]
            yield f"{kind}, shortened", (Shorten(span=into, new=_one(shorter)), shorter)
    yield "written anew, shortened", (Shorten(span=into, new=_one(" ".join(statement.split()))), statement)


def _passes(operation: Operation, statement: str, other: str) -> bool:
    files = {"a.md": f"{_one(statement)}\n", "b.md": f"{_other(other)}\n- Something else.\n"}
    return guard_specifics(propose(operation, files)) is None


def _one(statement: str) -> str:
    return f"{_HEAD}{statement}{_TAIL}"


def _other(statement: str) -> str:
    return f"{_OTHER_HEAD}{statement}{_OTHER_TAIL}"


def _both(statement: str) -> str:
    return f"{_HEAD}{statement}{_BOTH}"


def _absorbed(statement: str) -> Span:
    return Span(path="b.md", text=_other(statement))


def _overlaps(one: str, other: str) -> bool:
    left, right = (frozenset(_WORDS.findall(text.casefold())) for text in (one, other))
    return len(left & right) >= _ENOUGH_OVERLAP * max(len(left | right), 1)


def _adds_no_word(old: str, new: str) -> bool:
    return frozenset(_WORDS.findall(new.casefold())) <= frozenset(_WORDS.findall(old.casefold()))


def _at_one(pattern: re.Pattern[str], change: _Change) -> _Change:
    def changed(text: str, lot: random.Random) -> str:
        places = [place for place in pattern.finditer(text) if change is not _gone or text.count(place[0].strip()) == 1]
        if not places:
            return text
        place = lot.choice(places)
        return " ".join((text[: place.start()] + change(place[0], lot) + text[place.end() :]).split(" "))

    return changed


def _other_digit(found: str, lot: random.Random) -> str:
    at = lot.choice([place for place, character in enumerate(found) if character.isdigit()])
    digit = lot.choice([other for other in "123456789" if other != found[at]])
    return found[:at] + digit + found[at + 1 :]


def _other_letter(found: str, lot: random.Random) -> str:
    at = lot.choice([place for place, character in enumerate(found) if character.isalpha()])
    return (
        found[:at] + lot.choice([other for other in "bdfgjkmnpqtvwz" if other != found[at].lower()]) + found[at + 1 :]
    )


def _gone(found: str, lot: random.Random) -> str:
    del found, lot
    return ""


def _negated(found: str, lot: random.Random) -> str:
    del lot
    return f"{found} not"


_NUMBER = re.compile(r"(?<![\w.:/,#-])[0-9]+(?:[.,][0-9]+)?(?![\w.:/,-])")
_VERSION = re.compile(r"(?<![\w.])v?[0-9]+\.[0-9]+(?:\.[0-9]+)+(?![\w.])|(?<![\w.])v[0-9]+(?![\w.])")
_PATH = re.compile(r"(?<![\w./-])[A-Za-z_][\w.-]+/[\w-]+(?:/[\w-]+)*\.[a-z]{1,4}\b")
_CODE = re.compile(r"(?<=`)[A-Za-z][\w.-]{3,60}(?=`)")
_IDENTIFIER = re.compile(r"(?<![\w`./-])[a-z]+(?:_[a-z]+)+(?![\w`./(-])|(?<![\w`./-])[a-z]+[A-Z][a-z]+\w*(?![\w`./(-])")
_NOT = re.compile(r"\b(?:not|never|cannot|without)\s")
_VERB = re.compile(r"\b(?:is|are|was|must|should|can|does|will)\b(?! not\b)")
_DATE = re.compile(r"(?<![\w-])20[0-9]{2}-[01][0-9]-[0-3][0-9](?![\w-])")
_SIZED = re.compile(r"(?<=[0-9])\s?(?:ms|seconds|minutes|hours|days|MB|GB|kB|KB|%)(?![\w/])")

_CHANGES: Mapping[str, _Change] = {
    "a number changed": _at_one(_NUMBER, _other_digit),
    "a number dropped": _at_one(_NUMBER, _gone),
    "a unit changed": _at_one(_SIZED, lambda found, lot: " weeks" if "w" not in found or lot else found),
    "a date changed": _at_one(_DATE, lambda found, lot: found[:-1] + _other_digit(found[-1], lot)),
    "a version changed": _at_one(_VERSION, _other_digit),
    "a version dropped": _at_one(_VERSION, _gone),
    "a path changed": _at_one(_PATH, _other_letter),
    "a path dropped": _at_one(_PATH, _gone),
    "a code span changed": _at_one(_CODE, _other_letter),
    "an identifier changed": _at_one(_IDENTIFIER, _other_letter),
    "an identifier dropped": _at_one(_IDENTIFIER, _gone),
    "a negation dropped": _at_one(_NOT, _gone),
    "a negation put in": _at_one(_VERB, _negated),
}
