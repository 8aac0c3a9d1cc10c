"""What a note names, is about and is used for, as plain names that two notes can share."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dream.memory.frontmatter import frontmatter_end
from dream.memory.ranking.tags import tags_in
from dream.memory.similarity import word_set
from dream.memory.specifics import specifics

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from dream.memory.notes import Note

RESOURCE, SKILL, TOPIC, FOLDER = "resource", "skill", "topic", "folder"
Feature = tuple[str, str]
"""Its kind, and a name in lower case."""

_SKILLS = frozenset({"skill", "skills"})
_TOPICS = frozenset({"tag", "tags", "topic", "topics"})
_WORD = re.compile(rb"[a-z0-9]+(?:[-_./:@]++[a-z0-9]++)*")
_NAME = re.compile(r"(?=[^a-z]*[a-z])[a-z0-9]+(?:[-_./:@]++[a-z0-9]++)*")
# What no word of a sentence has: a digit, a sign inside, a capital after a small letter.
_MADE = re.compile(r"[0-9]|\w[-_./:@]+\w|[a-z][A-Z]")
_VALUE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*|v?[0-9]+(?:\.[0-9a-z]++)*|thread_.*|https?:.*|.*\.md")
_COMPOUND = re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:[-_.][a-z0-9]++)+")
# Words of a sentence and numbers, which no resource is called; taken out first, since they are nearly all there is.
_PLAIN = re.compile(r"(?:(?<=\s)|\A)[\"'(*]*+(?:[A-Za-z]?[a-z]*|[0-9]+)[\"')*]*+[.,;:!?]*+(?=\s|\Z)")
_SAYS_MORE = ("name:", "title:", "description:")
_ENGLISH = """
about after also been before between could does each from have into more most note notes only other should some than
that their them then there these they this those using were what when where which while will with without would your
"""
_OF_EVERY_TITLE = frozenset(_ENGLISH.split())
_SHORTEST, _LONGEST = 4, 60
_HEAD, _OPENING = 600, 8


def features_of(path: str, note: Note, *, stems: Collection[str], most: int) -> frozenset[Feature]:
    """Return the features of a note: up to `most` names of resources, and all else.

    A resource is an identifier, a path or a name in code, but no plain word, in code or not. A word with a hyphen is
    one where it stands in code or a note is called so (`stems`), since most such words are English.
    """
    end = note.frontmatter.end if note.frontmatter else 0
    names: dict[str, None] = {stem_of(path): None} if _COMPOUND.fullmatch(stem_of(path)) else {}
    for text in (note.title, *(entry.key for entry in note.entries), *note.other):
        told = {word for word in _COMPOUND.findall(text.casefold()) if word in stems}
        rest = _PLAIN.sub(" ", text)
        if not rest.isspace():
            told |= {one.casefold() for one in specifics(rest) if _MADE.search(one)}
        names |= dict.fromkeys(sorted(filter(_is_name, told)))
        if len(names) >= most:
            break
    return frozenset(
        [
            *((RESOURCE, name) for name in list(names)[:most]),
            *_declared(note.lines, end),
            *_topics(f"{stem_of(path)} {_title(note.lines, end)}"),
            *_folder(path),
        ]
    )


class Wanted:
    """The features that somebody asks for, looked for in the bytes of a note without reading it as one."""

    def __init__(self, features: Iterable[Feature]) -> None:
        """Ask for `features`."""
        self._all = frozenset(features)
        self._resources = {name.encode(): (kind, name) for kind, name in self._all if kind == RESOURCE}

    def held(self, path: str, data: bytes) -> set[Feature]:
        """Return which of them the note at `path` with the bytes `data` has."""
        words = self._resources.keys() & _WORD.findall(data.lower())
        stem = stem_of(path).encode()
        found = {self._resources[word] for word in (*words, *([stem] if stem in self._resources else []))}
        lines = data.decode(errors="replace").split("\n") if data.startswith(b"---") else []
        end = frontmatter_end(lines) if lines else 0
        opening = lines if end else data[:_HEAD].decode(errors="replace").split("\n")
        told = {*_declared(lines, end), *_topics(f"{stem_of(path)} {_title(opening, end)}"), *_folder(path)}
        return found | (told & self._all)


def stem_of(path: str) -> str:
    """Return what the file at `path` is called, without its folder and ending, in lower case."""
    return path.rpartition("/")[2].removesuffix(".md").casefold()


def _declared(lines: Sequence[str], end: int) -> Iterator[Feature]:
    """Yield what the frontmatter says of skills and topics."""
    if end:
        yield from ((SKILL, tag) for tag in tags_in(lines, end, _SKILLS))
        yield from ((TOPIC, tag) for tag in tags_in(lines, end, _TOPICS))


def _topics(title: str) -> Iterator[Feature]:
    words = (word for word in word_set(title) if len(word) >= _SHORTEST and not word.isdigit())
    yield from ((TOPIC, word) for word in words if word not in _OF_EVERY_TITLE)


def _folder(path: str) -> Iterator[Feature]:
    if "/" in path:
        yield FOLDER, path.rpartition("/")[0]


def _title(lines: Sequence[str], end: int) -> str:
    """Return what a note calls itself: a name and a description in its frontmatter, a heading among its first lines."""
    told = [line.partition(":")[2] for line in lines[1:end] if line.startswith(_SAYS_MORE)]
    return " ".join([*told, next((line for line in lines[end : end + _OPENING] if line.startswith("# ")), "")])


def _is_name(name: str) -> bool:
    return _SHORTEST <= len(name) <= _LONGEST and bool(_NAME.fullmatch(name)) and not _VALUE.fullmatch(name)
