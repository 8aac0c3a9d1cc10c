"""The learnings that stand in a memory: what they say, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dream.guards.duplicates import relation
from dream.memory.notes import Entry, entries_in
from dream.memory.operations import Span
from dream.memory.similarity import word_set
from dream.memory.skills import Lesson, Skill, learning_name, lessons_of, parse_skill
from dream.memory.tree import Tree

_ITEM = "- "


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A learning as it stands; `lines` are its lessons by the ids under which a model is shown them.

    It `is_own` where the night wrote it and nobody has touched it since. Of one that a person wrote, `said` is every
    item, whether it cites anybody or not.
    """

    name: str
    path: str
    blob: str
    skill: Skill
    is_own: bool
    lines: Mapping[str, Lesson] = field(default_factory=dict)

    @property
    def trigger(self) -> str:
        """When it is used."""
        return self.skill.description

    @property
    def said(self) -> tuple[str, ...]:
        """What each of its items says."""
        return tuple(lesson.text for lesson in self.lines.values()) or _items(self.skill.body)

    @property
    def span(self) -> Span:
        """The whole file as it was read."""
        return Span(path=self.path, text=None, blob=self.blob)


def standing_learnings(tree: Tree, own: Mapping[str, str]) -> tuple[Standing, ...]:
    """Return every learning of `tree` that can be read, by name; `own` are the blobs of those that nights wrote."""
    found: list[Standing] = []
    oddities = tree.oddities()
    count = 0
    for path in sorted(tree.paths()):
        name, blob, data = learning_name(path), tree.blob(path), None
        if name and blob and path not in oddities:
            data = tree.read(path)
        skill = parse_skill(data) if data is not None else None
        if blob is None or not isinstance(skill, Skill):
            continue
        lessons = lessons_of(skill)
        lines = {f"l{count + number}": lesson for number, lesson in enumerate(lessons, 1)}
        count += len(lines)
        found.append(Standing(name=name, path=path, blob=blob, skill=skill, is_own=own.get(path) == blob, lines=lines))
    return tuple(found)


def says_already(text: str, others: Sequence[str], *, same: float) -> bool:
    """Whether one of `others` says what `text` says, or tells another value of the same thing."""
    return any(_is_near(text, other, same) for other in others)


def nearest(trigger: str, texts: Sequence[str], standing: Sequence[Standing], *, same: float) -> Standing | None:
    """Return the learning that is about the same thing: it says what a new one would, or is used for the very same."""
    for one in standing:
        if word_set(trigger) == word_set(one.trigger) or any(says_already(text, one.said, same=same) for text in texts):
            return one
    return None


def _is_near(text: str, other: str, same: float) -> bool:
    return any(bool(relation(entry, known, same=same)[0]) for entry in _read(text) for known in _read(other))


def _read(text: str) -> Iterator[Entry]:
    yield from entries_in(f"{_ITEM}{text}")


def _items(body: str) -> tuple[str, ...]:
    lines = [line.strip() for line in body.split("\n")]
    return tuple(line.lstrip("-*+ ").strip() for line in lines if line and not line.startswith("#"))
