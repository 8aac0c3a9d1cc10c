"""Which things an entry is about, by what it states itself, what stands above it and what its note is called."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from dream.guards.verdicts.environments import environments_in, regions_in
from dream.guards.verdicts.quantities import is_unit
from dream.guards.verdicts.rulings import Target
from dream.guards.verdicts.tokens import Token, tokens_of
from dream.guards.verdicts.words import ATTRIBUTES, concept, concepts_of, is_generic_heading, is_neutral, parts_of
from dream.memory.titles import plain_text

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*)")
_GENERIC_STEMS = frozenset({"readme", "index", "memory", "services", "databases", "queues", "jobs", "hosts"})
_ORDINARY = re.compile(
    r"(?:read|write|on|off|long|short|auto|multi|non|re|pre|self|rate|load|high|low|real|near|end|full|up|hard|soft|so"
    r"|fail|built|open|well|time|old|new|single|day|night|out|in|two|three|round|at|e)-[a-z]+(?:-[a-z]+)?",
    re.IGNORECASE,
)
_SHORTEST = 3
_SAME_KINDS = (
    (
        "service services svc app apps application applications deployment deployments component components workload "
        "workloads"
    ),
    "database databases db dbs datname",
    "queue queues",
    "topic topics",
    "bucket buckets",
    "table tables relname",
    "function functions lambda lambdas",
    "job jobs cronjob cronjobs",
    "host hosts hostname node nodes server servers",
    "certificate certificates cert certs",
    "domain domains",
    "cache caches",
    "cluster clusters",
    "volume volumes",
    "repository repositories repo repos",
    "alert alerts alertname",
    "package packages module modules",
    "flag flags feature features",
)
_KINDS = {word: group.split()[0] for group in _SAME_KINDS for word in group.split()}
_SETTING = re.compile(
    r"[A-Z0-9]{1,100}(?:_[A-Z0-9]{1,100})+|[a-z0-9]{1,100}(?:_[a-z0-9]{1,100})+|[a-z]{1,100}(?:[A-Z][a-z]{1,100})+"
)
_MEASURED = frozenset(
    map(concept, ("timeout", "retries", "max", "min", "ttl", "size", "interval", "retention", "enabled"))
)
_IDENTIFIER = re.compile(r"[A-Za-z0-9]{1,100}(?:[-_.][A-Za-z0-9]{1,100})+|[A-Za-z]{1,100}[0-9]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subjects:
    """The names that an entry states, and those of its note, of which it speaks where it states none.

    `context` is what stands above the entry, headings and a line that leads in. `environments` and `regions` are those
    that any of it names. `words` is what entry, context and title speak of, `kinds` which sort
    of thing the folder of its note, or else the entry, says that it is.
    """

    stated: tuple[str, ...]
    own: tuple[str, ...]
    context: tuple[str, ...] = ()
    environments: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """All names, those of the note last."""
        return (*self.stated, *self.own)

    def without(self, names: Iterable[str]) -> Subjects:
        """Return the subjects as they are once `names` are taken for values that may be wrong."""
        gone = frozenset(names)
        return replace(
            self,
            stated=tuple(name for name in self.stated if name not in gone),
            regions=self.regions - regions_in(gone),
            environments=self.environments - environments_in(gone),
        )


def subjects_of(target: Target) -> Subjects:
    """Return what the entry of `target` is about; the entry's own names come in the order in which it states them."""
    entry, note = target.entry, target.note
    stem = PurePosixPath(target.path).stem
    context = _context(note.lines, entry.start)
    front = note.frontmatter.name if note.frontmatter else ""
    tokens = tokens_of(entry.key)
    plain = [other for other in target.others if _stands_in(other, tokens)]
    above = [name for text in context for name in names_in(text)]
    said = (entry.key, *context)
    heading = _title(note.lines)
    places = (*said, heading, target.path, front)
    return Subjects(
        stated=tuple(dict.fromkeys((*names_in(entry.key), *plain, *above))),
        own=_own(front, heading, stem),
        context=context,
        environments=environments_in(places),
        regions=regions_in(places),
        kinds=kinds_in(PurePosixPath(target.path).parts[:-1]) or kinds_in(_words_of(entry.key, *context)),
        words=concepts_of((*said, heading, front)) | frozenset(word.lower() for word in entry.key.split()),
    )


def names_in(text: str) -> tuple[str, ...]:
    """Return the names of things that `text` states, each once: identifiers, and words set off by marks of style.

    Amounts, versions, regions, paths of requests and the names of attributes are none.
    """
    tokens = tokens_of(text)
    return tuple(dict.fromkeys(token.text for token in tokens if _is_thing(token)))


def kinds_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the kinds of things that `texts`, words each, say: an app is a service."""
    return frozenset(_KINDS[text.lower()] for text in texts if text.lower() in _KINDS)


def _words_of(*texts: str) -> list[str]:
    return [token.text for text in texts for token in tokens_of(text)]


def runs_of(parts: tuple[str, ...], tokens: tuple[Token, ...]) -> frozenset[int]:
    """Return the places of the tokens that together are `parts`, each whole: `Orders API`, not `orders-api-2`."""
    found: set[int] = set()
    for first in range(len(tokens)):
        for last in range(first, min(first + len(parts), len(tokens))):
            if tuple(part for token in tokens[first : last + 1] for part in parts_of(token.text)) == parts:
                found.update(range(first, last + 1))
    return frozenset(found)


def same_name(stated: str, said: str) -> bool:
    """Whether an entry and a system call one thing: exactly, but for capitals where the system has none."""
    return stated == said or (said == said.lower() and stated.lower() == said)


def same_subject(own: str, said: str) -> bool:
    """Whether a note's title or stem is the name that a system says: the same words in the same order, all of them.

    Of a title in words, those that name a group of facts or an environment may be more.
    """
    if parts_of(own) == parts_of(said):
        return bool(parts_of(own))
    words = tuple(part for part in parts_of(own) if part in _naming(own))
    return " " in own and words == parts_of(said) and bool(words)


def _title(lines: tuple[str, ...]) -> str:
    heading = next((line for line in lines if line.startswith("# ")), "")
    return plain_text(heading)


def _own(front: str, heading: str, stem: str) -> tuple[str, ...]:
    """Return what a note is called: the first that says a name, or a longer one that holds it.

    A stem that is an identifier counts beside a title in words that has nothing of it.
    """
    named = [name for name in (front, heading, stem) if _naming(name)]
    if not named:
        return ()
    chosen = max(named, key=lambda name: (_naming(name) >= _naming(named[0]), len(_naming(name))))
    is_apart = _naming(stem).isdisjoint(_naming(chosen)) and not _IDENTIFIER.fullmatch(chosen)
    return (chosen, stem) if is_apart and _IDENTIFIER.fullmatch(stem) else (chosen,)


def _naming(name: str) -> frozenset[str]:
    parts = frozenset(parts_of(name))
    if name.lower() in _GENERIC_STEMS:
        return frozenset()
    return frozenset(part for part in parts if not is_generic_heading(part) and not environments_in([part]))


def _is_attribute(name: str) -> bool:
    """Whether a name is that of an attribute: `max_connections`, `timeout_seconds`."""
    parts = parts_of(name)
    if len(parts) > 1 and _SETTING.fullmatch(name) and (is_unit(parts[-1]) or concept(parts[-1]) in _MEASURED):
        return True
    return all(concept(part) in ATTRIBUTES or is_neutral(part) or is_unit(part) for part in parts)


def _is_thing(token: Token) -> bool:
    text = token.text
    if token.is_number or is_unit(text) or text[:1] in "/:#@" or "=" in text:
        return False
    if regions_in([text]) and text.lower() in regions_in([text]):
        return False
    if environments_in([text]) and "-" not in text and "_" not in text and "." not in text:
        return False
    if token.is_name and _ORDINARY.fullmatch(text):
        return False
    return (token.is_name or token.marked) and not _is_attribute(text)


def _stands_in(other: str, tokens: tuple[Token, ...]) -> bool:
    parts = parts_of(other)
    if (
        len(other) < _SHORTEST
        or is_unit(other)
        or not parts
        or all(concept(part) in ATTRIBUTES or is_neutral(part) for part in parts)
    ):
        return False
    if len(parts) == 1 or any(token.text.lower() == other.lower() for token in tokens):
        return any(token.text.lower() == other.lower() for token in tokens)
    return bool(runs_of(parts, tokens))


def _context(lines: tuple[str, ...], start: int) -> tuple[str, ...]:
    """Return the headings above line `start`, innermost first, but for the title, and what leads in with a colon."""
    found: list[str] = []
    own = _HEADING.match(lines[start]) if start < len(lines) else None
    is_section = own is not None
    level = len(own[1]) if own else 7
    for at in range(start - 1, -1, -1):
        heading = _HEADING.match(lines[at])
        if heading and 1 < len(heading[1]) < level:
            level = len(heading[1])
            found.append(plain_text(lines[at]))
        elif level == 7 and not is_section and lines[at].rstrip().endswith(":") and not any(found):  # noqa: PLR2004  # no heading yet
            found.append(plain_text(lines[at]))
    return tuple(found)
