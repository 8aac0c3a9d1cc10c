"""Statements that say what the code says: the file that they name holds every value that they state."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from dream.guards.vocabulary import content_words, is_negation, is_value
from dream.memory.notes import Note, NoteCache
from dream.memory.similarity import specifics, word_set
from dream.memory.tree import Tree
from dream.sources.production.code.tree import CodeTree
from tasks.tidying.nominating.pairs import is_statement
from tasks.tidying.nominations import Matter, Nomination, Place
from tasks.tidying.places import place_in

ReadFile = Callable[[str, str], str]
"""What a file of a repository holds, by the repository's name and its path; empty where that cannot be told."""

_LONGEST = 400
_COVERED = 0.5
_FILE = re.compile(r"[A-Za-z0-9_.-]{1,100}(?:/[A-Za-z0-9_.-]{1,100}){0,20}")
_BOUNDED = r"(?<![\w.-]){}(?![\w-])"


def said_in_code(
    tree: Tree, notes: NoteCache, *, among: Collection[str], code: Sequence[CodeTree], read: ReadFile, most: int
) -> Iterator[Nomination]:
    """Yield the short statements in notes `among` some that name one file, of `most`, and no value that is not in it.

    Whoever says why, or what happens otherwise, says more than the code: most content words must be in the file too.
    """
    left, held = most, dict[tuple[str, str], str]()
    for path in among if code else ():
        note = notes.note(tree, path)
        for entry in note.entries if isinstance(note, Note) and not note.broken else ():
            place = place_in(path, note, entry) if isinstance(note, Note) else None
            if place is None or len(entry.key) > _LONGEST or not is_statement(place):
                continue
            files = _files(entry.key, code)
            values = frozenset(one for one in specifics(entry.key) if is_value(one) and not is_negation(one))
            if len(files) != 1 or not values:
                continue
            if files[0] not in held and left > 0:
                held[files[0]] = read(*files[0])
                left -= 1
            covered = _covered(entry.key, values, held.get(files[0], ""), files[0][1])
            if covered >= _COVERED:
                yield _nomination(place, covered, files[0])


def _nomination(place: Place, covered: float, file: tuple[str, str]) -> Nomination:
    where = ascii(f"{file[0]}: {file[1]}")[1:-1]
    return Nomination(matter=Matter.IN_CODE, places=(place,), score=covered, why=f"all of it stands in {where}")


def _files(text: str, code: Sequence[CodeTree]) -> list[tuple[str, str]]:
    """Return the files of all repositories that `text` names, each once."""
    named = dict.fromkeys(word for word in _FILE.findall(text) if "." in word.strip(".") or "/" in word)
    found: dict[tuple[str, str], None] = {}
    for name in named:
        for repository in code:
            file = repository.place_of(name.strip("."))
            if file in repository.paths:
                found[repository.name, file] = None
    return list(found)


def _covered(text: str, values: Collection[str], content: str, path: str) -> float:
    """Return the share of content words that the file or its path has too; 0 where a value is not in it."""
    if not content or not all(_stands_in(value, content) for value in values):
        return 0.0
    words = content_words(text)
    numerals = frozenset().union(*map(word_set, values))
    said = words - numerals
    return len(said & content_words(f"{path} {content}")) / max(1, len(said))


def _stands_in(value: str, content: str) -> bool:
    number, _, unit = value.partition(" ")
    forms = (value, number + unit, number) if unit else (value,)
    return any(re.search(_BOUNDED.format(re.escape(form)), content, re.IGNORECASE) for form in forms)
