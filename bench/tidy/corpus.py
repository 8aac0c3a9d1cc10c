"""Pairs of statements whose relation is known, made out of statements that people and agents wrote."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import product
from pathlib import Path

from bench.tidy.changes import Change, another_value, denied, narrowed, said_anew
from bench.tidy.restating import Fact
from dream.memory.notes import Note, parse_note
from tasks.duplicates import stands_for_itself

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
SEED = 20261130
_SHORTEST, _LONGEST = 45, 260
_PLAIN = re.compile(r"[A-Z`*][ -~]+")
_SPOKEN = re.compile(r"(?:[-*] )?([A-Z][ -~]{44,200}\.)")
_VERB = re.compile(r"\b(?:is|are|was|must|can|should|will|has|have|uses|needs|\w{3,}s) \w")
_TALK = re.compile(
    r"(?:Let me|Let's|I |I'll|I've|I'm|Now|OK|Ok|Can |Could|Give|Understood|Done|Perfect|Great|Good|Yes|No,|Please|We "
    r"|You )"
)
_MOST_OF_ONE_NOTE = 60


class Relation(StrEnum):
    """How the second statement of a pair stands to the first."""

    PARAPHRASE = "said anew"
    OTHER_VALUE = "another value"
    NEGATED = "denied"
    NARROWER = "narrower"
    UNRELATED = "unrelated"
    REWORDED = "in other words"
    OTHER_MATTER = "another matter of the same value"


CHANGES: Mapping[Relation, Change] = {
    Relation.PARAPHRASE: said_anew,
    Relation.OTHER_VALUE: another_value,
    Relation.NEGATED: denied,
    Relation.NARROWER: narrowed,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two statements and how the second stands to the first."""

    relation: Relation
    one: str
    other: str


@cache
def statements(data: Path) -> tuple[tuple[str, ...], ...]:
    """Return what is stated in each note of the real memories and in each transcript that is Markdown, each once."""
    seen: set[str] = set()
    found: list[list[str]] = []
    for path in sorted((data / "memory_trees").rglob("*.md")):
        note = parse_note(path.read_bytes()) if path.is_file() and "_nights" not in path.parts else None
        if isinstance(note, Note):
            found.append([entry.key for entry in note.entries if stands_for_itself(entry)])
    for path in sorted((data / "transcripts").rglob("*.md")):
        if path.is_file():
            lines = path.read_text(encoding="utf-8", errors="ignore").split("\n")
            found.append([match[1] for line in lines if (match := _SPOKEN.fullmatch(line))])
    kept: list[list[str]] = []
    for several in found:
        kept.append([text for text in dict.fromkeys(several) if _is_usable(text) and text not in seen])
        seen.update(kept[-1])
    return tuple(tuple(several[:_MOST_OF_ONE_NOTE]) for several in kept if len(several) > 1)


def _is_usable(text: str) -> bool:
    is_fit = _SHORTEST <= len(text) <= _LONGEST and not _TALK.match(text)
    return is_fit and _PLAIN.fullmatch(text) is not None and _VERB.search(text) is not None


def pairs(data: Path, *, most: int, seed: int = SEED) -> Sequence[Pair]:
    """Return up to `most` pairs of each relation, no statement in two pairs."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    notes = list(statements(data))
    chance.shuffle(notes)
    used: set[str] = set()
    found: list[Pair] = []
    for relation in (Relation.OTHER_VALUE, Relation.PARAPHRASE, Relation.NEGATED, Relation.NARROWER):
        found += _changed(relation, notes, used, chance, most)
    unrelated = [(one, other) for several in notes for one, other in _apart(several, used)]
    found += [Pair(relation=Relation.UNRELATED, one=one, other=other) for one, other in unrelated[:most]]
    return [*found, *_reworded(chance, most)]


def _reworded(chance: random.Random, most: int) -> Iterator[Pair]:
    """Yield invented facts beside themselves in wholly other words, and beside another fact with the same value."""
    made = [Fact(resource=f"{one}-{two}", attribute=attribute, value=value) for one, two, attribute, value in _facts()]
    chance.shuffle(made)
    for fact in made[:most]:
        yield Pair(relation=Relation.REWORDED, one=fact.said(chance), other=fact.reworded(chance))
    for fact in [fact for fact in made[most:] if fact.attribute != "owner"][:most]:
        other = chance.choice([name for name in ("port", "pool", "timeout", "retention") if name != fact.attribute])
        another = replace(fact, attribute=other).reworded(chance)
        yield Pair(relation=Relation.OTHER_MATTER, one=fact.said(chance), other=another)


def _facts() -> Iterator[tuple[str, str, str, str]]:
    kinds = ("orders", "search", "billing", "cart", "mail", "image", "price", "stock", "user", "audit")
    parts = ("api", "worker", "index", "ledger")
    teams = ("Falcon", "Heron", "Otter", "Lynx", "Marten", "Badger")
    numbers = ("5", "10", "20", "30", "45", "60", "90", "8080")
    for one, two, attribute in product(kinds, parts, ("port", "pool", "timeout", "retention", "owner")):
        for value in teams if attribute == "owner" else numbers:
            yield one, two, attribute, value


def _changed(
    relation: Relation, notes: Sequence[Sequence[str]], used: set[str], chance: random.Random, most: int
) -> Iterator[Pair]:
    texts = [text for several in notes for text in several if text not in used]
    chance.shuffle(texts)
    count = 0
    for text in texts:
        other = CHANGES[relation](text, chance)
        if other and other != text and count < most:
            used.add(text)
            count += 1
            yield Pair(relation=relation, one=text, other=other)


def _apart(several: Sequence[str], used: set[str]) -> Iterator[tuple[str, str]]:
    left = [text for text in several if text not in used]
    yield from zip(left[::2], left[1::2], strict=False)
